-- Has a lease told to the next one who waits, where the one who was told does not want it any more.
-- KEYS: lease, those who wait for it. ARGV: whether it is known who listens (1 or 0).
-- Answers passed, or held.

if redis.call('EXISTS', KEYS[1]) == 1 then
  return {'held'}
end
tell(KEYS[1], KEYS[2], ARGV[1])
return {'passed'}
