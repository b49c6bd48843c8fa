import { basic } from '../service.ts'
import { jsonFor, jsonPatch, message, query, xml } from './bodies.ts'
import { createRandom, type Random } from './random.ts'

export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  /** The route that it was made from. */
  route: string
}

const METHODS = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'QUERY',
  'PROPFIND',
] as const
const SENDS_BODY: readonly string[] = ['POST', 'PUT', 'PATCH', 'QUERY']
const IDS = ['1', '2', '3', '7', '20', '59', '60'] as const
const ODD_IDS = [
  '0',
  '-1',
  '99999',
  'abc',
  '1.5',
  '9007199254740993',
  '%00',
  '%2e%2e%2f',
  '1%20',
  '😀',
  '%F0%9F',
  'me',
] as const
const NAMES = [
  'page',
  'size',
  'sort',
  'fields',
  'embed',
  'name',
  'salary[gte]',
  'status',
  'id[in]',
  'cursor',
  'x',
  '__proto__',
] as const
const VALUES = [
  '0',
  '1',
  '2',
  '100',
  '-1',
  'name',
  '-id',
  'name,desc',
  'x',
  '',
  '%00',
  '%',
  'a%26b',
  '💥',
  'PAID',
  '1e9',
  '1,2,3',
] as const
const USERS = ['ada', 'ada', 'ada', 'bob', 'eve', 'sam', 'carl', 'cora'] as const
const TYPES = [
  'application/json',
  'application/hal+json',
  'application/prs.hal-forms+json',
  'application/xml',
  'text/csv',
  'text/plain',
  'text/html',
  'application/pdf',
  'image/png',
  'image/svg+xml',
  'application/problem+json',
  '*/*',
  'application/vnd.svc.v2+json',
  'application/vnd.svc.v9+json',
  'text/*;q=0.5, */*;q=0',
  'x',
  ';;,',
  'a/b;q="',
] as [string, ...string[]]
const BODY_TYPES = [
  'application/json',
  'text/plain',
  '',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'x',
] as const
const PREFIXES = ['', '', '', '', '/v1', '/v2', '/v9', '/V1'] as const

/** Field values that mean something here, and others. */
const FIELDS: readonly [string, readonly [string, ...string[]]][] = [
  ['accept-language', ['de', 'fr-CA, en;q=0.5', '*', 'x'.repeat(300), ';q=']],
  ['accept-encoding', ['gzip', 'br', 'deflate', 'zstd', 'identity;q=0', '*;q=0', 'gzip;q=x']],
  ['api-version', ['1', '2', '9', '', 'x']],
  ['accept-version', ['2', '1']],
  ['if-match', ['*', '"x"', 'W/"x"', '"', '"1-x", "y"']],
  ['if-none-match', ['*', '"x"', 'W/"', '']],
  ['if-modified-since', ['Sat, 01 Jan 2028 00:00:00 GMT', 'yesterday', '0']],
  ['if-unmodified-since', ['Sat, 01 Jan 2000 00:00:00 GMT', 'x']],
  ['range', ['bytes=0-1', 'bytes=9-1', 'x']],
  [
    'prefer',
    ['return=minimal', 'return=representation', 'handling=lenient', 'respond-async', 'respond-async, wait=0', ',,='],
  ],
  ['x-correlation-id', ['fuzz-1', 'a b', 'x'.repeat(200)]],
  ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0', 'ff']],
  ['origin', ['https://a.example', 'null', 'x']],
  ['access-control-request-method', ['PATCH', 'x']],
  ['content-encoding', ['gzip', 'br', 'identity', 'compress', 'gzip, gzip']],
  ['x-forwarded-for', ['1.2.3.4', 'x', '::1, 1.1.1.1']],
  ['x-http-method-override', ['DELETE']],
  ['cookie', ['a=b', ';;;']],
  ['expect', ['100-continue']],
]

/** A path of the service, and what can be done there. */
export interface FuzzRoute {
  path: string
  methods: readonly string[]
}

/**
 * Requests without end, the same for the same seed: over all routes, half of them with mistakes in
 * every part.
 */
export function* requests(seed: number, routes: readonly FuzzRoute[]): Generator<FuzzRequest, never> {
  const random = createRandom(seed)
  for (let index = 0; ; index++) {
    const route = routes[index % routes.length] ?? { path: '/', methods: ['GET'] }
    if (random.chance(0.5)) yield likely(route, random, index)
    else if (random.chance(0.95)) yield wild(route.path, random, index)
    else yield wild(random.pick(['/x', '/', '//', '/%', '/..', '*']), random, index)
  }
}

/** A request that may well succeed: at most its body is wrong. */
function likely({ path: route, methods }: FuzzRoute, random: Random, index: number): FuzzRequest {
  const method = random.pick(methods as [string])
  const prefix = random.pick(['', '', '', '/v2'])
  const path = prefix + route.replace(/\{\w+\}/g, () => idFor(route, method, random, IDS))
  const headers: Record<string, string> = { authorization: basic(random.pick(['ada', 'ada', 'bob', 'carl'])) }
  if (random.chance(0.3))
    headers['accept'] = random.pick(['application/xml', 'application/hal+json', 'text/html', '*/*'])
  if (random.chance(0.2)) headers['accept-encoding'] = random.pick(['gzip', 'br', 'deflate', 'zstd'])
  if (random.chance(0.1)) headers[random.pick(['if-none-match', 'if-match'])] = '*'
  if (!SENDS_BODY.includes(method))
    return { method, path: path + pageFor(route, random), headers, body: undefined, route }
  headers['idempotency-key'] = `likely-${index}`
  const [type, body] = bodyFor(route, method, random)
  return { method, path, headers: { ...headers, 'content-type': type }, body, route }
}

function pageFor(route: string, random: Random): string {
  if (route.endsWith('?wsdl') || route.endsWith('}') || random.chance(0.6)) return ''
  return random.pick(['?page=0&size=3', '?sort=-id', '?fields=id', '?size=100&page=1'])
}

function wild(route: string, random: Random, index: number): FuzzRequest {
  const method = random.pick(METHODS)
  const path = pathFor(route, method, random)
  const headers: Record<string, string> = {}
  if (random.chance(0.93)) headers['authorization'] = basic(random.pick(USERS))
  else if (random.chance(0.7))
    headers['authorization'] = random.pick([
      basic('unknown', String(index)),
      'Bearer a.b.c',
      'Basic !',
      'Bearer',
      'x y z',
    ])
  if (random.chance(0.5)) headers['accept'] = random.pick(TYPES)
  for (let more = random.whole(3); more > 0; more--) {
    const [name, values] = random.pick(FIELDS as [(typeof FIELDS)[number]])
    headers[name] = random.pick(values)
  }
  if (random.chance(0.5))
    headers['idempotency-key'] = random.chance(0.9) ? `fuzz-${random.whole(4000)}` : random.pick(['', '"', 'é'])
  if (!SENDS_BODY.includes(method) && random.chance(0.9)) return { method, path, headers, body: undefined, route }
  const [type, body] = bodyFor(route, method, random)
  const contentType = random.chance(0.92) ? type : random.pick(BODY_TYPES)
  if (contentType !== '') headers['content-type'] = contentType
  return { method, path, headers, body, route }
}

// The users who send the requests stay as they are.
// Paths whose variable is a name.
const NAMED: Readonly<Record<string, readonly [string, ...string[]]>> = {
  '/problems/': ['not-found', 'rate-limited', '__proto__', 'x'],
  '/rels/': ['manager', 'tracking', '__proto__', 'x'],
}

function idFor(route: string, method: string, random: Random, ids: readonly string[]): string {
  const names = NAMED[/^\/[a-z]+\//.exec(route)?.[0] ?? '']
  if (names) return random.pick(names)
  const isUser = /^\/users\/\{\w+\}$/.test(route) && !['GET', 'HEAD'].includes(method)
  return random.pick(isUser ? ['8', '9', '99999', 'x'] : (ids as [string]))
}

function pathFor(route: string, method: string, random: Random): string {
  const ids = random.chance(0.85) ? IDS : ODD_IDS
  const named = route.replace(/\{\w+\}/g, () => idFor(route, method, random, ids))
  const prefix = route.startsWith('/') ? random.pick(PREFIXES) : ''
  const tail = random.chance(0.03) ? random.pick(['/', '.json', '/x', '//', '%20', ';a=b']) : ''
  const count = random.chance(0.5) ? random.whole(4) : 0
  const pairs = Array.from({ length: count }, () => `${random.pick(NAMES)}=${random.pick(VALUES)}`)
  return encodeURI(prefix + named + tail + (pairs.length > 0 ? `?${pairs.join('&')}` : '')).replace(/%25/g, '%')
}

function bodyFor(route: string, method: string, random: Random): [type: string, body: string] {
  if (route.startsWith('/ws/')) return message(route, random)
  if (route === '/tokens')
    return [
      'application/x-www-form-urlencoded',
      random.pick(['grant_type=client_credentials', 'grant_type=x', '', '%', 'scope=x']),
    ]
  if (method === 'QUERY') return ['application/json', query(random)]
  if (method === 'PATCH' && random.chance(0.3)) return ['application/json-patch+json', jsonPatch(random)]
  if (method === 'PATCH' && random.chance(0.4)) return ['application/merge-patch+json', jsonFor(route, random)]
  if (random.chance(0.1)) return ['application/xml', xml(route, random)]
  return ['application/json', jsonFor(route, random)]
}
