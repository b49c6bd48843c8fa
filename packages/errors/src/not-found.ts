import { createHttpError } from '../../internal/http-error.ts'
import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, assertOneOf } from '../../internal/options.ts'
import { refuse } from '../../internal/refuse.ts'
import { findMethods, handleNestedOptions, type RoutedApp } from './routes.ts'

/** Options for `methodNotAllowed()`. */
export interface MethodNotAllowedOptions {
  /**
   * Handling of OPTIONS for a path that has routes: `'respond'` returns 204 with `Allow`, `'next'`
   * leaves it to Express.
   * @defaultValue 'respond'
   */
  onOptions?: 'respond' | 'next'
}

/**
 * Creates middleware that responds with 404. Mount it after all routes.
 *
 * @example app.use(notFound())
 */
export function notFound(): Middleware {
  return function notFound(req, res, next) {
    refuseUnknownPath(req, res, next)
  }
}

/**
 * Creates middleware to mount after all routes of an Express app (4 or 5) or router. It responds
 * with 405 and `Allow` for a path that has routes for other methods (RFC 9110 §15.5.6), and with
 * 404 for any other path. The routes are those of the app that it is mounted in; pass `app` for a
 * router with nested routers.
 *
 * @example app.use(methodNotAllowed())
 */
export function methodNotAllowed(app?: RoutedApp, options: MethodNotAllowedOptions = {}): Middleware {
  assertKnownOptions('errors', options, ['onOptions'])
  const { onOptions = 'respond' } = options
  assertOneOf('errors', 'onOptions', onOptions, ['respond', 'next'])
  if (app && onOptions === 'respond') handleNestedOptions(app, sendOptions)
  const handler: Middleware = (req, res, next) => {
    const methods = findMethods(req, app)
    const method = req.method ?? ''
    // A route of this method passed the request on, so the method is not the problem.
    const passed = method !== 'OPTIONS' && methods.includes(method)
    if (methods.length === 0 || passed) return refuseUnknownPath(req, res, next)
    if (method !== 'OPTIONS') {
      const message = `${method} is not supported here.`
      const headers = { Allow: methods.join(', ') }
      const error = createHttpError({ status: 405, code: 'METHOD_NOT_ALLOWED', message, headers })
      return refuse(error, req, res, next)
    }
    if (onOptions === 'next') return next()
    sendOptions(methods, req, res)
  }
  return app || onOptions === 'next' ? handler : onMount(handler, (parent) => handleNestedOptions(parent, sendOptions))
}

/**
 * Calls `listener` with the app that a middleware is mounted in. Express only passes the app to a
 * middleware with the members of an app (`handle`, `set` and `emit`), by the event `mount`; other
 * frameworks call the function.
 */
function onMount(handler: Middleware, listener: (app: RoutedApp) => void): Middleware {
  const emit = (event: string, app: RoutedApp): void => {
    if (event === 'mount') listener(app)
  }
  return Object.assign(handler, { handle: handler, set: () => handler, emit })
}

function sendOptions(methods: readonly string[], _req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('Allow', methods.join(', '))
  res.statusCode = 204
  res.end()
}

function refuseUnknownPath(req: IncomingMessage, res: ServerResponse, next: Next): void {
  const message = 'No resource exists at this path.'
  refuse(createHttpError({ status: 404, code: 'ROUTE_NOT_FOUND', message }), req, res, next)
}
