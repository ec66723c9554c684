-- Lets leases last longer that are still their acquisitions'.
-- KEYS: leases. ARGV: for each of them its nonce and lease time in ms.
-- Answers for each of them renewed, gone, or taken and the generation.

local answers = {}
for i = 1, #KEYS do
  local _, generation, nonce = lease_of(KEYS[i])
  if not nonce then
    answers[i] = 'gone'
  elseif nonce ~= ARGV[2 * i - 1] then
    answers[i] = 'taken:' .. generation
  else
    redis.call('PEXPIRE', KEYS[i], ARGV[2 * i])
    answers[i] = 'renewed'
  end
end
return answers
