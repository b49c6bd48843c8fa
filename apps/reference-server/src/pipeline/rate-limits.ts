import { createHash } from 'node:crypto'
import { type LimitOptions, type RateLimitStore, type RateText, rateLimitOf, ratelimit } from '@svc/ratelimit'
import type { IncomingMessage, Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import { preferOf } from '../resource/prefer.ts'
import { isWhole } from '../resource/whole.ts'
import { countedIn } from '../security/counted-in.ts'

export interface RateLimits {
  /** `undefined`: off. */
  authenticated: RateText | undefined
  anonymous: RateText | undefined
  store: RateLimitStore | undefined
  trustProxy: readonly string[]
}

const EXPORT_COST = 10

// The fields go out with all others, in one section.
const common = { headers: [], skip: isFree, cost: costOf, onDecision: announce }

const pass: Middleware = (_req, _res, next) => next()

/** Limits requests without credentials by the address they come from, and attempts to get a token. */
export function limitByAddress({ anonymous, store, trustProxy }: RateLimits): Middleware {
  if (anonymous === undefined) return pass
  const limits: LimitOptions[] = [
    {
      ...{ name: 'anonymous', rate: anonymous },
      by: (req, { subnet }) => (req.headers.authorization === undefined ? subnet : undefined),
    },
    {
      ...{ name: 'tokens', rate: '10/15m', algorithm: 'sliding-log' },
      by: (req, { subnet }) =>
        exchangeOf(req).path === '/tokens' ? `${subnet} ${digestOf(req.headers.authorization)}` : undefined,
    },
  ]
  return ratelimit({ ...common, limits, trustProxy: [...trustProxy], ...countedIn(store) })
}

/** Limits what is sent in the name of one caller, from wherever it comes. */
export function limitBySubject({ authenticated, store }: RateLimits): Middleware {
  if (authenticated === undefined) return pass
  return ratelimit({
    ...{ ...common, name: 'authenticated', rate: authenticated },
    by: (req) => exchangeOf(req).caller?.subject,
    ...countedIn(store),
  })
}

/** Adds what is left to the fields that every answer carries: of several limits, the one that is nearest to refusing. */
function announce(_decision: unknown, req: object): void {
  const decision = rateLimitOf(req)
  // What this process counts alone, while the store is away, would contradict what the client was told before.
  if (decision?.source !== 'store') return
  const { fields } = exchangeOf(req)
  fields['X-RateLimit-Limit'] = String(decision.limit)
  fields['X-RateLimit-Remaining'] = String(decision.remaining)
  fields['X-RateLimit-Reset'] = String(Math.ceil((Date.now() + decision.resetMs) / 1000))
}

// A store of counters is no place for credentials.
function digestOf(authorization = ''): string {
  return createHash('sha256').update(authorization).digest('base64url')
}

function isFree(req: object): boolean {
  return exchangeOf(req).path.startsWith('/health')
}

function costOf(req: IncomingMessage): number {
  const { match, search } = exchangeOf(req)
  const action = match?.action
  const isExport = req.method === 'GET' && action?.later && (isWhole(search) || prefersLater(req))
  return isExport ? EXPORT_COST : (action?.cost ?? 1)
}

function prefersLater({ headers }: IncomingMessage): boolean {
  return preferOf(headers['prefer']?.toString()).respondAsync
}
