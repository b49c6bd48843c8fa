import type {
  AppDependencies,
  Config,
  CreateExtension,
  Extension,
  Language,
  SiteAdditions,
  SiteLink,
} from '../../reference-server/src/index.ts'
import { pulseStyle, scripts, style } from './assets.ts'
import { burst } from './burst.ts'
import { pulse, requestEvents } from './events.ts'
import { Exchanges } from './exchanges.ts'
import { localizeFailure } from './failure.ts'
import { faults } from './faults.ts'
import { lifecycle } from './lifecycle.ts'
import { loopbackOnly } from './loopback.ts'
import { pulseView } from './pulse.ts'
import { recorder } from './recorder.ts'
import { retries } from './retries.ts'
import { playgroundRoutes } from './routes.ts'
import { type DemoTextKey, demoText } from './texts.ts'

/** The first places to visit, for the lines that the start prints. */
export const PLACES: readonly (readonly [label: string, path: string])[] = [
  ['Play', '/play'],
  ['Requests', '/_demo/requests'],
]

/** Returns the playground if the configuration asks for a demo. */
export function playgroundFor({ demo }: Pick<Config, 'demo'>): readonly CreateExtension[] {
  return demo ? [playground] : []
}

/**
 * Adds the playgrounds, the request log, the token maker and the map of the specification to a
 * service.
 */
export function playground(dependencies: AppDependencies): Extension {
  const exchanges = new Exchanges()
  const routes = playgroundRoutes(dependencies, exchanges)
  const paths = new Set(routes.map(({ path }) => path))
  return {
    observe: recorder(exchanges),
    stages: [
      loopbackOnly(),
      requestEvents(exchanges, dependencies),
      pulse(exchanges, dependencies),
      burst(),
      retries(),
      faults(),
      lifecycle(),
    ],
    routes,
    assets: [style, pulseStyle, ...Object.values(scripts)],
    site: {
      ...site,
      // With the keys of another issuer there is no token maker.
      navigation: navigation.filter(({ href }) => paths.has(href)),
      pulse: (language) => ({
        content: pulseView(exchanges, language),
        script: scripts.pulse,
        style: pulseStyle,
      }),
    },
    localize: localizeFailure,
  }
}

function link(href: string, key: DemoTextKey): SiteLink {
  return { href, label: (language: Language) => demoText(language, key) }
}

const navigation: readonly SiteLink[] = [
  link('/play', 'playgrounds'),
  link('/_demo/requests', 'requests'),
  link('/_demo/tokens', 'tokens'),
  link('/_demo/map', 'map'),
]

const site: SiteAdditions = {
  showcases: {
    errors: [link('/play/faults', 'seeFaults')],
    hal: [link('/play/hal', 'seeHal')],
    negotiate: [link('/play/negotiation', 'seeNegotiation'), link('/play/cache', 'seeCache')],
    versioning: [link('/play/versioning', 'seeVersions')],
    ratelimit: [link('/play/ratelimit', 'seeBurst')],
    idempotency: [link('/play/idempotency', 'seeRetry')],
    'soap-envelope': [link('/play/soap', 'seeSoap')],
  },
  loginPath: '/login',
  recordHref: (correlationId) => `/_demo/requests?id=${encodeURIComponent(correlationId)}`,
  outline: [
    {
      path: '/play',
      name: 'Playgrounds',
      says: 'requests that show negotiation, caching, errors, HAL, versions, rate limits, idempotency and SOAP',
    },
  ],
  unlisted: ['/_demo/', '/login', '/play/ratelimit/calls', '/play/idempotency/calls', '/play/lifecycle/'],
}
