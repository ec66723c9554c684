-- Gives leases a new generation, if all of them are still the acquisition's.
-- KEYS: counter, leases. ARGV: nonce, generation, generation to exceed, greatest generation, clock floor (1 or 0).
-- Answers healed and the generation, lost, or what is wrong with the counter.

local current
local left = {}
for i = 2, #KEYS do
  local exists, generation, nonce = lease_of(KEYS[i])
  left[i] = exists and redis.call('PTTL', KEYS[i]) or 0
  if nonce ~= ARGV[1] or left[i] <= 0 or (current and current ~= generation) then
    return {'lost'}
  end
  current = generation
end
local above = tonumber(ARGV[3])
if tonumber(current) > above then
  -- The same request again, or one that another has made needless
  return {'healed', current}
end
if current ~= ARGV[2] then
  return {'lost'}
end

local counter, wrong = counter_of(KEYS[1])
if not counter then
  return wrong
end
local number = following(math.max(tonumber(counter), above), ARGV[5])
if number > tonumber(ARGV[4]) then
  return {'counter', 'is ' .. counter .. ' and has to exceed ' .. ARGV[3]}
end

redis.call('SET', KEYS[1], text(number))
for i = 2, #KEYS do
  redis.call('SET', KEYS[i], text(number) .. ':' .. ARGV[1], 'XX', 'PX', text(left[i]))
end
return {'healed', text(number)}
