import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'
import type { RateLimitDecision } from './decision.ts'
import type { OnStoreError } from './guarded-store.ts'

/** Doubts about the surroundings. Each is said once, in one line, and can be switched off. */
export type RateLimitWarning =
  | 'WRN_RATELIMIT_PROXY_UNTRUSTED'
  | 'WRN_RATELIMIT_PROXY_PERMISSIVE'
  | 'WRN_RATELIMIT_NO_ADDRESS'
  | 'WRN_RATELIMIT_TINY_WINDOW'
  | 'WRN_RATELIMIT_STORE_SHARED'
  | 'WRN_RATELIMIT_DOUBLE_COUNT'
  | 'WRN_RATELIMIT_MADE_PER_REQUEST'
  | 'WRN_RATELIMIT_STORE_DOWN'
  | 'WRN_RATELIMIT_STORE_UP'
  | 'WRN_RATELIMIT_SETTLE_FAILED'

/** `false`: none is shown; or which are, `{ WRN_RATELIMIT_STORE_UP: false }`. */
export type Warnings = false | { readonly [Code in RateLimitWarning]?: boolean }

/** Message of the channel `svc:ratelimit:decision` of node:diagnostics_channel. */
export interface DecisionMessage {
  /** What the limiter said. */
  decision: RateLimitDecision
  /** The request, as its host has it. */
  req: object
  /** The response, as its host has it. */
  res: object
}

export interface Diagnose {
  /** Says a doubt, once in the life of the process. */
  doubt(code: RateLimitWarning, message: string): void
  storeDown(error: unknown, policy: OnStoreError): void
  storeUp(afterMs: number): void
  /** `settle` failed, when the response was gone and no error handling could take it. */
  settleFailed(error: unknown): void
  decided(message: DecisionMessage): void
}

const WARNED = Symbol.for('svc.ratelimit.warned')
const POLICIES: Record<OnStoreError, string> = {
  local: 'counting in this process alone',
  open: 'nothing is limited',
  closed: 'everything is refused',
}

/** What the limiter has to say to whoever runs it. */
export function diagnoser(warnings: Warnings | undefined): Diagnose {
  const decisions = channel('svc:ratelimit:decision')
  const debug = debuglog('svc:ratelimit')
  const warn = (code: RateLimitWarning, message: string): void => {
    if (warnings === false || warnings?.[code] === false) return
    process.emitWarning(`[svc:ratelimit] ${message}`, { type: 'SvcWarning', code })
  }
  let sayUp = false
  return {
    doubt(code, message) {
      const warned = warnedCodes()
      if (warned.has(code)) return
      warned.add(code)
      warn(code, message)
    },
    storeDown(error, policy) {
      sayUp = true
      warn('WRN_RATELIMIT_STORE_DOWN', `The store fails: ${reasonOf(error)}. Until it is back, ${POLICIES[policy]}.`)
    },
    storeUp(afterMs) {
      if (sayUp) warn('WRN_RATELIMIT_STORE_UP', `The store is back after ${Math.ceil(afterMs / 1000)} s.`)
      sayUp = false
    },
    settleFailed(error) {
      warn('WRN_RATELIMIT_SETTLE_FAILED', `settle failed: ${reasonOf(error)}. The request counts as it did before.`)
    },
    decided(message) {
      if (decisions.hasSubscribers) decisions.publish(message)
      if (debug.enabled) debug('%s', describe(message.decision))
    },
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message || error.name : String(error)
  return reason.split('\n', 1)[0] ?? ''
}

function describe({ allowed, shadow, source, limits, cost }: RateLimitDecision): string {
  const parts = limits.map(({ name, remaining, limit, retryMs }) => `${name} ${remaining}/${limit} retry ${retryMs} ms`)
  return `${allowed ? 'allowed' : shadow ? 'refused on paper' : 'refused'} cost ${cost} by ${source}: ${parts.join(', ')}`
}

/** On globalThis, so that the ESM and the CJS build of the package do not both say it. */
function warnedCodes(): Set<string> {
  const holder = globalThis as { [WARNED]?: Set<string> }
  holder[WARNED] ??= new Set()
  return holder[WARNED]
}
