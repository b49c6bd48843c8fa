import { assertInteger, assertKnownOptions, assertTypes } from '../../../internal/options.ts'
import { isMissingScript, type RedisClient, type RedisSend, toRedisSend } from '../../../internal/redis-client.ts'
import type { LimitResult } from '../algorithm.ts'
import type { Charge, RateLimitStore } from '../store.ts'
import {
  type Check,
  createKeyNamer,
  formatConsume,
  formatMixed,
  getPolicy,
  groupChecks,
  resolveChecks,
} from './redis-check.ts'
import { type Script, scriptBuilder } from './redis-script.ts'
import { rejectedKeys } from './rejected-keys.ts'

export type { RedisClient, RedisSend } from '../../../internal/redis-client.ts'

/** Options for `redisStore()`. */
export interface RedisStoreOptions {
  /** Prefix of all keys. @defaultValue 'rl:' */
  prefix?: string
  /**
   * Whether the client is one of Redis Cluster: keys of different slots go in separate calls.
   * @defaultValue false
   */
  cluster?: boolean
  /**
   * Maximum time to reject a rejected key without another call, in milliseconds. A `reset` or
   * `refund` in another process takes effect that much later. `0` always calls Redis.
   * @defaultValue 1000
   */
  cacheRefusedMs?: number
  /**
   * Returns the current time in milliseconds since 1970, for tests. @defaultValue the clock of the
   * server
   */
  now?: () => number
}

/**
 * Creates a store in Redis or Valkey, for any number of processes. Accepts a client of node-redis,
 * ioredis, iovalkey or valkey-glide, or a function that sends a command. All checks of one turn of
 * the event loop go in one script call.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): RateLimitStore {
  assertKnownOptions('ratelimit: redisStore', options, ['prefix', 'cluster', 'cacheRefusedMs', 'now'])
  assertTypes('ratelimit: redisStore', options, { prefix: 'string', cluster: 'boolean', now: 'function' })
  const { prefix = 'rl:', cluster = false, cacheRefusedMs = 1000, now } = options
  assertInteger('ratelimit: redisStore', 'cacheRefusedMs', cacheRefusedMs)
  const localNow = now ?? (() => performance.now())
  const rejected = rejectedKeys(cacheRefusedMs)
  const send = toRedisSend('ratelimit: redisStore', client)
  const runScript = createRunScript(send, prefix, now)
  const run = batch(async (checks) => {
    const reply = await runScript(checks)
    const time = localNow()
    resolveChecks(checks, reply, ({ action, charges }, outcomes) => {
      if (action === 'consume') rejected.add(charges, outcomes[0], time)
      else rejected.delete(charges)
    })
  }, cluster)
  const change = (
    action: 'adjust' | 'block' | 'reset',
    charges: readonly Charge[],
  ): Promise<readonly LimitResult[]> => {
    rejected.delete(charges)
    return run(action, charges)
  }
  return {
    consume(charges) {
      // Most of the time none is cached, and the clock need not be read.
      const cached = rejected.isEmpty ? undefined : rejected.find(charges, localNow())
      return cached ? [cached] : run('consume', charges)
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

/** Creates a function that runs checks which one script call can handle, and returns the reply. */
function createRunScript(
  send: RedisSend,
  prefix: string,
  now: (() => number) | undefined,
): (checks: readonly Check[]) => Promise<unknown> {
  const scripts = scriptBuilder()
  const toName = createKeyNamer(prefix)
  return (checks) => {
    const policy = checks[0] && getPolicy(checks[0])
    const names: string[] = []
    for (const { charges } of checks) for (const charge of charges) names.push(toName(charge))
    const script = policy
      ? scripts.consume(policy.algorithm)
      : scripts.mixed(checks.flatMap(({ charges }) => charges.map((charge) => charge.policy.algorithm)))
    const args = policy ? formatConsume(checks, policy) : formatMixed(checks)
    return evaluate(send, script, [String(names.length), ...names, now ? String(now()) : '', ...args])
  }
}

/**
 * Sends the text of a script only if the server does not have it: EVAL stores it, also on the node
 * of a cluster.
 */
async function evaluate(send: RedisSend, { text, sha }: Script, rest: readonly string[]): Promise<unknown> {
  try {
    return await send(['EVALSHA', sha, ...rest])
  } catch (error) {
    if (!isMissingScript(error)) throw error
    return send(['EVAL', text, ...rest])
  }
}

/**
 * Batches checks. While a call is in flight, all checks of one turn of the event loop are sent
 * together, from any number of sockets. Otherwise a check is sent immediately.
 */
function batch(runChecks: (checks: readonly Check[]) => Promise<void>, cluster: boolean) {
  let queue: Check[] = []
  let inFlight = 0
  const run = async (checks: readonly Check[]): Promise<void> => {
    inFlight++
    try {
      await runChecks(checks)
    } catch (error) {
      for (const check of checks) check.reject(error)
    }
    inFlight--
  }
  const flush = (): void => {
    const checks = queue
    queue = []
    for (const group of groupChecks(checks, cluster)) void run(group)
  }
  return (action: Check['action'], charges: readonly Charge[]): Promise<readonly LimitResult[]> =>
    new Promise((resolve, reject) => {
      if (queue.length === 0) (inFlight > 0 ? setImmediate : process.nextTick)(flush)
      queue.push({ action, charges, resolve, reject })
    })
}
