import { requestFact } from '../../internal/request-fact.ts'
import type { Awaitable } from './chain.ts'

/** What a handler learns and decides about the key of its request. */
export interface IdempotencyFact {
  /** The key as the client sent it, without quotes. */
  readonly key: string
  /** 1 for the first attempt, one more for each that took over after one without an answer. */
  readonly generation: number
  /** Whether the answer is a kept one; handlers never see `true`, what stands before them may. */
  readonly replayed: boolean
  /** With `transaction: true`, the driver's client: what is written with it is committed together with the answer. */
  readonly transaction: unknown
  /** Takes a step outside of the database once over all attempts, and keeps its result, a JSON value. */
  checkpoint<T>(name: string, take: () => Awaitable<T>): Promise<T>
  /** Keeps the answer whatever its status is, and commits what was written. */
  commit(): void
  /** Does not keep the answer, and rolls back what was written: a retry runs again, from the last checkpoint on. */
  release(): void
}

const facts = requestFact<IdempotencyFact>('idempotency')

/** What is known about the key of a request; `undefined` where it has none, or nothing looked. */
export function idempotencyOf(req: object): IdempotencyFact | undefined {
  return facts.get(req)
}

/** Tells a request about its key. */
export function setFact(req: object, value: IdempotencyFact): void {
  facts.set(req, value)
}
