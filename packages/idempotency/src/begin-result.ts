import type { HttpErrorLike } from '../../internal/http-error.ts'
import { inProgress, keyReused, outcomeUnknown, responseTooLarge } from './errors.ts'
import type { Publish } from './events.ts'
import type { ScopedKey } from './key.ts'
import type { Lease } from './lease.ts'
import type { OnStoreError } from './options.ts'
import { type StoredResponse, unpackResponse } from './response.ts'
import type { AcquireResult } from './state.ts'

/** Input of `run` and `begin`. */
export interface BeginInput extends ScopedKey {
  /** Fingerprint of the request, as `createFingerprint` returns it. */
  fingerprint: string
  /**
   * Maximum time to wait for a request in progress, in milliseconds. Inside a transaction of the
   * caller, PostgreSQL waits and holds the connection; SQLite does not wait. @defaultValue 0
   */
  maxWaitMs?: number
  /** Policy if the store fails. @defaultValue the option of the engine */
  onStoreError?: OnStoreError
}

/**
 * Next step for a request. `new`: the work; end its lease with the response. `replay`: return
 * the stored response; `waited` if it was not there when the request arrived. `refused`: respond
 * with the error.
 */
export type BeginResult =
  | { outcome: 'new'; lease: Lease }
  | { outcome: 'replay'; response: ReplayedResponse; waited: boolean }
  | { outcome: 'refused'; error: HttpErrorLike }

/** A stored response with its body. */
export interface ReplayedResponse extends StoredResponse {
  /** The bytes of the first response. */
  body: Uint8Array
}

/** A result without work. */
export type EndResult = Exclude<BeginResult, { outcome: 'new' }>

/** Publishes that a key was not acquired, and returns what to do. */
export function publishResult(
  id: string,
  acquired: Exclude<AcquireResult, { outcome: 'new' }>,
  publish: Publish,
): BeginResult {
  const result = acquired.outcome === 'done' ? toReplay(acquired.response) : toRefusal(acquired.outcome)
  publish(result.outcome === 'refused' ? { type: 'refused', id, code: result.error.code } : { type: 'replay', id })
  return result
}

/** Whether waiting can change the result. */
export function isInProgress(result: BeginResult): boolean {
  return result.outcome === 'refused' && result.error.code === 'ERR_IDEMPOTENCY_IN_PROGRESS'
}

function toReplay(packed: string): EndResult {
  const { status, headers, body } = unpackResponse(packed)
  if (body) return { outcome: 'replay', response: { status, headers, body }, waited: false }
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  return { outcome: 'refused', error: responseTooLarge(typeof location === 'string' ? location : undefined) }
}

function toRefusal(outcome: Exclude<AcquireResult['outcome'], 'new' | 'done'>): EndResult {
  const error = outcome === 'busy' ? inProgress() : outcome === 'orphan' ? outcomeUnknown() : keyReused()
  return { outcome: 'refused', error }
}
