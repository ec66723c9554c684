-- Ends leases, as far as they are still the acquisition's, whichever generation they have.
-- KEYS: leases, for each of them the key that exists while somebody waits for it.
-- ARGV: nonce, for how long nobody gets them all the same in ms, for each lease the channel to tell those who wait.
-- Answers released, or lost if one of them was not the acquisition's.

local count = #KEYS / 2
local answer = 'released'
for i = count, 1, -1 do
  local lease = redis.pcall('GET', KEYS[i])
  local generation, nonce
  if type(lease) == 'string' then
    generation, nonce = string.match(lease, '^(%d+):([^:]+)$')
  end
  if nonce ~= ARGV[1] then
    answer = 'lost'
  elseif ARGV[2] ~= '0' then
    -- Under another name, so that no late renewal makes it last longer
    redis.call('SET', KEYS[i], generation .. ':' .. nonce .. '/released', 'PX', ARGV[2])
  else
    redis.call('DEL', KEYS[i])
    if redis.call('DEL', KEYS[count + i]) == 1 then
      -- Who may not publish releases all the same: those who wait ask again after a while
      redis.pcall('PUBLISH', ARGV[2 + i], KEYS[i])
    end
  end
end
return {answer}
