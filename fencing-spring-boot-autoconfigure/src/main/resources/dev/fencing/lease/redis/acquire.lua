-- Takes leases that nobody holds, all of them or none, and numbers them.
-- KEYS: counter, leases, for each of them the key that exists while somebody waits for it.
-- ARGV: nonce, lease time in ms, greatest generation, clock floor (1 or 0), how long to remember that the caller waits
-- in ms, or 0.
-- Answers granted and the generation, held and the longest time left in ms, or what is wrong with a key.

local count = (#KEYS - 1) / 2
local own, generation = 0, nil
local held, longest = false, 0
for i = 1, count do
  local lease = redis.pcall('GET', KEYS[1 + i])
  if lease then
    local number, nonce
    if type(lease) == 'string' then
      number, nonce = string.match(lease, '^(%d+):([^:]+)$')
    end
    local left = redis.call('PTTL', KEYS[1 + i])
    if not number or left < 0 then
      return {'foreign', KEYS[1 + i]}
    end
    if nonce == ARGV[1] then
      own, generation = own + 1, number
    else
      held, longest = true, math.max(longest, left)
      if ARGV[5] ~= '0' then
        redis.call('SET', KEYS[1 + count + i], '1', 'PX', ARGV[5])
      end
    end
  end
end
if held then
  return {'held', string.format('%.0f', longest)}
end
if own == count then
  -- The same request again: its first reply was lost, and its time counts from now
  for i = 1, count do
    redis.call('PEXPIRE', KEYS[1 + i], ARGV[2])
  end
  return {'granted', generation}
end

local counter = redis.pcall('GET', KEYS[1]) or '0'
if type(counter) ~= 'string' or not string.match(counter, '^%d+$') then
  return {'counter', 'is not a whole number that is zero or more'}
end
local next = tonumber(counter) + 1
if ARGV[4] == '1' then
  local time = redis.call('TIME')
  next = math.max(next, time[1] * 1000 + math.floor(time[2] / 1000))
end
if next > tonumber(ARGV[3]) then
  return {'counter', 'has come to ' .. counter}
end

-- The counter first: what fails in between costs a number, and none is given out twice.
-- Not INCR, so that a time to live that somebody gave the counter is gone.
local number = string.format('%.0f', next)
redis.call('SET', KEYS[1], number)
for i = 1, count do
  redis.call('SET', KEYS[1 + i], number .. ':' .. ARGV[1], 'PX', ARGV[2])
end
return {'granted', number}
