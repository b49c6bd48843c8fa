import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import type { IdempotencyStore, TransactionalStore } from './store.ts'
import { memory } from './stores/memory.ts'

/** What the engine, `once` and the middleware have in common: where keys are kept, and for how long. */
export interface EngineOptions {
  /**
   * Where keys are kept. Give several routes one store, and a key that is used on two of them is found out.
   * @defaultValue memory(), for one process
   */
  store?: IdempotencyStore
  /** How long an answer is kept, in seconds. @defaultValue 86400 */
  ttlSeconds?: number
  /**
   * How long an owner that went silent keeps its key, in milliseconds; it is renewed three times as often.
   * @defaultValue 30000
   */
  leaseMs?: number
  /**
   * How long the lease of one attempt is renewed at most, in seconds: work that never ends must not keep its key.
   * @defaultValue 600
   */
  maxRunSeconds?: number
  /**
   * What happens to a key whose owner went silent: the next attempt runs, or every attempt is refused. @defaultValue
   * 'retry'
   */
  orphan?: 'retry' | 'reject'
  /**
   * Whether the work runs in a transaction of the store, in which key, answer and effect are committed together.
   * @defaultValue false
   */
  transaction?: boolean
  /** How long the store may take to answer, in milliseconds. @defaultValue 2000 */
  storeTimeoutMs?: number
}

export const ENGINE_OPTIONS = [
  'store',
  'ttlSeconds',
  'leaseMs',
  'maxRunSeconds',
  'orphan',
  'transaction',
  'storeTimeoutMs',
] as const

export interface EngineSettings {
  store: IdempotencyStore
  /** The store, where it has transactions; else throws a TypeError that says who asked for one. */
  transactions: (what: string) => TransactionalStore
  transaction: boolean
  ttlMs: number
  leaseMs: number
  heartbeatMs: number
  maxBeats: number
  orphan: 'retry' | 'reject'
  storeTimeoutMs: number
}

/** Reads the options of the engine. Throws a TypeError that names the option and its value. */
export function readEngineOptions(owner: string, options: EngineOptions): EngineSettings {
  assertKnownOptions(owner, options, ENGINE_OPTIONS)
  const { store = memory(), ttlSeconds = 86_400, leaseMs = 30_000, maxRunSeconds = 600 } = options
  const { orphan = 'retry', transaction = false, storeTimeoutMs = 2000 } = options
  for (const [name, value] of Object.entries({ ttlSeconds, leaseMs, maxRunSeconds, storeTimeoutMs }))
    requirePositive(owner, name, value)
  requireOneOf(owner, 'orphan', orphan, ['retry', 'reject'])
  requireOneOf(owner, 'transaction', transaction, [true, false])
  if (typeof store !== 'object' || store === null || typeof store.acquire !== 'function')
    throw new TypeError(`${owner}: store must be a store such as memory() or redis(client), got ${inspectValue(store)}`)
  const transactions = (what: string): TransactionalStore => {
    if (isTransactional(store)) return store
    throw new TypeError(`${owner}: ${what} needs a store with transactions, such as postgres(pool) or sqlite(database)`)
  }
  if (transaction) transactions('transaction')
  const heartbeatMs = Math.ceil(leaseMs / 3)
  const maxBeats = Math.ceil((maxRunSeconds * 1000) / heartbeatMs)
  const times = { ttlMs: ttlSeconds * 1000, leaseMs, heartbeatMs, maxBeats, storeTimeoutMs }
  return { store, transactions, transaction, orphan, ...times }
}

/** Refuses a value that is no positive integer. */
export function requirePositive(owner: string, name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return
  throw new TypeError(`${owner}: ${name} must be a positive integer, got ${inspectValue(value)}`)
}

/** Refuses a value that is none of those that an option takes. */
export function requireOneOf(owner: string, name: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return
  throw new TypeError(
    `${owner}: ${name} must be one of ${choices.map(inspectValue).join(', ')}, got ${inspectValue(value)}`,
  )
}

function isTransactional(store: IdempotencyStore): store is TransactionalStore {
  return typeof store.within === 'function' && typeof store.open === 'function'
}
