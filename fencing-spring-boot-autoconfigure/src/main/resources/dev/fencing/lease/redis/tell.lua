-- Comes before scripts that make a lease free.

-- Tells the one who has waited longest that a lease is free. If nobody listens there any more, the next one is told;
-- a node of a cluster cannot say, since it knows of its own listeners only.
local function tell(lease, waiting, listenersAreKnown)
  while true do
    local first = redis.pcall('ZPOPMIN', waiting)
    if type(first) ~= 'table' or not first[1] then
      return
    end
    -- Who may not publish releases all the same: those who wait ask again after a while
    if redis.pcall('PUBLISH', first[1], lease) ~= 0 or not listenersAreKnown then
      return
    end
  end
end

