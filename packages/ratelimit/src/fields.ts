import { hash } from 'node:crypto'
import type { LimitDecision, RateLimitDecision } from './decision.ts'

/**
 * `x`: X-RateLimit-Limit, -Remaining, -Reset. `draft-11` and `draft-8`: RateLimit-Policy and RateLimit as structured
 * fields. `draft-7`: the two with `limit=, remaining=, reset=`. `draft-6`: RateLimit-Limit, -Remaining, -Reset, -Policy.
 */
export type HeaderStyle = 'x' | 'draft-11' | 'draft-8' | 'draft-7' | 'draft-6'

export const HEADER_STYLES: readonly HeaderStyle[] = ['x', 'draft-11', 'draft-8', 'draft-7', 'draft-6']

export interface FieldOptions {
  styles: readonly HeaderStyle[]
  /** X-RateLimit-Reset: seconds since 1970, or from now. */
  reset: 'epoch' | 'delta'
  /** Salt of the partition key in draft-11; without it there is none. */
  partitionSalt: string | undefined
  now: () => number
}

/** Field names and their values. */
export type Fields = Record<string, string>

/** What a limiter before this one has written into the same response. */
export interface Earlier {
  /** Whether this decision says more to the client than the earlier ones. */
  tighter: boolean
  /** The value of a list field that an earlier limiter wrote. */
  before(name: string): string | undefined
}

/** Makes the function that gives the fields of a decision, as the options ask for them. */
export function fieldMaker(options: FieldOptions): (decision: RateLimitDecision, earlier: Earlier) => Fields {
  const { styles, partitionSalt } = options
  const single = styles.filter((style) => style === 'x' || style === 'draft-7' || style === 'draft-6')
  const lists = styles.filter((style) => style === 'draft-11' || style === 'draft-8')
  return (decision, { tighter, before }) => {
    const fields: Fields = {}
    // Fields that can tell of one limit tell of the one that is nearest to refusing.
    if (tighter) for (const style of single) addOne(fields, decision, style, options)
    for (const style of lists) {
      const isNewest = style === 'draft-11'
      const salt = isNewest ? partitionSalt : undefined
      const policies = decision.limits.map((limit) => policyItem(limit, salt))
      const states = decision.limits.map((limit) => stateItem(limit, isNewest, salt))
      for (const [name, items] of [
        ['RateLimit-Policy', policies],
        ['RateLimit', states],
      ] as const)
        fields[name] = [before(name), ...items].filter((item) => item !== undefined).join(', ')
    }
    return fields
  }
}

function addOne(fields: Fields, decision: LimitDecision, style: HeaderStyle, { reset, now }: FieldOptions): void {
  const { limit, remaining, resetMs, windowMs, algorithm } = decision
  const seconds = Math.ceil(resetMs / 1000)
  const policy = algorithm === 'concurrency' ? `${limit}` : `${limit};w=${secondsOf(windowMs)}`
  if (style === 'x') {
    fields['X-RateLimit-Limit'] = String(limit)
    fields['X-RateLimit-Remaining'] = String(remaining)
    fields['X-RateLimit-Reset'] = String(reset === 'delta' ? seconds : Math.ceil((now() + resetMs) / 1000))
    return
  }
  fields['RateLimit-Policy'] = policy
  if (style === 'draft-7') {
    fields['RateLimit'] = `limit=${limit}, remaining=${remaining}, reset=${seconds}`
  } else {
    fields['RateLimit-Limit'] = String(limit)
    fields['RateLimit-Remaining'] = String(remaining)
    fields['RateLimit-Reset'] = String(seconds)
  }
}

/** One member of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11, 3). */
function policyItem(decision: LimitDecision, salt: string | undefined): string {
  const { name, limit, windowMs, unit, algorithm, key } = decision
  const counted = unit === 'requests' ? '' : `;qu="${unit}"`
  const window = algorithm === 'concurrency' ? '' : `;w=${secondsOf(windowMs)}`
  return `"${name}";q=${limit}${counted}${window}${partition(key, salt)}`
}

/** One member of RateLimit (section 4). What is refused has nothing left until it may come again. */
function stateItem(decision: LimitDecision, capped: boolean, salt: string | undefined): string {
  const { name, allowed, algorithm, key, limit, remaining, resetMs, retryMs, windowMs } = decision
  if (algorithm === 'concurrency') return `"${name}";r=${remaining}${partition(key, salt)}`
  const left = allowed ? remaining : 0
  const t = allowed ? Math.ceil(resetMs / 1000) : secondsOf(retryMs === -1 ? resetMs : retryMs)
  const w = secondsOf(windowMs)
  // Section 6: a client that is told of a whole day's quota might use it within a second.
  const r = capped && w >= 3600 ? Math.min(left, Math.max(1, Math.ceil((2 * limit * t) / w))) : left
  return `"${name}";r=${r};t=${t}${partition(key, salt)}`
}

function partition(key: string, salt: string | undefined): string {
  if (salt === undefined) return ''
  return `;pk=:${hash('sha256', `${salt}\0${key}`, 'buffer').subarray(0, 12).toString('base64')}:`
}

/** Whole seconds, at least one: the fields know none that are shorter. */
function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
