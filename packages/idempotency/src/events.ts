import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'
import { callSafely } from '../../internal/guard.ts'
import { leaseLost } from './errors.ts'
import { type Warn, warnHookFailed } from './warnings.ts'

/**
 * Passed to `onEvent`, published on the diagnostics channel `svc:idempotency:event`, and written to
 * stderr with `NODE_DEBUG=svc:idempotency`.
 */
export interface IdempotencyEvent {
  /**
   * `run`, `takeover`: the work starts, for the first time or after an attempt without a response.
   * `replay`: a stored response is returned. `refused`: see `code`. `stored`, `released`: the work
   * ended, and its response is stored or not. `lost`: it ended after another attempt took over.
   * `failed`: the store failed. `unprotected`, `local`: therefore the work runs without a key, or
   * with one of this process.
   */
  type: 'run' | 'takeover' | 'replay' | 'refused' | 'stored' | 'released' | 'lost' | 'failed' | 'unprotected' | 'local'
  /** The stored key: a hash of scope and key. */
  id: string
  /** Number of the attempt, from 1; absent if no work started. */
  attempt?: number
  /** Code of the error. */
  code?: string
  /** The error of the store. */
  error?: unknown
}

/** Publishes an event. */
export type Publish = (event: IdempotencyEvent) => void

const events = channel('svc:idempotency:event')
const log = debuglog('svc:idempotency')

/** Creates the function that publishes events, and calls the hook of the options. */
export function createPublish(onEvent: ((event: IdempotencyEvent) => void) | undefined, warn: Warn): Publish {
  const reportHook = (error: unknown): void => warnHookFailed(warn, 'onEvent', error, 'The request is not affected.')
  return (event) => {
    if (onEvent) callSafely<unknown>(() => onEvent(event), ignore, reportHook)
    if (events.hasSubscribers) events.publish(event)
    if (log.enabled) log('%s %s', event.type, describe(event))
  }
}

/** Publishes that the response is stored. Throws if another attempt took over. */
export function publishStored(isHeld: boolean, id: string, attempt: number, publish: Publish): void {
  if (isHeld) return publish({ type: 'stored', id, attempt })
  const error = leaseLost()
  publish({ type: 'lost', id, attempt, error })
  throw error
}

function describe({ id, attempt, code, error }: IdempotencyEvent): string {
  const details = [attempt && `attempt ${attempt}`, code, error instanceof Error && error.message]
  return [id.slice(0, 12), ...details.filter(Boolean)].join(' ')
}

function ignore(): void {}
