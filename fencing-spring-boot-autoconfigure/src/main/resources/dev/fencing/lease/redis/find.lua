-- Tells who holds a lease.
-- KEYS: lease.
-- Answers held, generation, nonce and the time left in ms; free; or foreign.

local exists, generation, nonce = lease_of(KEYS[1])
if not exists then
  return {'free'}
end
local left = redis.call('PTTL', KEYS[1])
if not generation or left < 0 then
  return {'foreign'}
end
return {'held', generation, nonce, text(left)}
