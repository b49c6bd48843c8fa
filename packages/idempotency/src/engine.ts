import { randomBytes } from 'node:crypto'
import { type Begun, begunWithout } from './begun.ts'
import { type Awaitable, chain, orElse } from './chain.ts'
import { type Entered, enterStore, enterTransaction, openTransaction } from './enter.ts'
import { publish } from './events.ts'
import { heartbeat } from './heartbeat.ts'
import { lease } from './lease.ts'
import { type Attempt, type OnceOptions, once } from './once.ts'
import { type EngineOptions, type EngineSettings, readEngineOptions } from './options.ts'
import { storeDown } from './refusals.ts'
import type { Claim } from './state.ts'
import { idOf, type KeyName } from './storage-id.ts'
import type { KeyStatus } from './store.ts'
import { withTimeout } from './timeout.ts'
import type { Executor } from './transaction.ts'
import { type Waiting, waiting } from './waiting.ts'

/** What an engine must know of a request before its work begins. */
export interface BeginInput extends KeyName {
  /** What makes two requests the same, as `fingerprintOf` gives it. */
  fingerprint: string
  /**
   * How long to wait for the answer of a request that is being worked on, in milliseconds. Inside a transaction of the
   * caller's PostgreSQL waits, and holds the connection meanwhile; SQLite does not. @defaultValue 0
   */
  waitMs?: number
}

/** Idempotency without a tap: for a service that owns the end of its responses, for jobs, and for administration. */
export interface Idempotency {
  /**
   * Asks what is to be done about a request: its work, an answer that is there already, or a refusal. Answers in the same
   * tick where the store does, and is refused where the store fails. With `tx`, a transaction of the caller's, key and effect are
   * committed together: `lease.complete`, then commit; where that throws, roll back. Throws a TypeError where the store
   * has no transactions.
   */
  begin(input: BeginInput, tx?: Executor): Awaitable<Begun>
  /** Runs a job once: its result, a JSON value, is kept and given to every later call with the key. */
  once<T>(key: string, input: unknown, work: (attempt: Attempt) => Awaitable<T>, options?: OnceOptions): Promise<T>
  /** What is known of a key. */
  inspect(name: KeyName): Awaitable<KeyStatus | undefined>
  /** Some keys of the store, at most `limit`. @defaultValue 100 */
  list(limit?: number): Awaitable<KeyStatus[]>
  /** Forgets a key: the next request with it runs. */
  evict(name: KeyName): Awaitable<boolean>
}

/** Makes the engine behind `idempotent()`. Throws a TypeError on options that cannot work. */
export function idempotency(options: EngineOptions = {}): Idempotency {
  const settings = readEngineOptions('idempotency', options)
  const { store, storeTimeoutMs } = settings
  const inTime = <T>(value: Awaitable<T>): Awaitable<T> => withTimeout(value, storeTimeoutMs)
  const here = waiting()
  const enter = entrance(settings, here)
  const begin: Idempotency['begin'] = ({ scope, key, fingerprint, waitMs = 0 }, tx) => {
    const mayWait = !tx || settings.transactions('a transaction').within(tx).canWait !== false
    const id = idOf({ scope, key })
    const look = (): Awaitable<Begun> =>
      orElse(
        () => enter(id, fingerprint, tx),
        (cause) => {
          publish({ type: 'failed', id, error: cause })
          return { outcome: 'refused', failure: storeDown(cause) }
        },
      )
    return waitMs > 0 && mayWait ? here.lookUntil(id, waitMs, look) : look()
  }
  return {
    begin,
    once: once(begin),
    inspect: (name) => inTime(store.inspect(idOf(name))),
    list: (limit = 100) => inTime(store.list(limit)),
    evict: (name) => inTime(store.evict(idOf(name))),
  }
}

type Enter = (id: string, fingerprint: string, tx: Executor | undefined) => Awaitable<Begun>

function entrance(settings: EngineSettings, here: Waiting): Enter {
  const { store, transactions, transaction, ttlMs, leaseMs, orphan, storeTimeoutMs } = settings
  const leases = leasing(settings, here)
  const owners = randomBytes(9).toString('base64url')
  let attempts = 0
  return (id, fingerprint, tx) => {
    attempts++
    const claim: Claim = { fingerprint, owner: `${owners}.${attempts}`, leaseMs, ttlMs, orphan }
    if (tx)
      return chain(enterTransaction(transactions('a transaction'), id, claim, tx), (entered) => leases(id, entered))
    if (!transaction) return chain(enterStore(store, id, claim, storeTimeoutMs), (entered) => leases(id, entered))
    // A duplicate of work that this process is busy with needs no connection to be told so.
    if (here.isHere(id)) return leases(id, { acquired: { outcome: 'busy', leaseLeftMs: leaseMs } })
    here.began(id)
    const opened = orElse(
      () => openTransaction(transactions('transaction'), id, claim, storeTimeoutMs),
      (error) => {
        here.ended(id)
        throw error
      },
    )
    return chain(opened, (entered) => {
      if (!entered.hold) here.ended(id)
      return leases(id, entered)
    })
  }
}

function leasing({ heartbeatMs, maxBeats, storeTimeoutMs }: EngineSettings, here: Waiting) {
  const beats = heartbeat(heartbeatMs)
  return (id: string, { acquired, hold }: Entered): Begun => {
    if (hold) {
      const { generation, checkpoints } = acquired
      publish({ type: generation === 1 ? 'run' : 'takeover', id, generation })
      const parts = { id, generation, checkpoints, hold, heartbeat: beats, maxBeats, timeoutMs: storeTimeoutMs }
      // Nobody tells when a caller's transaction was rolled back: nothing must wait for it here.
      if (hold.isForeign) return { outcome: 'new', lease: lease({ ...parts, onEnd: () => {} }) }
      here.began(id)
      return { outcome: 'new', lease: lease({ ...parts, onEnd: () => here.ended(id) }) }
    }
    const begun = begunWithout(acquired)
    publish(begun.outcome === 'replay' ? { type: 'replay', id } : { type: 'refused', id, code: begun.failure.code })
    return begun
  }
}
