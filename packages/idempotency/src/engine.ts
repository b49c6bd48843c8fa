import { hash, randomBytes } from 'node:crypto'
import type { Failure } from '../../internal/failure.ts'
import { isPromise } from '../../internal/guard.ts'
import { type Awaitable, chain } from './chain.ts'
import { heartbeat } from './heartbeat.ts'
import { type Lease, lease } from './lease.ts'
import { type EngineOptions, readEngineOptions } from './options.ts'
import { inProgress, keyReused, outcomeUnknown, responseTooLarge, storeDown } from './refusals.ts'
import { type StoredResponse, unpackResponse } from './response.ts'
import type { Acquired } from './state.ts'
import type { KeyStatus } from './store.ts'

export interface KeyName {
  /** Whose key it is: equal keys of two principals are two keys. */
  scope: string
  key: string
}

export interface BeginInput extends KeyName {
  /** What makes two requests the same, as `fingerprintOf` gives it. */
  fingerprint: string
}

export type Begun =
  | { outcome: 'new'; lease: Lease }
  | { outcome: 'replay'; response: StoredResponse & { body: Uint8Array } }
  | { outcome: 'refused'; failure: Failure }

export interface Idempotency {
  /** Asks what is to be done about a request: its work, an answer that is there already, or a refusal. */
  begin(input: BeginInput): Awaitable<Begun>
  /** What is known of a key. */
  inspect(name: KeyName): Awaitable<KeyStatus | undefined>
  /** Forgets a key: the next request with it runs. */
  evict(name: KeyName): Awaitable<boolean>
}

/**
 * The engine behind `idempotent()`, for a service that owns the end of its responses, and for jobs. It answers in the
 * same tick where its store does.
 */
export function idempotency(options: EngineOptions = {}): Idempotency {
  const { store, ttlMs, leaseMs, heartbeatMs, maxBeats, orphan } = readEngineOptions('idempotency', options)
  const beats = heartbeat(heartbeatMs)
  const attempts = randomBytes(9).toString('base64url')
  let attempt = 0

  const begun = (id: string, owner: string, acquired: Acquired): Begun => {
    if (acquired.outcome === 'new') {
      const { generation, checkpoints } = acquired
      const parts = { id, owner, generation, checkpoints, store, leaseMs, ttlMs, heartbeat: beats, maxBeats }
      return { outcome: 'new', lease: lease({ ...parts, onEnd: () => {} }) }
    }
    return acquired.outcome === 'done'
      ? replayOf(acquired.answer)
      : { outcome: 'refused', failure: refusalOf(acquired) }
  }
  return {
    begin({ scope, key, fingerprint }) {
      const id = idOf(scope, key)
      attempt++
      const owner = attempts + attempt.toString(36)
      const down = (cause: unknown): Begun => ({ outcome: 'refused', failure: storeDown(cause) })
      try {
        const acquired = store.acquire(id, { fingerprint, owner, leaseMs, ttlMs, orphan })
        const next = chain(acquired, (value) => begun(id, owner, value))
        return isPromise(next) ? next.then(undefined, down) : next
      } catch (cause) {
        return down(cause)
      }
    },
    inspect: ({ scope, key }) => store.inspect(idOf(scope, key)),
    evict: ({ scope, key }) => store.evict(idOf(scope, key)),
  }
}

function idOf(scope: string, key: string): string {
  return hash('sha256', `${scope.length}\n${scope}${key}`, 'base64url')
}

function replayOf(answer: string): Begun {
  const { status, fields, body } = unpackResponse(answer)
  if (body) return { outcome: 'replay', response: { status, fields, body } }
  const location = fields.find(([name]) => name === 'Location')?.[1]
  return { outcome: 'refused', failure: responseTooLarge(typeof location === 'string' ? location : undefined) }
}

function refusalOf(acquired: Exclude<Acquired, { outcome: 'new' | 'done' }>): Failure {
  if (acquired.outcome === 'busy') return inProgress(acquired.leaseLeftMs)
  return acquired.outcome === 'orphan' ? outcomeUnknown() : keyReused()
}
