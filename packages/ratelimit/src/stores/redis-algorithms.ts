import type { AlgorithmName } from '../algorithm.ts'

/** An algorithm in Lua. */
export interface LuaAlgorithm {
  /**
   * Defines `take`, which returns the state to write or nil, and the result; and `ends`, when a
   * state expires.
   */
  take: string
  /** Defines `shift`, which returns the state to write. */
  shift: string
}

/**
 * The algorithms in Lua: the same integers in the same order of steps, so that the results are
 * equal.
 */
export const ALGORITHMS: Readonly<Record<AlgorithmName, LuaAlgorithm>> = {
  gcra: {
    take: `
local function arrival(state, p)
  local at = now * p.scale
  return min(max(state[1] or 0, at), at + p.interval * p.burst), at
end
local function gcra(ahead, p, retry)
  return retry == 0, floor((p.interval * p.burst - ahead) / p.interval), ceil(ahead / p.scale), retry
end
take['gcra'] = function(state, p, cost)
  local tat, at = arrival(state, p)
  local wait = tat + p.interval * cost - p.interval * p.burst - at
  local kept = tat < (state[1] or 0) and {tat} or nil
  if wait > 0 then return kept, gcra(tat - at, p, cost > p.burst and -1 or ceil(wait / p.scale)) end
  if cost == 0 then return nil, gcra(tat - at, p, 0) end
  tat = tat + p.interval * cost
  return {tat}, gcra(tat - at, p, 0)
end
ends['gcra'] = function(state, p) return ceil(state[1] / p.scale) end
`,
    shift: `
shift['gcra'] = function(state, p, units)
  local tat, at = arrival(state, p)
  return {min(max(tat + p.interval * units, at), at + p.interval * p.burst)}
end
`,
  },

  'token-bucket': {
    take: `
local function credit(state, p)
  local at, full = now * p.scale, p.burst * p.interval
  return min(full, (state[1] or full) + max(0, at - (state[2] or at))), at
end
local function bucket(left, p, retry)
  return retry == 0, floor(left / p.interval), ceil((p.burst * p.interval - left) / p.scale), retry
end
take['token-bucket'] = function(state, p, cost)
  local left, at = credit(state, p)
  local missing = cost * p.interval - left
  local kept = (state[2] or 0) > at and {left, at} or nil
  if missing > 0 then return kept, bucket(left, p, cost > p.burst and -1 or ceil(missing / p.scale)) end
  if cost == 0 then return nil, bucket(left, p, 0) end
  return {left - cost * p.interval, at}, bucket(left - cost * p.interval, p, 0)
end
ends['token-bucket'] = function(state, p)
  return ceil((state[2] + p.burst * p.interval - state[1]) / p.scale)
end
`,
    shift: `
shift['token-bucket'] = function(state, p, units)
  local left, at = credit(state, p)
  return {min(max(left - units * p.interval, 0), p.burst * p.interval), at}
end
`,
  },

  'fixed-window': {
    take: `
local function window(state, p, phase)
  local since = state[1] or now + p.window
  if since <= now and now < since + p.window then return since, state[2] end
  return now - (now - phase) % p.window, state[1] and since > now and state[2] or 0
end
take['fixed-window'] = function(state, p, cost, phase)
  local start, used = window(state, p, phase)
  local left = start + p.window - now
  local kept = (state[1] or 0) > now and {start, used} or nil
  if used + cost > p.limit then return kept, false, p.limit - used, left, cost > p.limit and -1 or left end
  return cost > 0 and {start, used + cost} or nil, true, p.limit - used - cost, left, 0
end
ends['fixed-window'] = function(state, p) return state[1] + p.window end
`,
    shift: `
shift['fixed-window'] = function(state, p, units, phase)
  local start, used = window(state, p, phase)
  return {start, min(max(used + units, 0), p.limit)}
end
`,
  },

  'sliding-counter': {
    take: `
local function windows(state, p)
  local start = now - now % p.window
  if state[1] == start then return start, state[2], state[3] end
  if (state[1] or 0) > now then return start, min(state[2] + state[3], p.limit), 0 end
  return start, 0, state[1] == start - p.window and state[2] or 0
end
take['sliding-counter'] = function(state, p, cost)
  local start, current, previous = windows(state, p)
  local w = p.window
  local left = w - (now - start)
  local free = p.limit * w - previous * left - current * w
  if cost == 0 or free >= cost * w then
    return cost > 0 and {start, current + cost, previous} or nil, true, max(0, floor((free - cost * w) / w)), left, 0
  end
  local retry = -1
  if cost <= p.limit and current + cost <= p.limit then
    retry = ceil((w * (previous - (p.limit - current - cost))) / previous) - (w - left)
  elseif cost <= p.limit then
    retry = left + max(0, ceil((w * (current - (p.limit - cost))) / current))
  end
  local kept = (state[1] or 0) > now and {start, current, previous} or nil
  return kept, false, max(0, floor(free / w)), left, retry
end
ends['sliding-counter'] = function(state, p) return state[1] + 2 * p.window end
`,
    shift: `
shift['sliding-counter'] = function(state, p, units)
  local start, current, previous = windows(state, p)
  return {start, min(max(current + units, 0), p.limit), previous}
end
`,
  },

  'sliding-log': {
    take: `
local function insight(state, p)
  local log, used = {}, 0
  for at = 1, #state, 2 do
    if state[at] > now - p.window then
      log[#log + 1] = min(state[at], now)
      log[#log + 1] = state[at + 1]
      used = used + state[at + 1]
    end
  end
  return log, used
end
local function append(log, units)
  if units > 0 and log[#log - 1] == now then
    log[#log] = log[#log] + units
  elseif units > 0 then
    log[#log + 1] = now
    log[#log + 1] = units
  end
  return log
end
take['sliding-log'] = function(state, p, cost)
  local log, used = insight(state, p)
  if cost == 0 or used + cost <= p.limit then
    append(log, cost)
    return cost > 0 and log or nil, true, max(0, p.limit - used - cost), log[1] and log[1] + p.window - now or 0, 0
  end
  local retry, rest = -1, used
  for at = 1, #log, 2 do
    rest = rest - log[at + 1]
    if cost <= p.limit and rest + cost <= p.limit then
      retry = log[at] + p.window - now
      break
    end
  end
  local kept = (state[#state - 1] or 0) > now and log or nil
  return kept, false, max(0, p.limit - used), log[1] and log[1] + p.window - now or 0, retry
end
ends['sliding-log'] = function(state, p) return (state[#state - 1] or 0) + p.window end
`,
    shift: `
shift['sliding-log'] = function(state, p, units)
  local log, used = insight(state, p)
  if units >= 0 then return append(log, min(units, p.limit - used)) end
  local rest, left = {}, -units
  for at = 1, #log, 2 do
    local taken = min(log[at + 1], left)
    left = left - taken
    if log[at + 1] > taken then
      rest[#rest + 1] = log[at]
      rest[#rest + 1] = log[at + 1] - taken
    end
  end
  return rest
end
`,
  },

  concurrency: {
    take: `
local function running(state, time, longest, without)
  local leases, used, latest, cut = {}, 0, 0, false
  for at = 1, #state, 3 do
    if state[at + 1] > time and state[at] ~= without then
      local till = min(state[at + 1], longest)
      cut = cut or till < state[at + 1]
      leases[#leases + 1] = state[at]
      leases[#leases + 1] = till
      leases[#leases + 1] = state[at + 2]
      used = used + state[at + 2]
      latest = max(latest, till)
    end
  end
  return leases, used, latest, cut
end
local function lease(leases, id, p, units)
  leases[#leases + 1] = id
  leases[#leases + 1] = now + p.window
  leases[#leases + 1] = units
  return leases
end
take['concurrency'] = function(state, p, cost, id)
  local leases, used, latest, cut = running(state, now, now + p.window)
  if cost == 0 or used + cost <= p.limit then
    if cost > 0 then latest = max(latest, now + p.window) end
    local left = max(0, p.limit - used - cost)
    return cost > 0 and lease(leases, id, p, cost) or nil, true, left, max(0, latest - now), 0
  end
  local still, retry = used, -1
  for at = 1, cost <= p.limit and #leases or 0, 3 do
    still = still - leases[at + 2]
    if still + cost <= p.limit then
      retry = leases[at + 1] - now
      break
    end
  end
  return cut and leases or nil, false, max(0, p.limit - used), max(0, latest - now), retry
end
ends['concurrency'] = function(state)
  local _, _, latest = running(state, 0, huge)
  return latest
end
`,
    shift: `
shift['concurrency'] = function(state, p, units, id)
  if units <= 0 then return (running(state, now, now + p.window, id)) end
  local leases, used = running(state, now, now + p.window)
  local taken = min(units, p.limit - used)
  return taken > 0 and lease(leases, id, p, taken) or leases
end
`,
  },
}
