import type { Begun } from './begun.ts'
import { type Awaitable, orElse } from './chain.ts'
import type { BeginInput } from './engine.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Lease } from './lease.ts'

/** What the work of a job may use. */
export type Attempt = Pick<Lease, 'generation' | 'transaction' | 'checkpoint'>

/** How one call of `once` is named, and how long it waits for another. */
export interface OnceOptions {
  /** Keys of two scopes are two keys. @defaultValue 'once' */
  scope?: string
  /** How long to wait for the result of a call that is at work, in milliseconds. @defaultValue 0 */
  waitMs?: number
}

/**
 * Makes the function that runs a job once. It rejects with a failure where the job is at work elsewhere, where the key
 * belongs to another input, and where the store does not answer; and with the error of the work, which releases the key.
 */
export function once(begin: (input: BeginInput) => Awaitable<Begun>) {
  return async <T>(
    key: string,
    input: unknown,
    work: (attempt: Attempt) => Awaitable<T>,
    { scope = 'once', waitMs = 0 }: OnceOptions = {},
  ): Promise<T> => {
    const body = JSON.stringify(input) ?? ''
    const fingerprint = fingerprintOf({ method: 'once', target: '', contentType: 'application/json', body })
    const begun = await begin({ scope, key, fingerprint, waitMs })
    if (begun.outcome === 'refused') throw begun.failure
    if (begun.outcome === 'replay') return JSON.parse(Buffer.from(begun.response.body).toString()) as T
    const { lease } = begun
    try {
      const result = await work(lease)
      await lease.complete({ status: 200, fields: [], body: Buffer.from(JSON.stringify(result ?? null)) })
      return result
    } catch (error) {
      await orElse(lease.release, () => {})
      throw error
    }
  }
}
