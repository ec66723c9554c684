-- Raises the counter, so that the next generation exceeds the given one.
-- KEYS: counter. ARGV: generation to exceed, greatest generation.
-- Answers raised, or what is wrong with the counter.

local counter, wrong = counter_of(KEYS[1])
if not counter then
  return wrong
end
if tonumber(ARGV[1]) >= tonumber(ARGV[2]) then
  return {'counter', 'has to exceed ' .. ARGV[1]}
end
if tonumber(counter) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1])
end
return {'raised'}
