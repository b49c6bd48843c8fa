import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { Lease } from './lease.ts'
import { inProgress, keyReused, outcomeUnknown, responseTooLarge } from './refusals.ts'
import { type StoredResponse, unpackResponse } from './response.ts'
import type { Acquired } from './state.ts'

/**
 * What is to be done about a request: the work (`new`), whose lease is to be ended with its answer; or the kept answer
 * is given, which was still being made when the request came if it `waited`; or the request is refused.
 */
export type Begun =
  | { outcome: 'new'; lease: Lease }
  | { outcome: 'replay'; response: ReplayedResponse; waited: boolean }
  | { outcome: 'refused'; failure: HttpErrorLike }

/** A kept answer, with its body. */
export interface ReplayedResponse extends StoredResponse {
  /** The bytes that the first answer had. */
  body: Uint8Array
}

/** What is to be done where the key was not to be had. */
export function begunWithout(acquired: Exclude<Acquired, { outcome: 'new' }>): Exclude<Begun, { outcome: 'new' }> {
  if (acquired.outcome === 'done') return replayOf(acquired.answer)
  return { outcome: 'refused', failure: refusalOf(acquired) }
}

/** Whether it is worth while to wait. */
export function isInProgress(begun: Begun): boolean {
  return begun.outcome === 'refused' && begun.failure.code === 'ERR_IDEMPOTENCY_IN_PROGRESS'
}

function replayOf(answer: string): Exclude<Begun, { outcome: 'new' }> {
  const { status, fields, body } = unpackResponse(answer)
  if (body) return { outcome: 'replay', response: { status, fields, body }, waited: false }
  const location = fields.find(([name]) => name === 'Location')?.[1]
  return { outcome: 'refused', failure: responseTooLarge(typeof location === 'string' ? location : undefined) }
}

function refusalOf(acquired: Exclude<Acquired, { outcome: 'new' | 'done' }>): HttpErrorLike {
  if (acquired.outcome === 'busy') return inProgress()
  return acquired.outcome === 'orphan' ? outcomeUnknown() : keyReused()
}
