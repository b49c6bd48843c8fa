import { getPath, type Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'

const EMPTY = /(?:^|&)[^=&]*=(?=&|$)/

/** Fields that were left empty in a form of a page are no wish for empty values: the page without them is shown. */
export function tidyQuery(): Middleware {
  return (req, res, next) => {
    const { negotiated, search, headers } = requestStateOf(req)
    if (req.method !== 'GET' || negotiated?.format !== 'text/html' || !EMPTY.test(search)) return next()
    const kept = search.split('&').filter((pair) => !/^[^=]*=$/.test(pair) && pair !== '')
    const location = getPath(req) + (kept.length > 0 ? `?${kept.join('&')}` : '')
    res.writeHead(302, { ...headers, Location: location, Vary: 'Accept', 'Cache-Control': 'no-store' }).end()
  }
}
