import { hash } from 'node:crypto'
import type { LimitDecision, RateLimitDecision } from './decision.ts'

/**
 * `x-ratelimit`: X-RateLimit-Limit, -Remaining, -Reset. `draft-11` and `draft-8`: RateLimit-Policy
 * and RateLimit as structured fields. `draft-7`: the two with `limit=, remaining=, reset=`.
 * `draft-6`: RateLimit-Limit, -Remaining, -Reset, -Policy.
 */
export type HeaderStyle = 'x-ratelimit' | 'draft-11' | 'draft-8' | 'draft-7' | 'draft-6'

export const HEADER_STYLES: readonly HeaderStyle[] = ['x-ratelimit', 'draft-11', 'draft-8', 'draft-7', 'draft-6']

export interface HeaderOptions {
  styles: readonly HeaderStyle[]
  /** X-RateLimit-Reset: seconds since 1970, or from now. */
  resetFormat: 'epoch' | 'delta'
  /** Salt of the partition key; `undefined` for none. */
  partitionSalt: string | undefined
  now: () => number
}

/** Response headers by name. */
export type HeaderValues = Readonly<Record<string, string>>

/**
 * Returns the headers of a decision. `isTighter`: whether it is closer to rejecting than earlier
 * decisions about the same request. `earlier`: headers of earlier limiters, which are included.
 */
export type FormatHeaders = (
  decision: RateLimitDecision,
  isTighter?: boolean,
  earlier?: HeaderValues,
) => Record<string, string>

/** Compiles the options into a function that formats the headers of a decision. */
export function compileHeaders(options: HeaderOptions): FormatHeaders {
  const { styles, partitionSalt } = options
  const single = styles.filter((style) => style === 'x-ratelimit' || style === 'draft-7' || style === 'draft-6')
  const list = styles.find((style) => style === 'draft-11' || style === 'draft-8')
  return (decision, isTighter = true, earlier) => {
    const headers: Record<string, string> = earlier ? { ...earlier } : {}
    // A header that describes one limit describes the one that is closest to rejecting.
    if (isTighter) for (const style of single) setSingle(headers, decision, style, options)
    if (list) for (const limit of decision.limits) addItems(headers, limit, list === 'draft-11', partitionSalt)
    return headers
  }
}

function setSingle(
  headers: Record<string, string>,
  { limit, remaining, resetMs, windowMs, algorithm }: LimitDecision,
  style: HeaderStyle,
  { resetFormat, now }: HeaderOptions,
): void {
  const seconds = Math.ceil(resetMs / 1000)
  if (style === 'x-ratelimit') {
    headers['X-RateLimit-Limit'] = `${limit}`
    headers['X-RateLimit-Remaining'] = `${remaining}`
    headers['X-RateLimit-Reset'] = `${resetFormat === 'delta' ? seconds : Math.ceil((now() + resetMs) / 1000)}`
    return
  }
  headers['RateLimit-Policy'] =
    algorithm === 'concurrency' ? `${limit}` : `${limit};w=${Math.max(1, Math.ceil(windowMs / 1000))}`
  if (style === 'draft-7') {
    headers['RateLimit'] = `limit=${limit}, remaining=${remaining}, reset=${seconds}`
  } else {
    headers['RateLimit-Limit'] = `${limit}`
    headers['RateLimit-Remaining'] = `${remaining}`
    headers['RateLimit-Reset'] = `${seconds}`
  }
}

/**
 * Adds an item to RateLimit-Policy and to RateLimit (draft-ietf-httpapi-ratelimit-headers-11 §3 and
 * §4), in whole seconds, of which a window has at least one.
 */
function addItems(headers: Record<string, string>, item: LimitDecision, isCapped: boolean, salt?: string): void {
  const { name, key, limit, unit, algorithm, allowed, remaining, resetMs, retryMs } = item
  const isLease = algorithm === 'concurrency'
  const w = Math.max(1, Math.ceil(item.windowMs / 1000))
  const partition = salt === undefined ? '' : formatPartition(key, salt)
  const policies = headers['RateLimit-Policy']
  const states = headers['RateLimit']
  const counted = unit === 'requests' ? '' : `;qu="${unit}"`
  const policy = `"${name}";q=${limit}${counted}${isLease ? '' : `;w=${w}`}${partition}`
  headers['RateLimit-Policy'] = policies === undefined ? policy : `${policies}, ${policy}`
  // A rejected client has nothing left until it may retry.
  let left = allowed ? remaining : 0
  const t = allowed ? Math.ceil(resetMs / 1000) : Math.max(1, Math.ceil((retryMs === -1 ? resetMs : retryMs) / 1000))
  // §6: a client that reads the quota of a whole day might use it up within a second.
  if (isCapped && w >= 3600 && t > 0) left = Math.min(left, Math.max(1, Math.ceil((2 * limit * t) / w)))
  const state = isLease ? `"${name}";r=${remaining}${partition}` : `"${name}";r=${left};t=${t}${partition}`
  headers['RateLimit'] = states === undefined ? state : `${states}, ${state}`
}

function formatPartition(key: string, salt: string): string {
  return `;pk=:${hash('sha256', `${salt}\0${key}`, 'buffer').subarray(0, 12).toString('base64')}:`
}
