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
    if (isTighter) for (const style of single) addSingle(headers, decision, style, options)
    if (!list) return headers
    let policies = earlier?.['RateLimit-Policy']
    let states = earlier?.['RateLimit']
    for (const limit of decision.limits) {
      policies = append(policies, formatPolicy(limit, partitionSalt))
      states = append(states, formatState(limit, list === 'draft-11', partitionSalt))
    }
    if (policies !== undefined) headers['RateLimit-Policy'] = policies
    if (states !== undefined) headers['RateLimit'] = states
    return headers
  }
}

function append(earlier: string | undefined, item: string): string {
  return earlier === undefined ? item : `${earlier}, ${item}`
}

function addSingle(
  headers: Record<string, string>,
  decision: LimitDecision,
  style: HeaderStyle,
  { resetFormat, now }: HeaderOptions,
): void {
  const { limit, remaining, resetMs, windowMs, algorithm } = decision
  const seconds = Math.ceil(resetMs / 1000)
  const policy = algorithm === 'concurrency' ? `${limit}` : `${limit};w=${toSeconds(windowMs)}`
  if (style === 'x-ratelimit') {
    headers['X-RateLimit-Limit'] = String(limit)
    headers['X-RateLimit-Remaining'] = String(remaining)
    headers['X-RateLimit-Reset'] = String(resetFormat === 'delta' ? seconds : Math.ceil((now() + resetMs) / 1000))
    return
  }
  headers['RateLimit-Policy'] = policy
  if (style === 'draft-7') {
    headers['RateLimit'] = `limit=${limit}, remaining=${remaining}, reset=${seconds}`
  } else {
    headers['RateLimit-Limit'] = String(limit)
    headers['RateLimit-Remaining'] = String(remaining)
    headers['RateLimit-Reset'] = String(seconds)
  }
}

/** One item of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11 §3). */
function formatPolicy(decision: LimitDecision, salt: string | undefined): string {
  const { name, limit, windowMs, unit, algorithm, key } = decision
  const counted = unit === 'requests' ? '' : `;qu="${unit}"`
  const window = algorithm === 'concurrency' ? '' : `;w=${toSeconds(windowMs)}`
  const partition = salt === undefined ? '' : formatPartition(key, salt)
  return `"${name}";q=${limit}${counted}${window}${partition}`
}

/** One item of RateLimit (§4). A rejected client has nothing left until it may retry. */
function formatState(decision: LimitDecision, isCapped: boolean, salt: string | undefined): string {
  const { name, allowed, algorithm, key, limit, remaining, resetMs, retryMs, windowMs } = decision
  const partition = salt === undefined ? '' : formatPartition(key, salt)
  if (algorithm === 'concurrency') return `"${name}";r=${remaining}${partition}`
  const left = allowed ? remaining : 0
  const t = allowed ? Math.ceil(resetMs / 1000) : toSeconds(retryMs === -1 ? resetMs : retryMs)
  const w = toSeconds(windowMs)
  // §6: a client that reads the quota of a whole day might use it up within a second.
  const r = isCapped && w >= 3600 ? Math.min(left, Math.max(1, Math.ceil((2 * limit * t) / w))) : left
  return `"${name}";r=${r};t=${t}${partition}`
}

function formatPartition(key: string, salt: string): string {
  return `;pk=:${hash('sha256', `${salt}\0${key}`, 'buffer').subarray(0, 12).toString('base64')}:`
}

/** Whole seconds, at least one: the headers have no smaller unit. */
function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
