import { recordRoute } from '../endpoints/record-route.ts'
import type { Parts } from '../parts.ts'
import { parseJson } from '../resource/parse-json.ts'
import { type Route, route } from '../resource/route.ts'
import { type Exchanges, filterOf } from './exchanges.ts'
import { experimentPages } from './experiment-page.ts'
import { loginRoute } from './login.ts'
import { mapPage, mapRules } from './map-page.ts'
import { mint } from './mint.ts'
import { negotiationPage } from './negotiation/page.ts'
import { playgroundsPage } from './playgrounds-page.ts'
import { ratelimitPage } from './ratelimit-page.ts'
import { requestsPage } from './requests-page.ts'
import { tokensPage } from './tokens-page.ts'

/** Playgrounds, request log, token maker and the map of the specification. */
export function demoRoutes({ config, services }: Parts, exchanges: Exchanges): Route[] {
  return [
    recordRoute('/play', 'playgrounds', 'private', () => ({ value: {}, page: playgroundsPage })),
    recordRoute('/play/ratelimit', 'playground', 'private', () => ({ value: {}, page: ratelimitPage })),
    recordRoute('/play/negotiation', 'playground', 'private', () => ({ value: {}, page: negotiationPage })),
    ...experimentPages.map(({ path, experiments, page }) =>
      recordRoute(path, 'experiments', 'private', () => ({ value: { experiments }, page })),
    ),
    recordRoute('/_demo/requests', 'requests', 'never', ({ search }) => {
      const entries = exchanges.list(filterOf(search))
      return { value: { entries }, page: (view) => requestsPage(view, entries, filterOf(search)) }
    }),
    recordRoute('/_demo/map', 'rules', 'private', () => ({ value: { experiments: mapRules }, page: mapPage })),
    loginRoute(),
    tokensRoute({ ...services, audience: config.jwtAudience }),
  ]
}

function tokensRoute(maker: Parameters<typeof mint>[1]): Route {
  const page = recordRoute('/_demo/tokens', 'tokens', 'never', () => ({ value: {}, page: tokensPage }))
  const get = page.methods.get('GET')
  if (!get) throw new TypeError('a record is read by GET')
  const post = {
    ...get,
    accepts: ['application/json'],
    async run({ body }: Parameters<typeof get.run>[0]) {
      const { user, scope, lifetimeSeconds = 900, flaw = 'none' } = parseJson(body) as Record<string, unknown>
      const wish = {
        ...{ user: String(user), scope: scope ? String(scope) : undefined },
        ...{ lifetimeSeconds: Number(lifetimeSeconds), flaw: String(flaw) },
      }
      const value = await mint(wish, maker)
      return { status: 200, cache: 'never', content: { kind: 'record', name: 'token', value } } as const
    },
  }
  return route('/_demo/tokens', { GET: get, POST: post })
}
