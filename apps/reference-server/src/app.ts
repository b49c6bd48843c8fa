import { errors } from '@svc/errors'
import { idempotencyEngine } from '@svc/idempotency'
import { rateLimit } from '@svc/ratelimit'
import { versioning } from '@svc/versioning'
import express from 'express'
import { routeTable } from './engine/route.ts'
import { siteFiles } from './formats/pages/assets.ts'
import { createSite } from './formats/pages/view.ts'
import { authenticate, authorize } from './http/authenticate.ts'
import { preflight } from './http/cors.ts'
import { type AppDependencies, type CreateExtension, joinExtensions } from './http/dependencies.ts'
import { edge, leave, shed } from './http/edge.ts'
import { errorOptions } from './http/error-handler.ts'
import { keyStore } from './http/idempotency.ts'
import { requestLog } from './http/log.ts'
import { matchRoute, recall, resolveVersion } from './http/match-route.ts'
import { selectRepresentation } from './http/negotiate.ts'
import { fromMiddleware, onPaths, pipeline } from './http/pipeline.ts'
import * as limits from './http/rate-limits.ts'
import { routes } from './http/routes.ts'
import { runAction } from './http/run-action.ts'
import { soapEndpoints } from './http/soap/endpoints.ts'
import { responseHeaders } from './security/headers.ts'
import { getBasePath } from './security/origin.ts'

/** Creates the service: the seven packages, and the stages of a request in their order. */
export function createApp(parts: AppDependencies, extensions: readonly CreateExtension[] = []) {
  const { config, database, services, formats, state, log } = parts
  const { publicUrl, rateLimit: rate, rateLimitAnonymous: anonymousRate } = config
  const { authenticator, locate } = services
  const added = joinExtensions(extensions.map((createExtension) => createExtension(parts)))
  const all = [...routes(parts), ...added.routes]
  const findRoute = routeTable(all)

  const versions = versioning({
    versions: parts.versions.map(({ name }) => name),
    default: 'lowest',
    vendor: 'svc',
    basePath: getBasePath(publicUrl),
    deprecated: Object.fromEntries(config.deprecatedVersions),
    headers: 'none', // The pipeline writes all headers of a response at once.
    setContentType: false,
  })
  const counting = limits.countingOptions(config.trustProxy, parts.rateLimitStore)
  const anonymous = anonymousRate && rateLimit({ ...counting, name: 'anonymous', rate: anonymousRate, by: 'subnet' })
  const failures = limits.failureLimit(anonymous)
  const tokens = rate || anonymousRate ? rateLimit({ ...counting, ...limits.TOKEN_LIMIT }) : undefined
  const bySubject = rate && rateLimit({ ...counting, name: 'authenticated', rate, by: limits.getSubject })
  const idempotency = idempotencyEngine({ store: keyStore(database) })

  const site = createSite(config, { versions: versions.versions, additions: added.site, findRoute })
  const soap = soapEndpoints(parts, site, added.soap)
  const routing = matchRoute({ findRoute, routes: all, soapPaths: soap.paths, moved: config.moved, publicUrl })
  const guards = [
    limits.limitByAddress(anonymous, tokens), // @svc/ratelimit
    authenticate({ database, authenticator, locate, failures }),
    limits.limitBySubject(bySubject), // @svc/ratelimit
  ]
  const onError = errors(errorOptions({ log, site, localizers: added.localizers, toFault: soap.toFault })) // @svc/errors
  const service = pipeline({
    headers: responseHeaders(config.tls !== undefined || publicUrl.startsWith('https:')),
    stages: [
      ...added.observe.map(fromMiddleware),
      edge(config, preflight(findRoute, soap.paths, versions.versions)),
      siteFiles(site, added.assets),
      shed(state, versions.versions),
      ...added.stages.map(fromMiddleware),
      onPaths(soap.paths, [...guards, soap.respond]), // @svc/soap-envelope
      recall(resolveVersion(versions), routing), // @svc/versioning
      ...guards,
      authorize(),
      selectRepresentation(versions, formats, publicUrl), // @svc/negotiate
      runAction({ database, idempotency, site, findRoute, formats, locate }), // @svc/idempotency, @svc/hal
    ],
    observers: [requestLog(parts.writeInfo), parts.measure, leave(state)],
    onError,
  })
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false)
  return { app: app.use(service).use(onError), findRoute }
}
