import {
  assertInteger,
  assertKnownOptions,
  assertOneOf,
  assertTypes,
  createArgumentError,
} from '../../internal/options.ts'
import type { IdempotencyEvent } from './events.ts'
import type { IdempotencyStore, TransactionalStore } from './store.ts'
import { memoryStore } from './stores/memory.ts'
import { createWarn, type Warn, type WarningOptions } from './warnings.ts'

/** Policy if the store fails: run unprotected, reject with 503, or keep keys in this process. */
export type OnStoreError = 'allow' | 'reject' | 'local'

/**
 * Options for `idempotencyEngine()`, and part of those for `idempotency()`: the store of keys, and
 * their lifetime.
 */
export interface EngineOptions {
  /**
   * Store of the keys. Routes that share a store detect a key that is used on two of them.
   * @defaultValue memoryStore(), for one process
   */
  store?: IdempotencyStore
  /** Lifetime of a stored response, in seconds. @defaultValue 86400 */
  ttlSeconds?: number
  /**
   * Time after which a key is unlocked if its process is gone, in milliseconds. A running process
   * renews it after every third of this time. @defaultValue 30000
   */
  leaseMs?: number
  /**
   * Maximum time for which the lease of one attempt is renewed, in milliseconds.
   * @defaultValue 600000
   */
  maxRunMs?: number
  /**
   * Policy for a key whose lease has expired: run the next attempt, or reject every attempt.
   * @defaultValue 'retry'
   */
  onLeaseExpired?: 'retry' | 'reject'
  /**
   * Whether the work runs in a transaction of the store, which commits key, response and effects
   * together.
   * @defaultValue false
   */
  transaction?: boolean
  /** Maximum time to wait for the store, in milliseconds. @defaultValue 2000 */
  storeTimeoutMs?: number
  /**
   * Policy if the store fails: reject (`'reject'`), run the work unprotected (`'allow'`), or keep
   * keys in this process (`'local'`). @defaultValue 'reject'
   */
  onStoreError?: OnStoreError
  /**
   * Called with each event, for metrics and audits. It cannot change the result; an error it throws
   * is reported and ignored.
   */
  onEvent?: (event: IdempotencyEvent) => void
  /** Warnings to show: all, none, or by code. @defaultValue all */
  warnings?: WarningOptions
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/** Maximum time of a timer, in milliseconds: a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

export const ENGINE_OPTIONS = [
  'store',
  'ttlSeconds',
  'leaseMs',
  'maxRunMs',
  'onLeaseExpired',
  'transaction',
  'storeTimeoutMs',
  'onStoreError',
  'onEvent',
  'warnings',
  'now',
] as const

export interface EngineSettings {
  store: IdempotencyStore
  /**
   * Returns the store if it has transactions; otherwise throws a `TypeError` that names `what`
   * needs one.
   */
  transactions: (what: string) => TransactionalStore
  transaction: boolean
  ttlMs: number
  leaseMs: number
  heartbeatMs: number
  maxBeats: number
  onLeaseExpired: 'retry' | 'reject'
  storeTimeoutMs: number
  onStoreError: OnStoreError
  onEvent: EngineOptions['onEvent']
  warn: Warn
  now: () => number
}

/** Checks the options of the engine. Throws a `TypeError` that names the option and its value. */
export function resolveEngineOptions(owner: string, options: EngineOptions): EngineSettings {
  assertKnownOptions(owner, options, ENGINE_OPTIONS)
  assertTypes(owner, options, { now: 'function', onEvent: 'function', transaction: 'boolean' })
  const { now = Date.now, store = memoryStore({ now }), ttlSeconds = 86_400, leaseMs = 30_000 } = options
  const { maxRunMs = 600_000, onLeaseExpired = 'retry', transaction = false, storeTimeoutMs = 2000 } = options
  const { onStoreError = 'reject', onEvent } = options
  for (const [name, value] of Object.entries({ ttlSeconds, maxRunMs })) assertInteger(owner, name, value, { min: 1 })
  for (const [name, value] of Object.entries({ leaseMs, storeTimeoutMs }))
    assertInteger(owner, name, value, { min: 1, max: MAX_TIMER_MS })
  assertOneOf(owner, 'onLeaseExpired', onLeaseExpired, ['retry', 'reject'])
  assertOneOf(owner, 'onStoreError', onStoreError, ['allow', 'reject', 'local'])
  if (typeof store !== 'object' || store === null || typeof store.acquire !== 'function')
    throw createArgumentError(owner, 'store', 'an IdempotencyStore such as memoryStore()', store)
  const transactional = isTransactional(store) ? store : undefined
  const transactions = (what: string): TransactionalStore => {
    if (transactional) return transactional
    throw new TypeError(`${owner}: ${what} needs a store with transactions, such as postgresStore(pool)`)
  }
  if (transaction) transactions('transaction')
  const heartbeatMs = Math.ceil(leaseMs / 3)
  return {
    store,
    transactions,
    transaction,
    onLeaseExpired,
    onStoreError,
    onEvent,
    warn: createWarn(options.warnings),
    now,
    ttlMs: ttlSeconds * 1000,
    leaseMs,
    heartbeatMs,
    maxBeats: Math.ceil(maxRunMs / heartbeatMs),
    storeTimeoutMs,
  }
}

function isTransactional(store: IdempotencyStore): store is TransactionalStore {
  return typeof store.within === 'function' && typeof store.open === 'function'
}
