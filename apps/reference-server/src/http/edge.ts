import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Reply, RequestState, Stage } from '../engine/request-state.ts'
import { isSafe } from '../engine/route.ts'
import { compileStripVersion } from '../engine/versions.ts'
import { type FailureKey, failure } from '../messages/errors.ts'
import { invalidRequest } from '../security/authenticator.ts'
import { hostName, isLoopbackName } from '../security/origin.ts'
import type { ServiceState } from './dependencies.ts'
import { permanentRedirect } from './match-route.ts'
import type { Observer } from './pipeline.ts'

/** uri-host [":" port] (RFC 9110 §7.2, RFC 3986 §3.2.2). The IPv6 address itself is not checked. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i
const TOKEN_PARAMETERS = /(?:^|&)(?:access_token|token|id_token)=/i
const MAX_TARGET_BYTES = 8192
const MAX_HEADER_BYTES = 16_384
const MAX_IN_FLIGHT = 1000

export interface HostOptions {
  /** The address that the service listens on. */
  host: string
  publicUrl: string
  trustProxy: readonly string[]
}

/**
 * Rejects what no resource should see: heads that are not valid HTTP (400, 417), too large (414,
 * 431) or malformed (400), names of other hosts (421), plain HTTP from other machines, and changes
 * that another site sends (403). Then responds to preflights.
 */
export function edge(options: HostOptions, preflight: Stage): Stage {
  const isOwnHost = checkHost(options)
  const isLoopback = matchNetworks(LOOPBACK)
  const isProxy = matchNetworks(options.trustProxy)
  const hasProxies = options.trustProxy.length > 0
  return (state) => {
    const { req, method, path, search } = state
    const { url = '/', headers, rawHeaders } = req
    const { host, expect } = headers
    let size = 0
    let hosts = 0
    let sentHost: string | undefined
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? ''
      const value = rawHeaders[index + 1] ?? ''
      size += name.length + value.length + 4
      if (name.length !== 4 || name.toLowerCase() !== 'host') continue
      hosts++
      sentHost = value
    }
    // Host, target and Expect must be valid HTTP (RFC 9112 §3.2, RFC 9110 §10.1.1). A target in
    // absolute form has replaced Host in `headers`, and does not excuse the one that was sent.
    const isHttp11 = req.httpVersion === '1.1'
    const isValidHost = sentHost === undefined ? !isHttp11 : HOST.test(sentHost)
    const isValidTarget = host === sentHost || HOST.test(host ?? '')
    if (!isValidHost || !isValidTarget || hosts > 1) throw failure('MALFORMED_HOST')
    if ((!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) || url.includes('#'))
      throw failure('MALFORMED_URI.form')
    if (!isHttp11)
      delete headers.expect // which HTTP/1.0 does not have
    else if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw failure('EXPECTATION_FAILED')
    if (url.length > MAX_TARGET_BYTES) throw failure('URI_TOO_LONG.limit', { maxBytes: MAX_TARGET_BYTES })
    if (size > MAX_HEADER_BYTES) throw failure('HEADERS_TOO_LARGE.limit', { maxBytes: MAX_HEADER_BYTES })
    if (url.includes('%') && !(isWellFormed(path) && isWellFormed(search.replaceAll('+', ' '))))
      throw failure('MALFORMED_URI')
    if (search !== '' && TOKEN_PARAMETERS.test(search)) throw invalidRequest('INVALID_REQUEST.tokenInUri')
    if (!isOwnHost(req)) throw failure('MISDIRECTED_REQUEST')
    // Loopback may use plain HTTP, and so may a proxy that received the request over HTTPS.
    if (!('encrypted' in req.socket && req.socket.encrypted === true)) {
      const peer = req.socket.remoteAddress ?? ''
      const forwarded = hasProxies && isProxy(peer) ? headers['x-forwarded-proto'] : undefined
      const isAllowed = forwarded === undefined ? peer === '' || isLoopback(peer) : forwarded === 'https'
      if (!isAllowed) return redirectToHttps(state, options.publicUrl)
    }
    if (headers['sec-fetch-site'] !== undefined && isCrossSite(req)) throw failure('CROSS_SITE')
    return method === 'OPTIONS' ? preflight(state) : undefined
  }
}

/**
 * Rejects requests with 503 in maintenance, while the process stops, and in overload. Health always
 * responds, in each of these API versions.
 */
export function shed(service: ServiceState, versions: readonly string[]): Stage {
  const stripVersion = compileStripVersion(versions)
  return ({ res, path }) => {
    service.inFlight.push(res)
    const { draining, maintenance, inFlight } = service
    if (!draining && !maintenance && inFlight.length <= MAX_IN_FLIGHT) return undefined
    if (draining) res.shouldKeepAlive = false
    if (stripVersion(path).startsWith('/health')) return undefined
    if (draining) throw unavailable('SERVICE_UNAVAILABLE.stopping', 5)
    if (maintenance) throw unavailable('SERVICE_UNAVAILABLE.maintenance', 60)
    throw unavailable('SERVICE_UNAVAILABLE.overload', 1)
  }
}

/** Counts a request no longer, when it is over. */
export function leave({ inFlight }: Pick<ServiceState, 'inFlight'>): Observer {
  return ({ res }) => {
    const index = inFlight.indexOf(res)
    if (index === -1) return
    const last = inFlight.pop()
    if (last && last !== res) inFlight[index] = last
  }
}

function unavailable(key: FailureKey, retryAfter: number): Error {
  return failure(key, undefined, { retryAfter })
}

function isWellFormed(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0')
  } catch {
    return false
  }
}

/**
 * Whether another site makes a browser send a change with the password that the browser stores: it
 * adds Basic to each request, but never a token. Clients that are not browsers send no
 * Sec-Fetch-Site.
 */
function isCrossSite({ method = 'GET', headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none' || isSafe(method)) return false
  return /^basic /i.test(headers.authorization ?? '')
}

/**
 * Returns whether the Host of a request is a name of this service. Otherwise a page whose name was
 * made to point here (DNS rebinding) could read responses as its own origin. On loopback every
 * request is checked; elsewhere what a trusted proxy forwards, if SVC_PUBLIC_URL names the service.
 */
export function checkHost({ host, publicUrl, trustProxy }: HostOptions): (req: IncomingMessage) => boolean {
  const isLocal = isLoopbackName(host)
  const publicName = publicUrl === '' ? undefined : new URL(publicUrl).hostname.toLowerCase()
  const isOwn = cached((header) => {
    const name = hostName(header)
    return name === '' || name === publicName || isLoopbackName(name)
  })
  if (!isLocal && (publicName === undefined || trustProxy.length === 0)) return () => true
  if (trustProxy.length === 0) return (req) => isOwn(req.headers.host ?? '')
  const isProxy = matchNetworks(trustProxy)
  return (req) => {
    const isForwarded = isProxy(req.socket.remoteAddress ?? '')
    if ((isLocal || isForwarded) && !isOwn(req.headers.host ?? '')) return false
    return !isForwarded || isOwn(forwardedHost(req))
  }
}

/** Redirects plain HTTP from another machine, or rejects it if the service has no HTTPS address. */
function redirectToHttps(state: RequestState, publicUrl: string): Reply {
  const { 'Strict-Transport-Security': _, ...headers } = state.common
  state.common = headers // RFC 6797 §7.2
  if (!publicUrl.startsWith('https:')) throw failure('HTTPS_REQUIRED')
  const { url = '/' } = state.req
  return permanentRedirect(state.method, publicUrl + (url === '*' ? '/' : url))
}

function forwardedHost({ headers }: IncomingMessage): string {
  return headers['x-forwarded-host']?.toString().split(',')[0]?.trim() ?? ''
}

const LOOPBACK = ['127.0.0.0/8', '::1']

/** Returns a function that checks whether an address is in one of these networks. */
function matchNetworks(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return cached((address) => {
    const plain = address.replace(/^::ffff:/, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  })
}

/** Caches the decisions about short strings. */
function cached(decide: (text: string) => boolean): (text: string) => boolean {
  const decisions = new LRUCache<string, boolean>({
    max: 1000,
    maxEntrySize: 256,
    sizeCalculation: (_, text) => text.length + 1,
    memoMethod: decide,
  })
  return (text) => decisions.memo(text)
}
