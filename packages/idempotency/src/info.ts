import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { requestFact } from '../../internal/request-fact.ts'

/** The key of a request, and decisions of its handler. */
export interface IdempotencyInfo {
  /** The key as the client sent it, without quotes. */
  readonly key: string
  /** Number of the attempt, from 1; each takeover adds one. */
  readonly attempt: number
  /**
   * Whether the response is a stored one. Handlers never see `true`; middleware before this one
   * may.
   */
  readonly replayed: boolean
  /**
   * With `transaction: true`, the client of the driver: its writes are committed together with the
   * response.
   */
  readonly transaction: unknown
  /**
   * Takes a step outside of the database once over all attempts, and stores its result, a JSON
   * value.
   */
  checkpoint<T>(name: string, take: () => MaybePromise<T>): Promise<T>
  /** Stores the response regardless of its status, and commits what was written. */
  commit(): void
  /**
   * Does not store the response, and rolls back what was written: a retry runs again, from the last
   * checkpoint.
   */
  release(): void
}

const infos = requestFact<IdempotencyInfo>(Symbol.for('svc.idempotency'))

/** Info about a request whose response is a stored one, without its key. */
export const REPLAY_INFO: Omit<IdempotencyInfo, 'key'> = {
  attempt: 0,
  replayed: true,
  transaction: undefined,
  checkpoint: () => Promise.reject(new Error('idempotency: a replay has no checkpoints')),
  commit: () => {},
  release: () => {},
}

/**
 * Returns the key of a request and decisions for its handler; `undefined` if it has no key, or did
 * not pass the middleware.
 */
export function idempotencyOf(req: object): IdempotencyInfo | undefined {
  return infos.get(req)
}

/** Sets the info about the key of a request. */
export function setInfo(req: object, info: IdempotencyInfo): void {
  infos.set(req, info)
}
