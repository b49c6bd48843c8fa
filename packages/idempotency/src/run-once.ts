import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { createFingerprint } from './fingerprint.ts'
import type { JobContext, Run } from './run.ts'

/** Options for `runOnce()`. */
export interface RunOnceOptions {
  /** Keys of two scopes are two keys. @defaultValue 'once' */
  scope?: string
  /** Maximum time to wait for a call in progress, in milliseconds. @defaultValue 0 */
  maxWaitMs?: number
}

/** Runs a job once: `input` is what makes two calls equal. */
export type RunOnce = <T>(
  key: string,
  input: unknown,
  work: (context: JobContext) => MaybePromise<T>,
  options?: RunOnceOptions,
) => Promise<T>

/**
 * Creates the function that runs a job once. It rejects if the job is in progress elsewhere, if the
 * key belongs to another input, and if the store fails; and with the error of the work, which
 * releases the key.
 */
export function createRunOnce(run: Run): RunOnce {
  return async (key, input, work, { scope = 'once', maxWaitMs = 0 } = {}) => {
    const body = JSON.stringify(input) ?? ''
    const fingerprint = createFingerprint({ method: 'once', target: '', contentType: 'application/json', body })
    const { value } = await run({ scope, key, fingerprint, maxWaitMs }, work)
    return value
  }
}
