import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { failure } from '../messages/errors.ts'

const SAFE = ['GET', 'HEAD', 'OPTIONS', 'QUERY']

/**
 * Refuses changes that another site makes a browser send with the password that the browser keeps: Basic goes along
 * unasked, a token does not. Clients that are no browsers send no `Sec-Fetch-Site`.
 */
export function crossSite(): Middleware {
  return (req, _res, next) => {
    const { method = 'GET', headers } = req
    const site = headers['sec-fetch-site']
    if (site === undefined || site === 'same-origin' || site === 'none' || SAFE.includes(method)) return next()
    if (!/^basic /i.test(headers.authorization ?? '')) return next()
    next(failure('CROSS_SITE'))
  }
}
