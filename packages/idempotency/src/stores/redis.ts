import { createHash } from 'node:crypto'
import { assertKnownOptions, assertTypes } from '../../../internal/options.ts'
import { isMissingScript, type RedisClient, type RedisSend, toRedisSend } from '../../../internal/redis-client.ts'
import type { AcquireResult, KeyEntry } from '../state.ts'
import type { IdempotencyStore, KeyStatus } from '../store.ts'
import { ACQUIRE, CHECKPOINT, COMPLETE, INSPECT, RELEASE, RENEW, type Script } from './redis-scripts.ts'

export type { RedisClient, RedisSend } from '../../../internal/redis-client.ts'

/** Options for `redisStore()`. */
export interface RedisStoreOptions {
  /** Prefix of all keys. @defaultValue 'idempotency:' */
  prefix?: string
  /**
   * Returns the current time in milliseconds since 1970, for tests. @defaultValue the clock of the
   * server
   */
  now?: () => number
}

/**
 * Creates a store in Redis or Valkey, for any number of processes and as durable as the server.
 * Accepts a client of node-redis, ioredis, iovalkey or valkey-glide, or a function that sends a
 * command. Each step is one script call.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): IdempotencyStore {
  assertKnownOptions('idempotency: redisStore', options, ['prefix', 'now'])
  assertTypes('idempotency: redisStore', options, { prefix: 'string', now: 'function' })
  const { prefix = 'idempotency:', now } = options
  const send = toRedisSend('idempotency: redisStore', client)
  const run = createRun(send)
  const clock = (): string => (now ? String(now()) : '')
  const hasKey = async (script: Script, id: string, ...args: string[]): Promise<boolean> =>
    Number(await run(script, prefix + id, args)) === 1
  const inspect = async (id: string): Promise<KeyStatus | undefined> =>
    toStatus(id, await run(INSPECT, prefix + id, [clock()]))

  return {
    async acquire(id, { fingerprint, owner, leaseMs, ttlMs, onLeaseExpired }) {
      const args = [fingerprint, owner, String(leaseMs), String(ttlMs), onLeaseExpired, clock()]
      return toAcquireResult(await run(ACQUIRE, prefix + id, args))
    },
    renew: (id, owner, leaseMs) => hasKey(RENEW, id, owner, String(leaseMs), clock()),
    checkpoint: (id, owner, checkpoints) => hasKey(CHECKPOINT, id, owner, checkpoints),
    complete: (id, owner, response, ttlMs) => hasKey(COMPLETE, id, owner, response, String(ttlMs), clock()),
    release: (id, owner) => hasKey(RELEASE, id, owner),
    inspect,
    async list(limit) {
      const statuses: KeyStatus[] = []
      let cursor = '0'
      do {
        const page = (await send(['SCAN', cursor, 'MATCH', `${escapeGlob(prefix)}*`, 'COUNT', '100'])) as [
          string,
          string[],
        ]
        cursor = String(page[0])
        const inspected = await Promise.all(page[1].map((key) => inspect(key.slice(prefix.length))))
        statuses.push(...inspected.filter((status) => status !== undefined))
      } while (cursor !== '0' && statuses.length < limit)
      return statuses.slice(0, limit)
    },
    delete: async (id) => Number(await send(['DEL', prefix + id])) === 1,
  }
}

function createRun(send: RedisSend): (script: Script, key: string, args: string[]) => Promise<unknown> {
  const hashes = new Map<Script, string>()
  return async (script, key, args) => {
    const hash = hashes.get(script) ?? createHash('sha1').update(script.text).digest('hex')
    hashes.set(script, hash)
    try {
      return await send(['EVALSHA', hash, '1', key, ...args])
    } catch (error) {
      // A restarted Redis has no scripts.
      if (!isMissingScript(error)) throw error
      return send(['EVAL', script.text, '1', key, ...args])
    }
  }
}

function toAcquireResult(reply: unknown): AcquireResult {
  const [outcome, first, second] = reply as [AcquireResult['outcome'], unknown, unknown]
  if (outcome === 'new') return { outcome, attempt: Number(first), checkpoints: String(second) }
  if (outcome === 'done') return { outcome, response: String(first) }
  return outcome === 'busy' ? { outcome, leaseLeftMs: Number(first) } : { outcome }
}

const STATES: Record<string, KeyEntry['state']> = { L: 'locked', R: 'released', D: 'done' }

function toStatus(id: string, reply: unknown): KeyStatus | undefined {
  if (!Array.isArray(reply)) return undefined
  const [fingerprint, state, leaseUntil, attempt, expiresAt] = reply.map(String)
  return {
    id,
    state: STATES[state ?? ''] ?? 'locked',
    fingerprint: fingerprint ?? '',
    attempt: Number(attempt),
    leaseUntil: Number(leaseUntil),
    expiresAt: Number(expiresAt),
  }
}

function escapeGlob(prefix: string): string {
  return prefix.replace(/[\\*?[\]]/g, '\\$&')
}
