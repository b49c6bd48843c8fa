import { hash } from 'node:crypto'
import type { ServerResponse } from '../../internal/middleware.ts'
import type { DraftHeaders, RateLimitInfo } from './drop-in-options.ts'

/** Seconds until the window ends; those of a whole window if the store does not know. */
export function getResetSeconds(windowMs: number, resetTime: Date | undefined): number {
  const ms = resetTime ? Math.max(0, resetTime.getTime() - Date.now()) : windowMs
  return Math.ceil(ms / 1000)
}

/** Sets `X-RateLimit-*`, and Date so that a client can correct its clock. */
export function setLegacyHeaders(res: ServerResponse, { limit, remaining, resetTime }: RateLimitInfo): void {
  res.setHeader('X-RateLimit-Limit', String(limit))
  res.setHeader('X-RateLimit-Remaining', String(remaining))
  if (!resetTime) return
  res.setHeader('Date', new Date().toUTCString())
  res.setHeader('X-RateLimit-Reset', String(Math.ceil(resetTime.getTime() / 1000)))
}

/**
 * Sets `RateLimit-Policy` and `RateLimit`, or their older parts. `name` is that of the policy in
 * draft-8.
 */
export function setStandardHeaders(
  res: ServerResponse,
  draft: DraftHeaders,
  { limit, remaining, resetTime, key }: RateLimitInfo,
  windowMs: number,
  name: string,
): void {
  const seconds = Math.ceil(windowMs / 1000)
  const reset = getResetSeconds(windowMs, resetTime)
  if (draft === 'draft-8') {
    const partition = Buffer.from(hash('sha256', key, 'hex').slice(0, 12)).toString('base64')
    res.appendHeader('RateLimit', `"${name}"; r=${remaining}; t=${reset}`)
    res.appendHeader('RateLimit-Policy', `"${name}"; q=${limit}; w=${seconds}; pk=:${partition}:`)
    return
  }
  res.setHeader('RateLimit-Policy', `${limit};w=${seconds}`)
  if (draft === 'draft-7') {
    res.setHeader('RateLimit', `limit=${limit}, remaining=${remaining}, reset=${reset}`)
    return
  }
  res.setHeader('RateLimit-Limit', String(limit))
  res.setHeader('RateLimit-Remaining', String(remaining))
  res.setHeader('RateLimit-Reset', String(reset))
}

/** Name of a policy in draft-8: `5-in-1min`. */
export function createPolicyName(limit: number, windowMs: number): string {
  const sizes = [
    [86_400_000, 'day'],
    [3_600_000, 'hr'],
    [60_000, 'min'],
    [1000, 'sec'],
  ] as const
  const [size, unit] = sizes.find(([ms]) => windowMs >= ms) ?? [1000, 'sec']
  const count = windowMs / size
  const plural = count > 1 && (unit === 'day' || unit === 'hr') ? 's' : ''
  return `${limit}-in-${count}${unit}${plural}`
}
