import { inspectValue } from '../../internal/options.ts'
import { compileWarnings, warnOnce } from '../../internal/warn-once.ts'

const CODES = ['WRN_IDEMPOTENCY_USER_UNKNOWN', 'WRN_IDEMPOTENCY_COOKIE_IGNORED', 'WRN_IDEMPOTENCY_HOOK_FAILED'] as const

/**
 * Code of a warning about the environment. Each is emitted once per process, and can be switched
 * off.
 */
export type IdempotencyWarningCode = (typeof CODES)[number]

/**
 * Warnings to show: `false` for none, or an object that switches single ones off:
 * `{ WRN_IDEMPOTENCY_COOKIE_IGNORED: false }`.
 */
export type WarningOptions = boolean | { readonly [Code in IdempotencyWarningCode]?: boolean }

/** Emits a warning, once per process. */
export type Warn = (code: IdempotencyWarningCode, message: string) => void

/** Creates the function that emits the warnings that the options show. */
export function createWarn(warnings: WarningOptions | undefined): Warn {
  const isShown = compileWarnings('idempotency', warnings, CODES)
  return (code, message) => {
    if (isShown(code)) warnOnce('idempotency', code, message)
  }
}

/** Warns that a callback failed whose error must not reach the client. */
export function warnHookFailed(warn: Warn, hook: string, error: unknown, consequence: string): void {
  const reason = error instanceof Error ? error.message : inspectValue(error)
  warn('WRN_IDEMPOTENCY_HOOK_FAILED', `${hook} failed: ${reason}. ${consequence}`)
}
