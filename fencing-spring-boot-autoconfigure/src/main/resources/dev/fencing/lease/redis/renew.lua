-- Lets a lease last longer, if it is still the very same.
-- KEYS: lease. ARGV: generation:nonce, lease time in ms.
-- Answers renewed or lost.

if redis.pcall('GET', KEYS[1]) ~= ARGV[1] then
  return {'lost'}
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'renewed'}
