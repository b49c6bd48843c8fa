import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { createCore, type VersioningApi } from './core.ts'
import { createMiddleware, readCandidates } from './middleware.ts'
import type { VersioningOptions } from './options.ts'
import type { VersionCandidates } from './resolve-version.ts'
import { createRoute, type Route } from './route.ts'
import { createTransform } from './transform.ts'

/** The versions of an API. It is also the middleware that resolves the version of each request. */
export interface Versioning<V extends string = string> extends Middleware, VersioningApi<V> {
  /**
   * Returns the parts of a request that can name a version. Custom readers are not called, since
   * they may be asynchronous.
   */
  readCandidates(req: IncomingMessage): VersionCandidates
  /**
   * Combines handlers by version: `'1'`, `'2+'`, `'2..4'`. `null` if the resource does not exist in
   * these versions. Throws a `TypeError` if a version has no handler or two.
   */
  route<Req extends IncomingMessage, Res extends ServerResponse>(
    handlers: Route<V, Req, Res>,
  ): (req: Req, res: Res, next: Next) => void
  /**
   * Middleware that applies the changes by their `paths`: to parsed request bodies, and to JSON
   * responses with a status below 300. Mount it after compression and the body parser.
   */
  readonly transform: Middleware
}

/**
 * Creates middleware that resolves the API version of each request by path, header, media type and
 * query. Mount it before the router. Throws a `TypeError` if an option is not valid.
 *
 * @example app.use(versioning({ versions: ['1', '2'] }))
 */
export function versioning<const V extends string>(options: VersioningOptions<V>): Versioning<V> {
  const core = createCore(options, ['next', 'json'])
  const { apiVersions, sources, changes, api } = core
  return Object.assign(createMiddleware(core, options), api, {
    readCandidates: (req: IncomingMessage) => readCandidates(req, sources),
    route: <Req extends IncomingMessage, Res extends ServerResponse>(handlers: Route<V, Req, Res>) =>
      createRoute(apiVersions, handlers),
    transform: createTransform(changes, api.latest, options.onRefused),
  })
}
