import { createHash } from 'node:crypto'
import type { AlgorithmName } from '../algorithm.ts'
import { ALGORITHMS } from './redis-algorithms.ts'

/** A script and the name by which Redis knows it once it has it. */
export interface Script {
  text: string
  sha: string
}

/**
 * Makes scripts that hold no more algorithms than are asked for: Redis runs the whole text at each call.
 *
 * One call serves any number of checks, and each check any number of charges, all or nothing. KEYS: one for each charge.
 * ARGV: the time, or '' for the server's clock; the number of policies, six words for each (algorithm, limit, windowMs,
 * burst, scale, interval); then for each check its action and number of charges, and for each charge the number of its
 * policy, its cost and its lease or phase. Reply: allowed, remaining, resetMs and retryMs for each charge.
 */
export function scriptMaker(): (algorithms: Iterable<AlgorithmName>) => Script {
  const known = new Map<string, Script>()
  return (algorithms) => {
    const names = [...new Set(algorithms)].sort()
    const id = names.join()
    let script = known.get(id)
    if (!script) {
      const text = [BEGINNING, ...names.map((name) => ALGORITHMS[name]), ENDING].join('\n')
      script = { text, sha: createHash('sha1').update(text).digest('hex') }
      known.set(id, script)
    }
    return script
  }
}

const BEGINNING = `
local now = tonumber(ARGV[1])
-- A clock that is not the server's may stand still: then nothing expires before its time.
local grace = now and 60000 or 0
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local floor, ceil, max, min, huge = math.floor, math.ceil, math.max, math.min, math.huge
local take, shift, ends = {}, {}, {}
`

// A negative first number in a state: the key is blocked until then.
const ENDING = `
local call, format = redis.call, string.format
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
    redis.call('DEL', key)
    return
  end
  local text = format('%.0f', state[1])
  for at = 2, #state do text = text .. format(' %.0f', state[at]) end
  call('SET', key, text, 'PX', format('%.0f', till - now + grace))
end

local policies, reply, said, at, key = {}, {}, 0, 3, 0
for n = 1, tonumber(ARGV[2]) do
  policies[n] = {
    algorithm = ARGV[at], limit = tonumber(ARGV[at + 1]), window = tonumber(ARGV[at + 2]),
    burst = tonumber(ARGV[at + 3]), scale = tonumber(ARGV[at + 4]), interval = tonumber(ARGV[at + 5]),
  }
  at = at + 6
end
local function say(allowed, remaining, reset, retry)
  reply[said + 1], reply[said + 2], reply[said + 3], reply[said + 4] = allowed and 1 or 0, remaining, reset, retry
  said = said + 4
end
local function look(state, blocked, p, own)
  if blocked > 0 then return say(false, 0, blocked, blocked) end
  say(select(2, take[p.algorithm](state, p, 0, own)))
end
local function consume(name, p, cost, id, states, outcomes)
  local state, blocked = read(name)
  states[#states + 1] = {state, blocked}
  if blocked > 0 then
    outcomes[#outcomes + 1] = {nil, false, 0, blocked, blocked}
  else
    outcomes[#outcomes + 1] = {take[p.algorithm](state, p, cost, id)}
  end
  return outcomes[#outcomes][2]
end
-- Most checks take one charge: nothing has to be kept until the others are known.
local function consumeOne(name, p, cost, id)
  local state, blocked = read(name)
  if blocked > 0 then return say(false, 0, blocked, blocked) end
  local after, allowed, remaining, reset, retry = take[p.algorithm](state, p, cost, id)
  if after then write(name, after, ends[p.algorithm](after, p)) end
  say(allowed, remaining, reset, retry)
end
local function run(action, count, first)
  local all, states, outcomes = true, {}, {}
  for n = 1, count do
    local word, name = first + 3 * (n - 1), KEYS[key + n]
    local p, cost, id = policies[tonumber(ARGV[word])], tonumber(ARGV[word + 1]), tonumber(ARGV[word + 2])
    if action == 'consume' then
      all = consume(name, p, cost, id, states, outcomes) and all
    elseif action == 'block' then
      write(name, {-(now + cost)}, now + cost)
      say(false, 0, cost, cost)
    elseif action == 'reset' then
      redis.call('DEL', name)
      look({}, 0, p, id)
    else
      local state, blocked = read(name)
      if blocked == 0 then
        state = shift[p.algorithm](state, p, cost, id)
        write(name, state, #state > 0 and ends[p.algorithm](state, p) or now)
      end
      look(state, blocked, p, id)
    end
  end
  for n = 1, #outcomes do
    local word, outcome = first + 3 * (n - 1), outcomes[n]
    local p = policies[tonumber(ARGV[word])]
    if all or not outcome[2] then
      if outcome[1] then write(KEYS[key + n], outcome[1], ends[p.algorithm](outcome[1], p)) end
      say(outcome[2], outcome[3], outcome[4], outcome[5])
    else
      look(states[n][1], states[n][2], p, tonumber(ARGV[word + 2]))
    end
  end
end

local last = #ARGV
while at <= last do
  local action, count = ARGV[at], tonumber(ARGV[at + 1])
  if action == 'consume' and count == 1 then
    local p, cost, id = policies[tonumber(ARGV[at + 2])], tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
    consumeOne(KEYS[key + 1], p, cost, id)
  else
    run(action, count, at + 2)
  end
  key = key + count
  at = at + 2 + 3 * count
end
return reply
`
