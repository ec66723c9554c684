-- Takes a lease that nobody holds and numbers it.
-- KEYS: counter, lease. ARGV: nonce, lease time in ms, greatest generation, clock floor (1 or 0).
-- Answers granted and the generation, held and the time left in ms, or what is wrong with a key.

local lease = redis.pcall('GET', KEYS[2])
if lease then
  local generation, nonce
  if type(lease) == 'string' then
    generation, nonce = string.match(lease, '^(%d+):([^:]+)$')
  end
  local left = redis.call('PTTL', KEYS[2])
  if not generation or left < 0 then
    return {'foreign'}
  end
  if nonce == ARGV[1] then
    -- The same request again: its first reply was lost, and its time counts from now
    redis.call('PEXPIRE', KEYS[2], ARGV[2])
    return {'granted', generation}
  end
  return {'held', string.format('%.0f', left)}
end

local counter = redis.pcall('GET', KEYS[1]) or '0'
if type(counter) ~= 'string' or not string.match(counter, '^%d+$') then
  return {'counter', 'is not a whole number that is zero or more'}
end
local generation = tonumber(counter) + 1
if ARGV[4] == '1' then
  local time = redis.call('TIME')
  generation = math.max(generation, time[1] * 1000 + math.floor(time[2] / 1000))
end
if generation > tonumber(ARGV[3]) then
  return {'counter', 'has come to ' .. counter}
end

-- The counter first: what fails in between costs a number, and none is given out twice.
-- Not INCR, so that a time to live that somebody gave the counter is gone.
local number = string.format('%.0f', generation)
redis.call('SET', KEYS[1], number)
redis.call('SET', KEYS[2], number .. ':' .. ARGV[1], 'NX', 'PX', ARGV[2])
return {'granted', number}
