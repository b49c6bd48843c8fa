/** A script of Redis, with the hash by which it is called. */
export interface Script {
  name: string
  text: string
}

// One hash a key: fp fingerprint, st state (L locked, R released, D done), ow owner, gn attempt, lu
// lease until, ex expires at, rs response, cp checkpoints. The clock is that of Redis; a time in
// the arguments wins, for tests.
const CLOCK = `local function clock(given)
  if given ~= '' then return tonumber(given) end
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end
local function int(number) return string.format('%.0f', number) end
`

const HELD = `if redis.call('HGET', KEYS[1], 'ow') ~= ARGV[1] or redis.call('HGET', KEYS[1], 'st') ~= 'L' then return 0 end
`

const script = (name: string, text: string): Script => ({ name, text })

/** ARGV: fingerprint, owner, leaseMs, ttlMs, onLeaseExpired, now. */
export const ACQUIRE = script(
  'acquire',
  `${CLOCK}local now = clock(ARGV[6])
local fp, st, lu, rs, gn, ex, cp = unpack(redis.call('HMGET', KEYS[1], 'fp', 'st', 'lu', 'rs', 'gn', 'ex', 'cp'))
local lease, ttl = tonumber(ARGV[3]), tonumber(ARGV[4])
local keep = math.max(lease, ttl)
if fp and tonumber(ex) <= now then
  redis.call('DEL', KEYS[1])
  fp = false
end
local attempt = 1
if fp then
  if fp ~= ARGV[1] then return {'mismatch'} end
  if st == 'D' then return {'done', rs} end
  if st == 'L' and tonumber(lu) > now then return {'busy', tonumber(lu) - now} end
  if st == 'L' and ARGV[5] == 'reject' then return {'orphan'} end
  attempt = tonumber(gn) + 1
end
redis.call('HSET', KEYS[1], 'fp', ARGV[1], 'st', 'L', 'ow', ARGV[2], 'lu', int(now + lease), 'gn', attempt,
  'ex', int(now + keep))
redis.call('PEXPIRE', KEYS[1], keep)
return {'new', attempt, fp and cp or ''}`,
)

/** ARGV: owner, leaseMs, now. */
export const RENEW = script(
  'renew',
  `${CLOCK}${HELD}local leaseUntil = clock(ARGV[3]) + ARGV[2]
redis.call('HSET', KEYS[1], 'lu', int(leaseUntil))
if tonumber(redis.call('HGET', KEYS[1], 'ex')) < leaseUntil then
  redis.call('HSET', KEYS[1], 'ex', int(leaseUntil))
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1`,
)

/** ARGV: owner, checkpoints. */
export const CHECKPOINT = script('checkpoint', `${HELD}redis.call('HSET', KEYS[1], 'cp', ARGV[2]) return 1`)

/** ARGV: owner, response, ttlMs, now. */
export const COMPLETE = script(
  'complete',
  `${CLOCK}${HELD}redis.call('HSET', KEYS[1], 'st', 'D', 'ow', '', 'lu', 0, 'rs', ARGV[2], 'ex', int(clock(ARGV[4]) + ARGV[3]))
redis.call('HDEL', KEYS[1], 'cp')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`,
)

/** ARGV: owner. */
export const RELEASE = script(
  'release',
  `${HELD}if (redis.call('HGET', KEYS[1], 'cp') or '') == '' then return redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'st', 'R', 'ow', '', 'lu', 0)
return 1`,
)

/** ARGV: now. */
export const INSPECT = script(
  'inspect',
  `${CLOCK}local fp, st, lu, gn, ex = unpack(redis.call('HMGET', KEYS[1], 'fp', 'st', 'lu', 'gn', 'ex'))
if not fp or tonumber(ex) <= clock(ARGV[1]) then return false end
return {fp, st, lu, gn, ex}`,
)
