import { METHODS } from 'node:http'
import type { IncomingMessage, Middleware, ServerResponse } from '../../../../packages/internal/middleware.ts'
import type { FindNear } from '../engine/near-path.ts'
import { type RequestState, requestStateOf } from '../engine/request-state.ts'
import type { FindRoute, Route } from '../engine/route.ts'
import { failure } from '../messages/errors.ts'
import { quoteInput } from '../messages/messages.ts'
import { answerMoved, movedPath } from './moved.ts'

/** Finds what a path and a method name: 404, 405 with Allow, 501, OPTIONS, and the redirects of near misses. */
export function find(findRoute: FindRoute, moved: ReadonlyMap<string, string>, findNear: FindNear): Middleware {
  return (req, res, next) => {
    const state = requestStateOf(req)
    const { method = 'GET', url = '/' } = req
    if (!METHODS.includes(method)) return next(failure('NOT_IMPLEMENTED.method', { method: quoteInput(method) }))
    if (url === '*' && method === 'OPTIONS') return void res.writeHead(204, state.headers).end()
    const question = url.indexOf('?')
    const path = question === -1 ? url : url.slice(0, question)
    state.path = path
    const found = findRoute(path)
    if (!found) return nearMiss(req, res, path, findRoute, moved) || next(routeNotFound(findNear(path)))
    const { route, params } = found
    const action = route.methods.get(method)
    if (action) {
      state.match = { route, action, params: decoded(params) }
      return next()
    }
    if (method === 'OPTIONS') return describe(state, route, res)
    const headers = { Allow: route.allow }
    next(failure('METHOD_NOT_ALLOWED.allowed', { method, allowed: route.allow }, { headers }))
  }
}

function routeNotFound(near: string | undefined): Error {
  return near === undefined ? failure('ROUTE_NOT_FOUND') : failure('ROUTE_NOT_FOUND.near', { near })
}

function decoded(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) if (value.includes('%')) params[name] = decodeURIComponent(value)
  return params
}

/** OPTIONS: which methods there are, and what they take. */
function describe({ headers: common }: RequestState, { allow, methods }: Route, res: ServerResponse): void {
  const headers: Record<string, string> = { ...common, Allow: allow, 'Cache-Control': 'no-store' }
  const names = { POST: 'Accept-Post', PATCH: 'Accept-Patch', QUERY: 'Accept-Query' }
  for (const [method, name] of Object.entries(names)) {
    const types = methods.get(method)?.accepts
    if (types?.length) headers[name] = types.map((type) => (method === 'QUERY' ? `"${type}"` : type)).join(', ')
  }
  res.writeHead(204, headers).end()
}

/** A path that has moved, a slash at the end, or capital letters: where it is. */
function nearMiss(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  findRoute: FindRoute,
  moved: ReadonlyMap<string, string>,
): true | undefined {
  const tidy = path.replace(/\/+$/, '').toLowerCase()
  const better = movedPath(moved, path) ?? (tidy !== '' && tidy !== path && findRoute(tidy) ? tidy : undefined)
  if (better === undefined) return undefined
  const { originalUrl = req.url ?? '' } = req as { originalUrl?: string }
  const prefix = originalUrl.slice(0, originalUrl.length - (req.url ?? '').length)
  const { search } = requestStateOf(req)
  answerMoved(req, res, `${prefix}${better}${search === '' ? '' : `?${search}`}`)
  return true
}
