import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'
import { compileWarnings, warnOnce } from '../../internal/warn-once.ts'
import type { RateLimitDecision } from './decision.ts'
import type { OnStoreError } from './receipt.ts'

const CODES = [
  'WRN_RATELIMIT_PROXY_UNTRUSTED',
  'WRN_RATELIMIT_PROXY_PERMISSIVE',
  'WRN_RATELIMIT_NO_ADDRESS',
  'WRN_RATELIMIT_TINY_WINDOW',
  'WRN_RATELIMIT_STORE_SHARED',
  'WRN_RATELIMIT_DOUBLE_COUNT',
  'WRN_RATELIMIT_CREATED_PER_REQUEST',
  'WRN_RATELIMIT_STORE_DOWN',
  'WRN_RATELIMIT_STORE_RECOVERED',
  'WRN_RATELIMIT_FINAL_COST_FAILED',
  'WRN_RATELIMIT_HOOK_FAILED',
  'WRN_RATELIMIT_OPTION_INVALID',
] as const

/**
 * Code of a warning about the environment. Most are emitted once per process, and each can be
 * switched off.
 */
export type RateLimitWarningCode = (typeof CODES)[number]

/**
 * Warnings to show: `false` for none, or an object that switches single ones off:
 * `{ WRN_RATELIMIT_STORE_RECOVERED: false }`.
 */
export type WarningOptions = boolean | { readonly [Code in RateLimitWarningCode]?: boolean }

/** Message of the diagnostics channel `svc:ratelimit:decision`. */
export interface RateLimitEvent {
  /** The decision. */
  decision: RateLimitDecision
  /** The request, as the framework passes it. */
  req: object
}

export interface Diagnose {
  /** Emits a warning once per process. */
  warnOnce(code: RateLimitWarningCode, message: string): void
  storeDown(error: unknown, policy: OnStoreError): void
  storeRecovered(afterMs: number): void
  /** `finalCost` failed after the response was sent, when no error handler could handle it. */
  finalCostFailed(error: unknown): void
  /** A hook, by default `onDecision`, failed. */
  hookFailed(error: unknown, hook?: string): void
  decided(decision: RateLimitDecision, req: object): void
}

const POLICIES: Record<OnStoreError, string> = {
  local: 'this process counts on its own',
  allow: 'requests are not limited',
  reject: 'requests are rejected',
}

/** Creates the reports of a limiter to its operator. */
export function createDiagnose(warnings: WarningOptions | undefined): Diagnose {
  const decisions = channel('svc:ratelimit:decision')
  const debug = debuglog('svc:ratelimit')
  const isShown = compileWarnings('ratelimit', warnings, CODES)
  const warn = (code: RateLimitWarningCode, message: string): void => {
    // Workers have no process.
    if (isShown(code)) globalThis.process?.emitWarning?.(`[svc:ratelimit] ${message}`, { type: 'SvcWarning', code })
  }
  const once = (code: RateLimitWarningCode, message: string): void => {
    if (isShown(code)) warnOnce('ratelimit', code, message)
  }
  let wasReported = false
  return {
    warnOnce: once,
    storeDown(error, policy) {
      wasReported = true
      warn('WRN_RATELIMIT_STORE_DOWN', `The store fails: ${toReason(error)}. Until it recovers, ${POLICIES[policy]}.`)
    },
    storeRecovered(afterMs) {
      if (wasReported)
        warn('WRN_RATELIMIT_STORE_RECOVERED', `The store has recovered after ${Math.ceil(afterMs / 1000)} s.`)
      wasReported = false
    },
    finalCostFailed(error) {
      warn('WRN_RATELIMIT_FINAL_COST_FAILED', `finalCost failed: ${toReason(error)}. The original cost is kept.`)
    },
    hookFailed(error, hook = 'onDecision') {
      once('WRN_RATELIMIT_HOOK_FAILED', `${hook} failed: ${toReason(error)}. The decision is not affected.`)
    },
    decided(decision, req) {
      if (decisions.hasSubscribers) decisions.publish({ decision, req } satisfies RateLimitEvent)
      if (debug.enabled) debug('%s', describe(decision))
    },
  }
}

/** A store that goes down again and again is reported once in this time. */
const REPORT_EVERY_MS = 60_000

/** Reports when a store goes down, and when it has recovered. `now` is a monotonic clock. */
export function outageReport(diagnose: Diagnose, policy: OnStoreError, now: () => number) {
  let downSince: number | undefined
  let nextReportAt = 0
  return {
    succeed(): void {
      if (downSince === undefined) return
      diagnose.storeRecovered(now() - downSince)
      downSince = undefined
    },
    fail(error: unknown): void {
      if (downSince !== undefined) return
      downSince = now()
      if (downSince < nextReportAt) return
      nextReportAt = downSince + REPORT_EVERY_MS
      diagnose.storeDown(error, policy)
    },
  }
}

function toReason(error: unknown): string {
  const reason = error instanceof Error ? error.message || error.name : String(error)
  return reason.split('\n', 1)[0] ?? ''
}

function describe({ allowed, reportOnly, source, limits, cost }: RateLimitDecision): string {
  const parts = limits.map(({ name, remaining, limit, retryMs }) => `${name} ${remaining}/${limit} retry ${retryMs} ms`)
  const verb = allowed ? 'allowed' : reportOnly ? 'over the limit, only reported' : 'rejected'
  return `${verb}, cost ${cost}, source ${source}: ${parts.join(', ')}`
}
