import { represent } from '@svc/negotiate'
import { ratelimit } from '@svc/ratelimit'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import { badParameter } from '../failures.ts'

/** The policies of the playground, and how each behaves. */
export const POLICIES = {
  gcra: 'Units come back one by one, evenly.',
  'sliding-log': 'Exactly five in any ten seconds.',
  'sliding-counter': 'The last window counts by what is left of it.',
  'fixed-window': 'All units come back at once.',
  'token-bucket': 'A bucket that is filled steadily.',
} as const

/** What each client of the playground may do. */
export const RATE = '5/10s'

type Policy = keyof typeof POLICIES

const CLIENT = /^[\w-]{1,40}$/

/** GET /play/ratelimit/calls?policy=gcra&client=a: a call that the package's own middleware counts. */
export function burst(): Middleware {
  const names = Object.keys(POLICIES) as Policy[]
  const clientOf = (req: object): string => new URLSearchParams(exchangeOf(req).search).get('client') ?? ''
  const limiters = new Map<string, Middleware>(
    names.map((algorithm) => [
      algorithm,
      ratelimit({ name: algorithm, rate: RATE, algorithm, by: clientOf, headers: ['x', 'draft-11'] }),
    ]),
  )
  return (req, res, next) => {
    const { path, search, fields } = exchangeOf(req)
    if (path !== '/play/ratelimit/calls' || req.method !== 'GET') return next()
    const limiter = limiters.get(new URLSearchParams(search).get('policy') ?? 'gcra')
    if (!limiter) return next(badParameter('policy', `must be one of ${names.join(', ')}`))
    if (!CLIENT.test(clientOf(req))) return next(badParameter('client', 'must be 1 to 40 letters, digits, _ or -'))
    limiter(req, res, (error) => {
      if (error !== undefined) return next(error)
      const body = '{"allowed":true}'
      represent(req, res, { type: 'application/json', body, headers: fields, cacheControl: 'no-store' }, next)
    })
  }
}
