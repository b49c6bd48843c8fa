import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'

/** What is published on the diagnostics channel `svc:idempotency`, and written to stderr with NODE_DEBUG=svc:idempotency. */
export interface IdempotencyEvent {
  /**
   * `run`, `takeover`: the work begins, for the first time or after an attempt without an answer. `replay`: a kept
   * answer is given. `refused`: see `code`. `kept`, `released`: the work ended, and its answer is kept or not. `lost`: it
   * ended after another attempt took over. `failed`: the store did not answer. `unprotected`: so the work runs without.
   */
  type: 'run' | 'takeover' | 'replay' | 'refused' | 'kept' | 'released' | 'lost' | 'failed' | 'unprotected'
  /** The stored key: a hash of scope and key. */
  id: string
  /** Which attempt it is, counted from 1; absent where no work began. */
  generation?: number
  /** The code of a refusal. */
  code?: string
  /** What the store failed with. */
  error?: unknown
}

const events = channel('svc:idempotency')
const log = debuglog('svc:idempotency')

/** Tells whoever listens. */
export function publish(event: IdempotencyEvent): void {
  if (events.hasSubscribers) events.publish(event)
  if (!log.enabled) return
  const { type, id, generation, code, error } = event
  const details = [generation && `generation ${generation}`, code, error instanceof Error && error.message]
  log('%s %s', type, [id.slice(0, 12), ...details.filter(Boolean)].join(' '))
}
