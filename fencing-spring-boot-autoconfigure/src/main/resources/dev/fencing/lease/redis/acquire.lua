-- Takes leases that nobody holds, all of them or none, and numbers them.
-- KEYS: counter, leases, for each of them those who wait for it.
-- ARGV: nonce, lease time in ms, greatest generation, clock floor (1 or 0), whether it is known who listens (1 or 0),
-- and for a caller that waits, for which of the leases, how long to remember that in ms, and its channel.
-- Answers granted and the generation, held and the first key that is with the time left in ms, or what is wrong.

local count = (#KEYS - 1) / 2
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local own, generation = 0, nil
local held, remaining
local free = {}
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
    elseif not held then
      held, remaining = KEYS[1 + i], left
    end
  else
    free[i] = true
  end
end

local awaited = tonumber(ARGV[6])
if awaited then
  local lease, waiting = KEYS[1 + awaited], KEYS[1 + count + awaited]
  if not held then
    redis.call('ZREM', waiting, ARGV[8])
  elseif free[awaited] then
    -- The caller was told of one that it cannot take without the others
    redis.call('ZREM', waiting, ARGV[8])
    tell(lease, waiting, ARGV[5] == '1')
  else
    redis.call('ZADD', waiting, 'NX', now(), ARGV[8])
    redis.call('PEXPIRE', waiting, ARGV[7])
  end
end
if held then
  return {'held', held, string.format('%.0f', remaining)}
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
  next = math.max(next, math.floor(now() / 1000))
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
