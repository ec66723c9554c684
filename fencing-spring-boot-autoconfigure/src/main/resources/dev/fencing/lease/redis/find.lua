-- Tells who holds a lease.
-- KEYS: lease.
-- Answers held, generation, nonce and the time left in ms; free; or foreign.

local lease = redis.pcall('GET', KEYS[1])
if not lease then
  return {'free'}
end
local generation, nonce
if type(lease) == 'string' then
  generation, nonce = string.match(lease, '^(%d+):([^:]+)$')
end
local left = redis.call('PTTL', KEYS[1])
if not generation or left < 0 then
  return {'foreign'}
end
return {'held', generation, nonce, string.format('%.0f', left)}
