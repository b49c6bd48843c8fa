import { createHash } from 'node:crypto'
import type { AlgorithmName } from '../algorithm.ts'
import { ALGORITHMS } from './redis-algorithms.ts'

/** A script, and the hash by which Redis stores it. */
export interface Script {
  text: string
  sha: string
}

/** Builds scripts that contain only what is needed: Redis runs the whole text at each call. */
export interface ScriptBuilder {
  /**
   * Consumes one charge of one policy for each key. KEYS: one per charge. ARGV: the time, or '' for
   * the server's clock; limit, windowMs, burst, scale, interval; then cost and lease or phase, once
   * for all keys or for each. Reply: remaining, resetMs and retryMs for each key; retryMs is 0 if
   * the charge was consumed.
   */
  consume(algorithm: AlgorithmName): Script
  /**
   * Runs any number of actions, each for any number of charges, all or nothing. KEYS: one per
   * charge. ARGV: the time, or ''; the number of policies, six values for each (algorithm, limit,
   * windowMs, burst, scale, interval); then for each action its name and number of charges, and for
   * each charge the index of its policy, its cost and its lease or phase. The reply is that of
   * `consume`.
   */
  mixed(algorithms: Iterable<AlgorithmName>): Script
}

/** Creates a builder, which builds each script once. */
export function scriptBuilder(): ScriptBuilder {
  const scripts = new Map<string, Script>()
  const build = (id: string, parts: () => readonly string[]): Script => {
    let script = scripts.get(id)
    if (!script) {
      const text = parts().join('')
      script = { text, sha: createHash('sha1').update(text).digest('hex') }
      scripts.set(id, script)
    }
    return script
  }
  return {
    consume: (name) => build(name, () => [PRELUDE, ALGORITHMS[name].take, `local algorithm = '${name}'`, CONSUME]),
    mixed(algorithms) {
      const names = [...new Set(algorithms)].sort()
      const definitions = (): string[] => names.flatMap((name) => [ALGORITHMS[name].take, ALGORITHMS[name].shift])
      return build(`${names.join()} mixed`, () => [PRELUDE, ...definitions(), MIXED])
    },
  }
}

// A negative first number of a state means that the key is blocked until that time.
const PRELUDE = `
local call, format, floor, ceil = redis.call, string.format, math.floor, math.ceil
local max, min, huge = math.max, math.min, math.huge
local take, shift, ends, reply, said = {}, {}, {}, {}, 0
local now = tonumber(ARGV[1])
-- A clock that is not the server's may be stopped: then nothing expires early.
local grace = now and 60000 or 0
if not now then
  local time = call('TIME')
  now = time[1] * 1000 + floor(time[2] / 1000)
end
local function read(key)
  local text = call('GET', key)
  if not text then return {}, 0 end
  local state = {tonumber(text)}
  if not state[1] then
    for word in string.gmatch(text, '%S+') do state[#state + 1] = tonumber(word) end
  end
  if state[1] and state[1] < 0 then
    if -state[1] > now then return state, -state[1] - now end
    return {}, 0
  end
  return state, 0
end
local function write(key, state, till)
  if #state == 0 or till <= now then
    call('DEL', key)
    return
  end
  local text = format('%.0f', state[1])
  for at = 2, #state do text = text .. format(' %.0f', state[at]) end
  call('SET', key, text, 'PX', format('%.0f', till - now + grace))
end
local function say(allowed, remaining, reset, retry)
  reply[said + 1], reply[said + 2], reply[said + 3] = remaining, reset, retry
  said = said + 3
end
`

const CONSUME = `
local p = {
  limit = tonumber(ARGV[2]), window = tonumber(ARGV[3]), burst = tonumber(ARGV[4]),
  scale = tonumber(ARGV[5]), interval = tonumber(ARGV[6]),
}
local try, till, step = take[algorithm], ends[algorithm], #ARGV > 8 and 2 or 0
for n, key in ipairs(KEYS) do
  local word = 7 + step * (n - 1)
  local state, blocked = read(key)
  if blocked > 0 then
    say(false, 0, blocked, blocked)
  else
    local after, allowed, remaining, reset, retry = try(state, p, tonumber(ARGV[word]), tonumber(ARGV[word + 1]))
    if after then write(key, after, till(after, p)) end
    say(allowed, remaining, reset, retry)
  end
end
return reply
`

const MIXED = `
local policies, at, key = {}, 3, 0
for n = 1, tonumber(ARGV[2]) do
  policies[n] = {
    algorithm = ARGV[at], limit = tonumber(ARGV[at + 1]), window = tonumber(ARGV[at + 2]),
    burst = tonumber(ARGV[at + 3]), scale = tonumber(ARGV[at + 4]), interval = tonumber(ARGV[at + 5]),
  }
  at = at + 6
end
local function look(state, blocked, p, own)
  if blocked > 0 then return say(false, 0, blocked, blocked) end
  say(select(2, take[p.algorithm](state, p, 0, own)))
end
local function change(action, name, p, cost, own)
  if action == 'block' then
    write(name, {-(now + cost)}, now + cost)
    return say(false, 0, cost, cost)
  end
  local state, blocked = read(name)
  if action == 'reset' then
    state, blocked = {}, 0
    call('DEL', name)
  elseif blocked == 0 then
    state = shift[p.algorithm](state, p, cost, own)
    write(name, state, #state > 0 and ends[p.algorithm](state, p) or now)
  end
  look(state, blocked, p, own)
end
local function consume(charges)
  local all = true
  for _, charge in ipairs(charges) do
    local state, blocked = read(charge.name)
    charge.state, charge.blocked = state, blocked
    charge.outcome = blocked > 0 and {nil, false, 0, blocked, blocked}
      or {take[charge.p.algorithm](state, charge.p, charge.cost, charge.own)}
    all = all and charge.outcome[2]
  end
  for _, charge in ipairs(charges) do
    local outcome, p = charge.outcome, charge.p
    if all or not outcome[2] then
      if outcome[1] then write(charge.name, outcome[1], ends[p.algorithm](outcome[1], p)) end
      say(outcome[2], outcome[3], outcome[4], outcome[5])
    else
      look(charge.state, charge.blocked, p, charge.own)
    end
  end
end
local last = #ARGV
while at <= last do
  local action, charges = ARGV[at], {}
  for n = 1, tonumber(ARGV[at + 1]) do
    local word = at + 3 * n - 1
    charges[n] = {
      name = KEYS[key + n], p = policies[tonumber(ARGV[word])],
      cost = tonumber(ARGV[word + 1]), own = tonumber(ARGV[word + 2]),
    }
  end
  if action == 'consume' then consume(charges) else
    for _, charge in ipairs(charges) do change(action, charge.name, charge.p, charge.cost, charge.own) end
  end
  key = key + #charges
  at = at + 2 + 3 * #charges
end
return reply
`
