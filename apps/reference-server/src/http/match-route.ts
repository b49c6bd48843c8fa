import { METHODS } from 'node:http'
import type { Versioning } from '@svc/versioning'
import { LRUCache } from 'lru-cache'
import type { KnownRequest, Reply, RequestState, Stage } from '../engine/request-state.ts'
import type { FindRoute, Route } from '../engine/route.ts'
import { failure } from '../messages/errors.ts'
import { quoteInput } from '../messages/messages.ts'
import { nearPaths } from '../messages/near-name.ts'
import { recentTexts } from './kept-representations.ts'
import { fromMiddleware } from './pipeline.ts'

const MAX_KNOWN = 2000
const MAX_TARGET = 512
const MAX_TYPES = 256

/**
 * Runs the stages that find the action of a request. From the second request with the same method,
 * target and media types on, what they have found is known: they read nothing else. Targets that
 * differ only in the id of an item are the same. What is requested once is not stored.
 */
export function recall(resolve: Stage, match: Stage): Stage {
  const knownRequests = new LRUCache<string, KnownRequest>({ max: MAX_KNOWN })
  const isRecent = recentTexts(4 * MAX_KNOWN)
  let count = 0
  return (state) => {
    const { url = '/' } = state.req
    const id = state.method === 'GET' ? findId(url) : ''
    const sharedKey = toKey(state, url, id)
    if (sharedKey === undefined) return resolve(state) ?? match(state)
    const shared = knownRequests.get(sharedKey)
    if (shared) return reuse(state, url, id, shared)
    const ownKey = id === '' ? sharedKey : (toKey(state, url, '') ?? '')
    const request = id === '' ? undefined : knownRequests.get(ownKey)
    if (request) return reuse(state, url, '', request)
    const reply = resolve(state) ?? match(state)
    const isShared = sharesRequest(state, id)
    const key = isShared ? sharedKey : ownKey
    if (reply !== undefined || !isRecent(key)) return reply
    state.known = createKnown(count++, url, state)
    if (isShared) state.id = id
    if (state.known) knownRequests.set(key, state.known)
    return undefined
  }
}

/** Returns the number at the end of a path; empty if there is none. */
function findId(url: string): string {
  let start = url.length
  for (let code = url.charCodeAt(start - 1); code >= ZERO && code <= NINE; code = url.charCodeAt(start - 1)) start--
  return url[start - 1] === '/' && !url.includes('?') ? url.slice(start) : ''
}

const ZERO = 0x30
const NINE = 0x39

/**
 * Whether everything that was found holds for each other id. A link to the next version names the
 * item.
 */
function sharesRequest({ match, versionHeaders }: RequestState, id: string): boolean {
  if (id === '' || match?.params['id'] !== id || versionHeaders['Link'] !== undefined) return false
  return match.action.kind === 'item' && match.route.path.endsWith('/{id}')
}

function createKnown(
  number: number,
  url: string,
  { req, version, versionHeaders, match }: RequestState,
): KnownRequest | undefined {
  // As the middleware of versioning leaves the target.
  const { url: rest = '' } = req
  if (!url.endsWith(rest)) return undefined
  return {
    number,
    versionLength: url.length - rest.length,
    version,
    versionHeaders: Object.freeze(versionHeaders),
    match,
    bodyRules: undefined,
    negotiated: undefined,
    sample: undefined,
  }
}

// Requests with a version header are left to the stages. No target contains a space.
function toKey({ req, method }: RequestState, url: string, id: string): string | undefined {
  const { headers } = req
  const { accept = '', 'content-type': type = '' } = headers
  if (headers['api-version'] !== undefined || headers['accept-version'] !== undefined) return undefined
  if (url.length > MAX_TARGET || accept.length > MAX_TYPES || type.length > MAX_TYPES) return undefined
  return `${method} ${id === '' ? url : `${url.slice(0, -id.length)} `}\n${accept}\n${type}`
}

function reuse(state: RequestState, url: string, id: string, request: KnownRequest): undefined {
  const { versionLength, version, versionHeaders, match } = request
  if (versionLength > 0) {
    state.req.url = url.slice(versionLength)
    state.path = state.path.slice(versionLength)
  }
  state.known = request
  state.id = id
  state.version = version
  state.versionHeaders = versionHeaders
  state.match = match && id !== '' ? { ...match, params: { ...match.params, id } } : match
}

/**
 * Finds the API version of a request, and the headers of its responses. Only OPTIONS and version
 * errors list all versions: elsewhere they are noise.
 */
export function resolveVersion(versions: Versioning): Stage {
  const run = fromMiddleware(versions)
  return (state) => {
    const waits = run(state)
    if (waits !== undefined) throw new Error('reading the version of a request must not wait')
    const { req, method } = state
    const headers = versions.headersFor(req, method === 'OPTIONS' ? 'all' : 'minimal')
    const link = headers['Link']
    state.version = versions.versionOf(req)
    // Frozen only where it is stored: an object of one request must not be remembered as one of
    // many.
    state.versionHeaders = link === undefined ? headers : { ...headers, Link: toSuccessor(link, toPath(req.url)) }
    return undefined
  }
}

const SUCCESSOR = /<([^<>]*\/)>; rel="successor-version"/

// The root of the next version becomes the same resource in it (RFC 5829 §3).
function toSuccessor(link: string, path: string): string {
  if (/[<>"\s]/.test(path)) return link
  return link.replace(SUCCESSOR, (_, root: string) => `<${root}${path.slice(1)}>; rel="successor-version"`)
}

export interface Routing {
  findRoute: FindRoute
  /** All routes, to name the one that a client probably meant. */
  routes: readonly Route[]
  /** Paths of the SOAP services. */
  soapPaths: Iterable<string>
  /** Paths that have moved. */
  moved: ReadonlyMap<string, string>
  /** `''`: redirects are paths. */
  publicUrl: string
}

/**
 * Finds the action of a path and a method: 404, 405 with Allow, 501, OPTIONS, and redirects from
 * near misses.
 */
export function matchRoute({ findRoute, routes, soapPaths, moved, publicUrl }: Routing): Stage {
  const soapServices = new Map([...soapPaths].map((path) => [path.toLowerCase(), path]))
  const findNear = nearPaths(routes.map(({ path }) => path))
  return (state) => {
    const { method, req } = state
    if (!METHODS.includes(method)) throw failure('NOT_IMPLEMENTED.method', { method: quoteInput(method) })
    if (req.url === '*' && method === 'OPTIONS') return { status: 204 }
    const path = toPath(req.url)
    state.path = path
    const request = findRoute(path)
    if (!request) {
      const redirect = redirectNearMiss(state, { findRoute, soapServices, moved, publicUrl })
      if (redirect) return redirect
      const near = findNear(path)
      throw near === undefined ? failure('ROUTE_NOT_FOUND') : failure('ROUTE_NOT_FOUND.near', { near })
    }
    const { route, params } = request
    const action = route.methods.get(method)
    if (action) state.match = { route, action, params: decode(params) }
    else if (method === 'OPTIONS') return describe(route)
    else throw methodNotAllowed(method, route)
    return undefined
  }
}

function toPath(url = '/'): string {
  const question = url.indexOf('?')
  return question === -1 ? url : url.slice(0, question)
}

function methodNotAllowed(method: string, { allow }: Route): Error {
  return failure('METHOD_NOT_ALLOWED.allowed', { method, allowed: allow }, { headers: { Allow: allow } })
}

function decode(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) if (value.includes('%')) params[name] = decodeURIComponent(value)
  return params
}

/** Responds to OPTIONS with the methods of a path, and the media types that they accept. */
function describe({ allow, methods }: Route): Reply {
  const headers: Record<string, string> = { Allow: allow, 'Accept-Ranges': 'none', 'Cache-Control': 'no-store' }
  const names = { POST: 'Accept-Post', PATCH: 'Accept-Patch', QUERY: 'Accept-Query' }
  for (const [method, name] of Object.entries(names)) {
    const types = methods.get(method)?.accepts
    if (types?.length) headers[name] = types.map((type) => (method === 'QUERY' ? `"${type}"` : type)).join(', ')
  }
  return { status: 204, headers }
}

interface NearMisses extends Omit<Routing, 'routes' | 'soapPaths'> {
  /** Paths of the SOAP services by those in lower case. */
  soapServices: ReadonlyMap<string, string>
}

/** Redirects from a path that has moved, ends with a slash, or has capital letters. */
function redirectNearMiss(
  { req, method, path, search, target }: RequestState,
  { findRoute, soapServices, moved, publicUrl }: NearMisses,
): Reply | undefined {
  const tidy = path.replace(/\/+$/, '').toLowerCase()
  const version = target.slice(0, target.length - (req.url ?? '').length)
  const isNear = tidy !== '' && tidy !== path && findRoute(tidy) !== undefined
  const service = version === '' ? soapServices.get(tidy) : undefined
  const better = findMovedPath(moved, path) ?? (isNear ? tidy : service)
  if (better === undefined || better === path) return undefined
  return permanentRedirect(method, `${publicUrl}${version}${better}${search === '' ? '' : `?${search}`}`)
}

/**
 * Returns the new path of one that has moved, or of one below it; `undefined` if it has not moved.
 */
function findMovedPath(moved: ReadonlyMap<string, string>, path: string): string | undefined {
  for (const [from, to] of moved) if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length)
  return undefined
}

/**
 * Redirects to where a resource is now: 301 for GET and HEAD, 308 for the other methods, which keep
 * their body (RFC 9110 §15.4.9). Caches keep it for five minutes only, so that a wrong move can be
 * corrected.
 */
export function permanentRedirect(method: string, location: string): Reply {
  const status = method === 'GET' || method === 'HEAD' ? 301 : 308
  return { status, headers: { Location: location, 'Cache-Control': 'public, max-age=300' } }
}
