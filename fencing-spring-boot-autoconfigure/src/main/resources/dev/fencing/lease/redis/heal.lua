-- Gives leases a new generation, if all of them are still the acquisition's.
-- KEYS: counter, leases. ARGV: nonce, generation, generation to exceed, greatest generation, clock floor (1 or 0).
-- Answers healed and the generation, lost, or what is wrong with the counter.

local current
local left = {}
for i = 2, #KEYS do
  local lease = redis.pcall('GET', KEYS[i])
  if type(lease) ~= 'string' then
    return {'lost'}
  end
  local generation, nonce = string.match(lease, '^(%d+):([^:]+)$')
  left[i] = redis.call('PTTL', KEYS[i])
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

local counter = redis.pcall('GET', KEYS[1]) or '0'
if type(counter) ~= 'string' or not string.match(counter, '^%d+$') then
  return {'counter', 'is not a whole number that is zero or more'}
end
local generation = math.max(tonumber(counter), above) + 1
if ARGV[5] == '1' then
  local time = redis.call('TIME')
  generation = math.max(generation, time[1] * 1000 + math.floor(time[2] / 1000))
end
if generation > tonumber(ARGV[4]) then
  return {'counter', 'is ' .. counter .. ' and has to exceed ' .. ARGV[3]}
end

local number = string.format('%.0f', generation)
redis.call('SET', KEYS[1], number)
for i = 2, #KEYS do
  redis.call('SET', KEYS[i], number .. ':' .. ARGV[1], 'XX', 'PX', string.format('%.0f', left[i]))
end
return {'healed', number}
