-- Gives a lease a new generation, if it is still the acquisition's.
-- KEYS: counter, lease. ARGV: nonce, generation, generation to exceed, greatest generation, clock floor (1 or 0).
-- Answers healed and the generation, lost, or what is wrong with the counter.

local lease = redis.pcall('GET', KEYS[2])
if type(lease) ~= 'string' then
  return {'lost'}
end
local current, nonce = string.match(lease, '^(%d+):([^:]+)$')
local left = redis.call('PTTL', KEYS[2])
if nonce ~= ARGV[1] or left <= 0 then
  return {'lost'}
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
redis.call('SET', KEYS[2], number .. ':' .. nonce, 'XX', 'PX', string.format('%.0f', left))
return {'healed', number}
