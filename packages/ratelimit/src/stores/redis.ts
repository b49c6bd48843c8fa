import { assertInteger, assertKnownOptions } from '../../../internal/options.ts'
import { isMissingScript, type RedisClient, type RedisSend, toRedisSend } from '../../../internal/redis-client.ts'
import type { LimitResult } from '../algorithm.ts'
import type { Charge, RateLimitStore } from '../store.ts'
import { type Check, deliver, getPolicy, groupChecks, keyNamer, wordsToMix, wordsToTake } from './redis-check.ts'
import { type Script, scriptMaker } from './redis-script.ts'
import { refusedKeys } from './refused-keys.ts'

export type { RedisClient, RedisSend } from '../../../internal/redis-client.ts'

/** Options for `redisStore()`. */
export interface RedisStoreOptions {
  /** Prefix of all keys. @defaultValue 'rl:' */
  prefix?: string
  /** Whether the client is one of Redis Cluster: keys of different slots go in separate calls. @defaultValue false */
  cluster?: boolean
  /**
   * How long a rejected key is rejected without another call, in milliseconds; a `reset` or `refund` in another process
   * takes effect that much later. `0` always calls Redis. @defaultValue 1000
   */
  cacheRefusedMs?: number
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue the clock of the server */
  now?: () => number
}

/**
 * Counts in Redis or Valkey, for any number of processes. Accepts a client of node-redis, ioredis, iovalkey or
 * valkey-glide, or a function that sends a command. All checks of one turn of the event loop go in one script call.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): RateLimitStore {
  assertKnownOptions('ratelimit: redisStore', options, ['prefix', 'cluster', 'cacheRefusedMs', 'now'])
  const { prefix = 'rl:', cluster = false, cacheRefusedMs = 1000, now } = options
  assertInteger('ratelimit: redisStore', 'cacheRefusedMs', cacheRefusedMs)
  const localNow = now ?? (() => performance.now())
  const refused = refusedKeys(cacheRefusedMs)
  const send = toRedisSend('ratelimit: redisStore', client)
  const ask = gather(asker(send, prefix, now), cluster)
  const change = (
    action: 'adjust' | 'block' | 'reset',
    charges: readonly Charge[],
  ): Promise<readonly LimitResult[]> => {
    refused.forget(charges)
    return ask(action, charges)
  }
  return {
    consume(charges) {
      const cached = charges.length === 1 ? refused.recall(charges, localNow()) : undefined
      if (cached) return [cached]
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

/** Sends checks that one call of a script can serve. */
type Ask = (checks: readonly Check[]) => Promise<void>

function asker(send: RedisSend, prefix: string, now: (() => number) | undefined): Ask {
  const scripts = scriptMaker()
  const toName = keyNamer(prefix)
  return async (checks) => {
    const policy = checks[0] && getPolicy(checks[0])
    const charges = checks.flatMap((check) => check.charges)
    const script = policy ? scripts.take(policy.algorithm) : scripts.mixed(charges.map((one) => one.policy.algorithm))
    const words = policy ? wordsToTake(checks, policy) : wordsToMix(checks)
    const time = now ? String(now()) : ''
    deliver(checks, await evaluate(send, script, [String(charges.length), ...charges.map(toName), time, ...words]))
  }
}

/** A server that does not have the script yet gets it once: with EVAL it keeps it, also the node of a cluster. */
async function evaluate(send: RedisSend, { text, sha }: Script, rest: readonly string[]): Promise<unknown> {
  try {
    return await send(['EVALSHA', sha, ...rest])
  } catch (error) {
    if (!isMissingScript(error)) throw error
    return send(['EVAL', text, ...rest])
  }
}

/**
 * Gathers what is asked. While Redis is busy for us, what arrives in one turn of the event loop, from however many
 * sockets, goes together. A request that comes alone goes at once.
 */
function gather(ask: Ask, cluster: boolean) {
  let queue: Check[] = []
  let inFlight = 0
  const run = async (checks: readonly Check[]): Promise<void> => {
    inFlight++
    try {
      await ask(checks)
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
