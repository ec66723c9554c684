-- Ends leases, as far as they are still the acquisition's, whichever generation they have.
-- KEYS: leases, for each of them those who wait for it.
-- ARGV: nonce, for how long nobody gets them all the same in ms, whether it is known who listens (1 or 0).
-- Answers released, or lost if one of them was not the acquisition's.

local count = #KEYS / 2
local answer = 'released'
for i = count, 1, -1 do
  local _, generation, nonce = lease_of(KEYS[i])
  if nonce ~= ARGV[1] then
    answer = 'lost'
  elseif ARGV[2] ~= '0' then
    redis.call('PEXPIRE', KEYS[i], ARGV[2])
    -- Under another name, so that no late renewal makes it last longer. A Redis without memory does not do that
    redis.pcall('SET', KEYS[i], generation .. ':' .. nonce .. '/released', 'PX', ARGV[2])
  else
    redis.call('DEL', KEYS[i])
    tell(KEYS[i], KEYS[count + i], ARGV[3])
  end
end
return {answer}
