import express, { type Express } from 'express'
import { createDemo } from './demo/demo.ts'
import { oauthError } from './endpoints/tokens.ts'
import { assets } from './pages/assets.ts'
import type { Site } from './pages/site.ts'
import { siteFiles } from './pages/site-files.ts'
import type { Parts } from './parts.ts'
import { announceVersion } from './pipeline/announce-version.ts'
import { answerErrors } from './pipeline/answer-errors.ts'
import { authenticate } from './pipeline/authenticate.ts'
import { authorize } from './pipeline/authorize.ts'
import { correlate } from './pipeline/correlate.ts'
import { CORS_FIELDS, crossOrigin } from './pipeline/cross-origin.ts'
import { crossSite } from './pipeline/cross-site.ts'
import { find } from './pipeline/find.ts'
import { https } from './pipeline/https.ts'
import { inOrder } from './pipeline/in-order.ts'
import { limits } from './pipeline/limits.ts'
import { requestLog } from './pipeline/log.ts'
import { negotiate } from './pipeline/negotiate.ts'
import { ownHost } from './pipeline/own-host.ts'
import { perform } from './pipeline/perform.ts'
import { limitByAddress, limitBySubject } from './pipeline/rate-limits.ts'
import { requestHead } from './pipeline/request-head.ts'
import { securityFields } from './pipeline/security-fields.ts'
import { leave, shed } from './pipeline/shed.ts'
import { tidyQuery } from './pipeline/tidy-query.ts'
import { whenOver } from './pipeline/when-over.ts'
import { nearPaths } from './resource/near-path.ts'
import { canGet, methodsOf, routeTable } from './resource/route.ts'
import { routes } from './routes.ts'
import { serviceVersions } from './versions/service-versions.ts'

/** The service: every stage of the way of a request, in its order. */
export function createApp(parts: Parts): Express {
  const { config, database, services, state, log } = parts
  const { publicUrl, trustProxy } = config
  const versions = serviceVersions(publicUrl, config.deprecatedVersions)
  const demo = config.demo ? createDemo(parts) : undefined
  const all = [...routes(parts), ...(demo?.routes ?? [])]
  const findRoute = routeTable(all)
  const site: Site = {
    publicUrl,
    isDemo: config.demo,
    methodsOf: methodsOf(findRoute, publicUrl),
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
      crossOrigin(findRoute, parts.soap.at.keys()),
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
