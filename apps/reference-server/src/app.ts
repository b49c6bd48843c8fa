import type { ErrorContext } from '@svc/errors'
import express, { type Express } from 'express'
import { DEMO_USERS } from './domain/seed/demo-users.ts'
import type { Stage } from './engine/request-state.ts'
import { canGet, findMethods, routeTable } from './engine/route.ts'
import { compileStripVersion, createVersioning } from './engine/versions.ts'
import { assets } from './formats/pages/assets.ts'
import { siteFiles } from './formats/pages/site-files.ts'
import type { SiteConfig } from './formats/pages/view.ts'
import { authenticate, authorize } from './http/authenticate.ts'
import { CORS_HEADERS, preflight } from './http/cors.ts'
import type { AppDependencies, CreateExtension } from './http/dependencies.ts'
import { edge, leave, shed } from './http/edge.ts'
import { oauthError } from './http/endpoints/tokens.ts'
import { errorHandler } from './http/error-handler.ts'
import { requestLog } from './http/log.ts'
import { matchRoute, recall, resolveVersion } from './http/match-route.ts'
import { selectRepresentation } from './http/negotiate.ts'
import { fromMiddleware, onPaths, pipeline } from './http/pipeline.ts'
import { limitByAddress, limitBySubject } from './http/rate-limits.ts'
import { routes } from './http/routes.ts'
import { runAction } from './http/run-action.ts'
import { soapEndpoints } from './http/soap/endpoints.ts'
import { nearPaths } from './messages/near-name.ts'
import { securityHeaders } from './security/headers.ts'

/** Creates the service: the stages of a request, in their order. Extensions add theirs. */
export function createApp(parts: AppDependencies, create: readonly CreateExtension[] = []): Express {
  const { config, database, services, state, log } = parts
  const { publicUrl } = config
  const versions = createVersioning(parts.versions, { publicUrl, deprecated: config.deprecatedVersions })
  const stripVersion = compileStripVersion(versions.versions)
  const extensions = create.map((createExtension) => createExtension(parts))
  const all = [...routes(parts), ...extensions.flatMap(({ routes = [] }) => routes)]
  const findRoute = routeTable(all)
  const site: SiteConfig = {
    publicUrl,
    versions: versions.versions,
    users: config.demo ? DEMO_USERS : [],
    additions: extensions.flatMap(({ site }) => site ?? []),
    findMethods: findMethods(findRoute, publicUrl, stripVersion),
    canGet: canGet(findRoute),
  }
  const soap = soapEndpoints(parts, site, Object.assign({}, ...extensions.map(({ soap }) => soap)))
  const isHttps = config.tls !== undefined || publicUrl.startsWith('https:')
  const rates = { ...config, store: parts.rateLimitStore }
  const guards = [
    limitByAddress(rates), // @svc/ratelimit
    authenticate({ authenticator: services.authenticator, database, trustProxy: config.trustProxy }),
    limitBySubject(rates), // @svc/ratelimit
  ]
  const stages: Stage[] = [
    ...extensions.flatMap(({ observe }) => (observe ? fromMiddleware(observe) : [])),
    edge(config),
    preflight(findRoute, soap.paths, stripVersion),
    assets(extensions.flatMap(({ assets = [] }) => assets)),
    siteFiles(site),
    shed(state),
    ...extensions.flatMap(({ stages = [] }) => stages.map(fromMiddleware)),
    onPaths(soap.paths, [...guards, soap.respond]), // @svc/soap-envelope
    recall(
      resolveVersion(versions), // @svc/versioning
      matchRoute({ findRoute, findNear: nearPaths(all.map(({ path }) => path)), moved: config.moved }),
    ),
    ...guards,
    authorize(),
    selectRepresentation(versions, parts.formats), // @svc/negotiate
    runAction({ database, idempotency: services.idempotency, site, findRoute, formats: parts.formats }), // @svc/idempotency, @svc/hal
  ]
  const headers = Object.freeze({ ...securityHeaders(isHttps), ...CORS_HEADERS })
  const observers = [requestLog(parts.writeInfo), parts.measure, leave(state)]

  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  app.use(pipeline({ headers, stages, observers }))
  const localizers = extensions.flatMap(({ localize }) => localize ?? [])
  const toFault = (context: ErrorContext) => soap.toFault(context) ?? oauthError(context)
  app.use(errorHandler({ log, site, localizers, toFault })) // @svc/errors
  return app
}
