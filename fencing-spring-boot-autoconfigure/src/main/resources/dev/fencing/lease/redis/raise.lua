-- Raises the counter, so that the next generation exceeds the given one.
-- KEYS: counter. ARGV: generation to exceed, greatest generation.
-- Answers raised, or what is wrong with the counter.

local counter = redis.pcall('GET', KEYS[1]) or '0'
if type(counter) ~= 'string' or not string.match(counter, '^%d+$') then
  return {'counter', 'is not a whole number that is zero or more'}
end
if tonumber(ARGV[1]) >= tonumber(ARGV[2]) then
  return {'counter', 'has to exceed ' .. ARGV[1]}
end
if tonumber(counter) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1])
end
return {'raised'}
