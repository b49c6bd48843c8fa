import { type AppDependencies, type RecordInfo, type Route, recordRoute } from '../../reference-server/src/index.ts'
import { type Exchanges, parseFilter } from './exchanges.ts'
import { experimentPages } from './experiment-page.ts'
import { halPage } from './hal-page.ts'
import { loginRoute } from './login.ts'
import { createMapPage, visibleRules } from './map-page.ts'
import { negotiationPage } from './negotiation/page.ts'
import { playgroundsPage } from './playgrounds-page.ts'
import { ratelimitPage } from './ratelimit-page.ts'
import { requestsPage } from './requests-page.ts'
import { soapRoutes } from './soap/routes.ts'
import { tokensRoute } from './tokens-route.ts'

/** Playgrounds, request log, token maker and the map of the specification. */
export function playgroundRoutes(dependencies: AppDependencies, exchanges: Exchanges): Route[] {
  const { config, database, services } = dependencies
  const visible = visibleRules(config)
  return [
    recordRoute('/play', pageInfo('/play', 'playgrounds', 'private'), () => ({ value: {}, page: playgroundsPage })),
    recordRoute('/play/ratelimit', pageInfo('/play/ratelimit', 'playground', 'private'), () => ({
      value: {},
      page: ratelimitPage,
    })),
    recordRoute('/play/negotiation', pageInfo('/play/negotiation', 'playground', 'private'), () => ({
      value: {},
      page: negotiationPage,
    })),
    recordRoute('/play/hal', pageInfo('/play/hal', 'playground', 'private'), () => ({ value: {}, page: halPage })),
    ...experimentPages.map(({ path, experiments, page }) =>
      recordRoute(path, pageInfo(path, 'experiments', 'private'), () => ({ value: { experiments }, page })),
    ),
    recordRoute('/_demo/requests', pageInfo('/_demo/requests', 'requests', 'never'), ({ search }) => {
      const entries = exchanges.list(parseFilter(search))
      return { value: { entries }, page: (view) => requestsPage(view, entries, parseFilter(search)) }
    }),
    recordRoute('/_demo/map', pageInfo('/_demo/map', 'rules', 'private'), () => ({
      value: { experiments: visible },
      page: createMapPage(visible),
    })),
    loginRoute(),
    ...soapRoutes(dependencies),
    ...(config.jwks === undefined ? [tokensRoute({ ...services, db: database, audience: config.jwtAudience })] : []),
  ]
}

// Pages are not part of the OpenAPI document.
function pageInfo(path: string, record: string, cache: RecordInfo['cache']): RecordInfo {
  const summary = `Get the page ${path}`
  return { record, cache, operationId: `get${path}`, summary, description: summary, tag: 'playground' }
}
