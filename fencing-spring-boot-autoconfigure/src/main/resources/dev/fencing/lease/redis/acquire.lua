-- Takes leases that nobody holds, all of them or none, and numbers them.
-- KEYS: counter, leases, for each of them those who wait for it.
-- ARGV: nonce, lease time in ms, greatest generation, clock floor (1 or 0), whether it is known who listens (1 or 0),
-- and for a caller that waits, for which of the leases, how long to remember that in ms, and its channel.
-- Answers granted and the generation, held and the first key that is with the time left in ms, or what is wrong.

local count = (#KEYS - 1) / 2
local own, generation = 0, nil
local held, remaining
local free = {}
for i = 1, count do
  local key = KEYS[1 + i]
  local exists, number, nonce = lease_of(key)
  if exists then
    local left = redis.call('PTTL', key)
    if not number or left < 0 then
      return {'foreign', key}
    end
    if nonce == ARGV[1] then
      own, generation = own + 1, number
    elseif not held then
      held, remaining = key, left
    end
  else
    free[i] = true
  end
end

local awaited = tonumber(ARGV[6])
if awaited then
  local waiting = KEYS[1 + count + awaited]
  if held and not free[awaited] then
    redis.call('ZADD', waiting, 'NX', now(), ARGV[8])
    redis.call('PEXPIRE', waiting, ARGV[7])
  else
    redis.call('ZREM', waiting, ARGV[8])
    if held then
      -- The caller was told of one that it cannot take without the others
      tell(KEYS[1 + awaited], waiting, ARGV[5])
    end
  end
end
if held then
  return {'held', held, text(remaining)}
end
if own == count then
  -- The same request again: its first reply was lost, and its time counts from now
  for i = 1, count do
    redis.call('PEXPIRE', KEYS[1 + i], ARGV[2])
  end
  return {'granted', generation}
end

local counter, wrong = counter_of(KEYS[1])
if not counter then
  return wrong
end
local number = following(tonumber(counter), ARGV[4])
if number > tonumber(ARGV[3]) then
  return {'counter', 'has come to ' .. counter}
end

-- The counter first: what fails in between costs a number, and none is given out twice.
-- Not INCR, so that a time to live that somebody gave the counter is gone.
redis.call('SET', KEYS[1], text(number))
for i = 1, count do
  redis.call('SET', KEYS[1 + i], text(number) .. ':' .. ARGV[1], 'PX', ARGV[2])
end
return {'granted', text(number)}
