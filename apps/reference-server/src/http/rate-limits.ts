import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type CheckResult,
  type HeaderStyle,
  type LimitOptions,
  type RateLimiter,
  type RateLimitStore,
  type RateText,
  rateLimit,
} from '@svc/ratelimit'
import { preferOf } from '../engine/prefer.ts'
import { type RequestState, requestStateOf } from '../engine/request-state.ts'
import type { Stage } from '../engine/stage.ts'
import { isWhole } from '../engine/whole.ts'
import { countedIn } from '../security/counted-in.ts'
import { isPromise } from './pipeline.ts'

export interface RateLimits {
  /** `undefined`: off. */
  rateLimit: RateText | undefined
  rateLimitAnonymous: RateText | undefined
  store: RateLimitStore | undefined
  trustProxy: readonly string[]
}

const EXPORT_COST = 10

const headers: HeaderStyle[] = ['x-ratelimit', 'draft-11']
const common = { headers, skip: isFree, cost: costOf }

const pass: Stage = () => undefined

/** Limits requests without credentials by the address they come from, and attempts to get a token. */
export function limitByAddress({ rateLimitAnonymous: rate, store, trustProxy }: RateLimits): Stage {
  if (rate === undefined) return pass
  const limits: LimitOptions[] = [
    {
      name: 'anonymous',
      rate,
      by: (req, { subnet }) => (req.headers.authorization === undefined ? subnet : undefined),
    },
    {
      name: 'tokens',
      rate: '10/15m',
      algorithm: 'sliding-log',
      by: (req, { subnet }) =>
        requestStateOf(req).path === '/tokens' ? `${subnet} ${digestOf(req.headers.authorization)}` : undefined,
    },
  ]
  return toStage(rateLimit({ ...common, limits, trustProxy: [...trustProxy], ...countedIn(store) }))
}

/** Limits what is sent in the name of one caller, from wherever it comes. */
export function limitBySubject({ rateLimit: rate, store }: RateLimits): Stage {
  if (rate === undefined) return pass
  return toStage(
    rateLimit({
      ...common,
      name: 'authenticated',
      rate,
      by: (req) => requestStateOf(req).caller?.subject,
      ...countedIn(store),
    }),
  )
}

/** Adds the headers of the decision to those that every response carries, and rejects what exceeds the limit. */
function toStage(limiter: RateLimiter): Stage {
  return (state) => {
    const result = limiter.check(state.req)
    return isPromise(result) ? result.then((later) => apply(state, later)) : apply(state, result)
  }
}

function apply(state: RequestState, { headers, error }: CheckResult): undefined {
  Object.assign(state.headers, headers)
  if (error) throw error
}

// A store of counters is no place for credentials.
function digestOf(authorization = ''): string {
  return createHash('sha256').update(authorization).digest('base64url')
}

function isFree(req: object): boolean {
  return requestStateOf(req).path.startsWith('/health')
}

function costOf(req: IncomingMessage): number {
  const { match, search } = requestStateOf(req)
  const action = match?.action
  const isExport = req.method === 'GET' && action?.later && (isWhole(search) || prefersLater(req))
  return isExport ? EXPORT_COST : (action?.cost ?? 1)
}

function prefersLater({ headers }: IncomingMessage): boolean {
  return preferOf(headers['prefer']?.toString()).respondAsync
}
