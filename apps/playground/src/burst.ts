import { sendRepresentation } from '@svc/negotiate'
import { rateLimit } from '@svc/ratelimit'
import { badParameter, type Middleware, requestStateOf } from '../../reference-server/src/index.ts'
import { delay } from './delay.ts'
import { POLICIES } from './policies.ts'

/** The quota of each client of the playground. */
export const BURST = 5

/** The duration of a call whose limit counts concurrent calls. */
const HOLD_MS = 1000

const CLIENT = /^[\w-]{1,40}$/

/**
 * GET /play/ratelimit/calls?policy=gcra&client=a: a call that the package's own middleware counts.
 */
export function burst(): Middleware {
  const getClient = (req: object): string => new URLSearchParams(requestStateOf(req).search).get('client') ?? ''
  const limiters = new Map<string, Middleware>(
    POLICIES.map((algorithm) => [
      algorithm,
      rateLimit({
        name: algorithm,
        rate: `${BURST}/10s`,
        algorithm,
        by: getClient,
        headers: ['x-ratelimit', 'draft-11'],
      }),
    ]),
  )
  const wait = delay()
  return (req, res, next) => {
    const { path, search, headers } = requestStateOf(req)
    if (path !== '/play/ratelimit/calls' || req.method !== 'GET') return next()
    const policy = new URLSearchParams(search).get('policy') ?? 'gcra'
    const limiter = limiters.get(policy)
    if (!limiter) return next(badParameter('policy', 'INVALID_PARAMETER.oneOf', { allowed: POLICIES }))
    if (!CLIENT.test(getClient(req)))
      return next(badParameter('client', 'FORMAT.pattern', { pattern: '[A-Za-z0-9_-]{1,40}' }))
    limiter(req, res, (error) => {
      if (error !== undefined) return next(error)
      const respond = (): void => {
        const body = '{"allowed":true}'
        sendRepresentation(req, res, { type: 'application/json', body, headers, cacheControl: 'no-store' }, next)
      }
      if (policy !== 'concurrency') return respond()
      wait(req, HOLD_MS, respond)
    })
  }
}
