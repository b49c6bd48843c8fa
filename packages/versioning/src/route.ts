import { callSafely } from '../../internal/guard.ts'
import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import { passError } from '../../internal/pass-error.ts'
import { type ApiVersions, versionsIn } from './api-versions.ts'
import { requestVersion } from './request.ts'

/** Versions of a handler: one, one and all later ones, or a range: `'1'`, `'2+'`, `'2..4'`. */
export type RouteKey<V extends string> = V | `${V}+` | `${V}..${V}`

/** A handler of Express and compatible hosts. A throw or a rejection goes to `next`. */
export type RouteHandler<Req, Res> = (req: Req, res: Res, next: Next) => unknown

/** Handlers of a route by version. `null` if the resource does not exist in these versions. */
export type Route<V extends string, Req, Res> = { readonly [Key in RouteKey<V>]?: RouteHandler<Req, Res> | null }

/**
 * Combines handlers by version. Throws a `TypeError` if a version has no handler or two, or if a
 * key matches no version.
 */
export function createRoute<V extends string, Req extends IncomingMessage, Res extends ServerResponse>(
  apiVersions: ApiVersions<V>,
  handlers: Route<V, Req, Res>,
): (req: Req, res: Res, next: Next) => void {
  const byVersion = new Map<string, RouteHandler<Req, Res> | null>()
  for (const [key, handler] of Object.entries<RouteHandler<Req, Res> | null | undefined>(handlers)) {
    if (handler !== null && typeof handler !== 'function')
      throw new TypeError(
        `versioning: route: the handler of ${inspectValue(key)} must be a function or null, got ${inspectValue(handler)}`,
      )
    for (const version of versionsIn(key, apiVersions)) {
      if (byVersion.has(version))
        throw new TypeError(`versioning: route: version "${version}" must have one handler, got two`)
      byVersion.set(version, handler)
    }
  }
  const missing = apiVersions.names.filter((name) => !byVersion.has(name)).map((name) => `"${name}"`)
  if (missing.length > 0)
    throw new TypeError(
      `versioning: route: every version must have a handler, got none for ${missing.join(', ')}; use null if the resource does not exist`,
    )
  return (req, res, next) => {
    const handler = byVersion.get(requestVersion.get(req)?.version ?? '')
    if (handler)
      callSafely(
        () => handler(req, res, next),
        () => {},
        (error) => passError(error, 'ERR_VERSIONING_CALLBACK_FAILED', req, res, next),
      )
    else if (handler === null) next()
    else passError(createNotMountedError(), 'ERR_VERSIONING_NOT_MOUNTED', req, res, next)
  }
}

function createNotMountedError(): HttpErrorLike {
  const message = 'The middleware of versioning() must be mounted before its routes.'
  return createHttpError({ status: 500, code: 'ERR_VERSIONING_NOT_MOUNTED', message })
}
