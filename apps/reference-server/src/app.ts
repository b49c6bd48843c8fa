import express, { type Express } from 'express'
import { createDemo } from './demo/demo.ts'
import { nearPaths } from './engine/near-path.ts'
import { canGet, methodsOf, routeTable } from './engine/route.ts'
import { compileStripVersion, createVersioning } from './engine/versions.ts'
import { assets } from './formats/pages/assets.ts'
import type { Site } from './formats/pages/site.ts'
import { siteFiles } from './formats/pages/site-files.ts'
import { announceVersion } from './http/announce-version.ts'
import { answerErrors } from './http/answer-errors.ts'
import { authenticate } from './http/authenticate.ts'
import { authorize } from './http/authorize.ts'
import { correlate } from './http/correlate.ts'
import { CORS_FIELDS, crossOrigin } from './http/cross-origin.ts'
import { crossSite } from './http/cross-site.ts'
import type { Parts } from './http/dependencies.ts'
import { oauthError } from './http/endpoints/tokens.ts'
import { find } from './http/find.ts'
import { https } from './http/https.ts'
import { inOrder } from './http/in-order.ts'
import { limits } from './http/limits.ts'
import { requestLog } from './http/log.ts'
import { negotiate } from './http/negotiate.ts'
import { ownHost } from './http/own-host.ts'
import { perform } from './http/perform.ts'
import { limitByAddress, limitBySubject } from './http/rate-limits.ts'
import { requestHead } from './http/request-head.ts'
import { routes } from './http/routes.ts'
import { leave, shed } from './http/shed.ts'
import { tidyQuery } from './http/tidy-query.ts'
import { whenOver } from './http/when-over.ts'
import { securityFields } from './security/headers.ts'

/** The service: every stage of the way of a request, in its order. */
export function createApp(parts: Parts): Express {
  const { config, database, services, state, log } = parts
  const { publicUrl, trustProxy } = config
  const versions = createVersioning(parts.versions, { publicUrl, deprecated: config.deprecatedVersions })
  const stripVersion = compileStripVersion(versions.versions)
  const demo = config.demo ? createDemo(parts) : undefined
  const all = [...routes(parts), ...(demo?.routes ?? [])]
  const findRoute = routeTable(all)
  const site: Site = {
    publicUrl,
    versions: versions.versions,
    isDemo: config.demo,
    methodsOf: methodsOf(findRoute, publicUrl, stripVersion),
    canGet: canGet(findRoute),
  }
  const isHttps = config.tls !== undefined || publicUrl.startsWith('https:')
  const rates = {
    ...{ authenticated: config.rateLimit, anonymous: config.rateLimitAnonymous, trustProxy },
    store: parts.rateLimitStore,
  }
  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)

  app.use(
    inOrder(
      correlate({ ...securityFields(isHttps), ...CORS_FIELDS }),
      ...(demo ? [demo.record] : []),
      whenOver(requestLog(log), parts.measure, leave(state)),
      requestHead(),
      limits(),
      ownHost({ host: config.host, publicUrl, trustProxy }),
      https({ publicUrl, trustProxy }),
      crossOrigin(findRoute, parts.soap.at.keys(), stripVersion),
      assets(),
      siteFiles(site),
      shed(state),
      ...(demo?.stages ?? []),
      crossSite(),
    ),
  )
  const [byAddress, who, bySubject] = [
    limitByAddress(rates),
    authenticate(services.authenticator, trustProxy),
    limitBySubject(rates),
  ]
  for (const [path, endpoint] of parts.soap.at) app.all(path, byAddress, who, bySubject, endpoint)
  app.use(
    inOrder(
      versions,
      announceVersion(versions),
      find(findRoute, config.moved, nearPaths(all)),
      byAddress,
      who,
      bySubject,
      authorize(),
      negotiate(versions),
      tidyQuery(),
      perform({ database, idempotency: services.idempotency, site }),
    ),
  )
  app.use(answerErrors({ log, site, toFault: (context) => parts.soap.toFault(context) ?? oauthError(context) }))
  return app
}
