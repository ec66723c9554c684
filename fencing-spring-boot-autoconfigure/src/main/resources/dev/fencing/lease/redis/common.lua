-- Comes before every script of this package: what they have in common.

-- Returns whether there is anything under the key of a lease, and, if it is a lease, its generation and nonce.
local function lease_of(key)
  local value = redis.pcall('GET', key)
  if type(value) ~= 'string' then
    return value ~= false
  end
  return true, string.match(value, '^(%d+):([^:]+)$')
end

-- Returns the generation that was given out last, as text, or nothing and the answer that says what is wrong with the counter.
local function counter_of(key)
  local value = redis.pcall('GET', key) or '0'
  if type(value) ~= 'string' or not string.match(value, '^%d+$') then
    return nil, {'counter', 'is not a whole number that is zero or more'}
  end
  return value
end

-- Returns the time of this server in microseconds.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Returns the generation that follows another one: with the clock floor ('1'), at least this server's milliseconds.
local function following(generation, clock_floor)
  if clock_floor == '1' then
    return math.max(generation + 1, math.floor(now() / 1000))
  end
  return generation + 1
end

-- Returns a whole number as text; by itself Lua would write a great one with an exponent.
local function text(number)
  return string.format('%.0f', number)
end

-- Tells the one who has waited longest that a lease is free. If nobody listens there any more, the next one is told;
-- a node of a cluster cannot say, since it knows of its own listeners only.
local function tell(lease, waiting, listeners_are_known)
  while true do
    local first = redis.pcall('ZPOPMIN', waiting)
    if type(first) ~= 'table' or not first[1] then
      return
    end
    -- Who may not publish releases all the same: those who wait ask again after a while
    if redis.pcall('PUBLISH', first[1], lease) ~= 0 or listeners_are_known ~= '1' then
      return
    end
  end
end

