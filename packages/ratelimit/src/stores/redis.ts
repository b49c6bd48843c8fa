import { refuseUnknown, shown } from '../../../internal/options.ts'
import type { Policy } from '../algorithm.ts'
import { digest } from '../digest.ts'
import type { Charge, Outcomes, RateLimitStore } from '../store.ts'
import { type RedisClient, type RedisSend, sendOf } from './redis-client.ts'
import { type Script, scriptMaker } from './redis-script.ts'
import { refusedKeys } from './refused-keys.ts'

export type { RedisClient, RedisSend } from './redis-client.ts'

/** Where in Redis the counts are, and how seldom it is asked. */
export interface RedisStoreOptions {
  /** What all keys begin with. @defaultValue 'rl:' */
  prefix?: string
  /** Redis Cluster: keys of different slots go in calls of their own. @defaultValue false */
  cluster?: boolean
  /**
   * For so many milliseconds a key that was refused is refused without asking again; a `reset` or `refund` in another
   * process is seen that much later. 0: always ask. @defaultValue 1000
   */
  rememberRefusedMs?: number
  /** Milliseconds, for tests. @defaultValue the clock of the Redis server */
  now?: () => number
}

interface Check {
  action: 'consume' | 'adjust' | 'block' | 'reset'
  charges: readonly Charge[]
  resolve(outcomes: Outcomes): void
  reject(error: unknown): void
}

/** Redis runs nothing else meanwhile: so many checks take about a millisecond. */
const MOST_CHECKS = 200

/**
 * Counts in Redis or Valkey, for any number of processes. All checks of one turn of the event loop go in one call of
 * one script; the clock is the server's, and what is over expires by itself.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): RateLimitStore {
  refuseUnknown('redisStore', options, ['prefix', 'cluster', 'rememberRefusedMs', 'now'])
  const { prefix = 'rl:', cluster = false, rememberRefusedMs = 1000, now } = options
  if (!Number.isSafeInteger(rememberRefusedMs) || rememberRefusedMs < 0)
    throw new TypeError(`redisStore: rememberRefusedMs must be milliseconds from 0 on, got ${shown(rememberRefusedMs)}`)
  const localNow = now ?? (() => performance.now())
  const refused = refusedKeys(rememberRefusedMs)
  const send = sendOf(client)
  const scriptOf = scriptMaker()
  let queue: Check[] = []
  let inFlight = 0

  const flush = (): void => {
    const checks = queue
    queue = []
    for (const batch of cluster ? bySlot(checks) : [checks]) {
      for (let at = 0; at < batch.length; at += MOST_CHECKS) run(batch.slice(at, at + MOST_CHECKS))
    }
  }
  const answer = async (checks: readonly Check[]): Promise<void> => {
    const script = scriptOf(checks.flatMap(({ charges }) => charges.map(({ policy }) => policy.algorithm)))
    deliver(checks, await evaluate(send, script, commandOf(checks, prefix, now)))
  }
  const run = (checks: readonly Check[]): void => {
    inFlight++
    answer(checks)
      .catch((error: unknown) => {
        for (const check of checks) check.reject(error)
      })
      .finally(() => {
        inFlight--
      })
  }
  const ask = (action: Check['action'], charges: readonly Charge[]): Promise<Outcomes> =>
    new Promise((resolve, reject) => {
      // While Redis is busy for us, what arrives in one turn of the event loop, from however many sockets, goes
      // together. A request that comes alone goes at once.
      if (queue.length === 0) (inFlight > 0 ? setImmediate : process.nextTick)(flush)
      queue.push({ action, charges, resolve, reject })
    })

  const change = (action: 'adjust' | 'block' | 'reset', charges: readonly Charge[]): Promise<Outcomes> => {
    refused.forget(charges)
    return ask(action, charges)
  }

  return {
    consume(charges) {
      const known = charges.length === 1 ? refused.recall(charges, localNow()) : undefined
      if (known) return [known]
      return ask('consume', charges).then((outcomes) => {
        refused.remember(charges, outcomes[0], localNow())
        return outcomes
      })
    },
    adjust: (charges) => change('adjust', charges),
    async block(charges, ms) {
      const blocks = charges.map((charge) => ({ ...charge, cost: ms }))
      await change('block', blocks)
    },
    async reset(charges) {
      await change('reset', charges)
    },
  }
}

/** A server that does not have the script yet gets it once: with EVAL it keeps it, also the node of a cluster. */
async function evaluate(send: RedisSend, { text, sha }: Script, rest: readonly string[]): Promise<unknown> {
  try {
    return await send(['EVALSHA', sha, ...rest])
  } catch (error) {
    // valkey-glide has words of its own for the error NOSCRIPT.
    if (!(error instanceof Error) || !/NOSCRIPT|NoScriptError/.test(error.message)) throw error
    return send(['EVAL', text, ...rest])
  }
}

function commandOf(checks: readonly Check[], prefix: string, now: (() => number) | undefined): string[] {
  const keys: string[] = []
  const policies = new Map<Policy, number>()
  const words: string[] = []
  for (const { action, charges } of checks) {
    words.push(action, String(charges.length))
    for (const charge of charges) {
      const number = policies.get(charge.policy) ?? policies.size + 1
      policies.set(charge.policy, number)
      keys.push(nameOf(charge, prefix))
      words.push(String(number), String(charge.cost), String(charge.id ?? charge.phase ?? 0))
    }
  }
  const header = [...policies.keys()].flatMap(({ algorithm, limit, windowMs, burst, scale, interval }) => [
    algorithm,
    String(limit),
    String(windowMs),
    String(burst),
    String(scale),
    String(interval),
  ])
  return [String(keys.length), ...keys, now ? String(now()) : '', String(policies.size), ...header, ...words]
}

/**
 * `rl:{<slot>}:<policy>`: in a cluster, what stands in braces decides on the machine. Keys are hashed: they may be long,
 * name a person or be a secret, and Redis shows its keys to whoever may look.
 */
function nameOf({ policy, key, slot }: Charge, prefix: string): string {
  return `${prefix}{${digest(slot)}}:${policy.id}${slot === key ? '' : `:${digest(key)}`}`
}

function bySlot(checks: readonly Check[]): Check[][] {
  const groups = new Map<string, Check[]>()
  for (const check of checks) {
    const slot = check.charges[0]?.slot ?? ''
    const group = groups.get(slot)
    if (group) group.push(check)
    else groups.set(slot, [check])
  }
  return [...groups.values()]
}

function deliver(checks: readonly Check[], reply: unknown): void {
  const charges = checks.reduce((sum, check) => sum + check.charges.length, 0)
  if (!Array.isArray(reply) || reply.length !== 4 * charges)
    throw new TypeError('ratelimit: Redis answered the script with something else than its reply')
  let at = 0
  for (const check of checks) {
    const outcomes = check.charges.map(() => {
      const [allowed, remaining, resetMs, retryMs] = [reply[at], reply[at + 1], reply[at + 2], reply[at + 3]].map(
        Number,
      )
      at += 4
      return { allowed: allowed === 1, remaining: remaining ?? 0, resetMs: resetMs ?? 0, retryMs: retryMs ?? 0 }
    })
    check.resolve(outcomes)
  }
}
