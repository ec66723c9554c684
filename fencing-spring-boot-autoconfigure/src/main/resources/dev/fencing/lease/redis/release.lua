-- Ends a lease, if it is still the acquisition's, whichever generation it has.
-- KEYS: lease. ARGV: nonce.
-- Answers released or lost.

local lease = redis.pcall('GET', KEYS[1])
if type(lease) ~= 'string' or string.match(lease, '^%d+:([^:]+)$') ~= ARGV[1] then
  return {'lost'}
end
redis.call('DEL', KEYS[1])
return {'released'}
