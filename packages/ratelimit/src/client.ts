import { getHeader, type IncomingMessage } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { Diagnose } from './diagnose.ts'
import { ipKey } from './key.ts'
import { compileTrust, resolveClient, type Trust, type TrustProxy } from './proxies.ts'

const trustNone: Trust = () => false
const MAX_CACHED = 1000

/**
 * Returns the address of the client, behind the trusted proxies. Without `trustProxy`, the
 * setting `trust proxy` of an Express app applies; without either, the address is the peer of the
 * socket. Throws a `TypeError` if the request is not one of node:http.
 */
export function clientIp(req: IncomingMessage, trustProxy?: TrustProxy): string {
  if (typeof req?.socket !== 'object' || req.socket === null)
    throw new TypeError(`ratelimit: clientIp: req must be a request of node:http, got ${inspectValue(req)}`)
  const remote = req.socket.remoteAddress ?? ''
  const forwarded = getHeader(req, 'x-forwarded-for')
  const trusted = trustProxy === undefined ? (findAppTrust(req) ?? trustNone) : compileTrust(trustProxy)
  return resolveClient(remote, forwarded, trusted)
}

export interface Located {
  ip: string
  subnet: string
}

/** Properties of a request that a locator reads. */
export interface Hops {
  /** Address of the peer; `undefined` if it is unknown. */
  remote: string | undefined
  /** X-Forwarded-For. */
  forwarded: string | undefined
}

/**
 * Creates a function that locates the client of a request, with warnings about the proxies
 * upstream. `byAddress`: whether clients without an address share a counter.
 */
export function locator(
  trust: TrustProxy | undefined,
  prefix: number,
  diagnose: Diagnose,
  byAddress = true,
): (req: IncomingMessage) => Located {
  const readHops = (req: IncomingMessage): Hops => ({
    remote: req.socket.remoteAddress,
    forwarded: getHeader(req, 'x-forwarded-for'),
  })
  return createLocator(trust, prefix, diagnose, byAddress, readHops, findAppTrust)
}

/**
 * The same for any kind of request. `findTrust` returns the setting of its app, if there is one.
 */
export function createLocator<Req>(
  trust: TrustProxy | undefined,
  prefix: number,
  diagnose: Diagnose,
  byAddress: boolean,
  readHops: (req: Req) => Hops,
  findTrust: (req: Req) => Trust | undefined = () => undefined,
): (req: Req) => Located {
  const configured = trust === undefined ? undefined : compileTrust(trust)
  const cached = new Map<string, Located>()
  const locate = (remote: string): Located => {
    const existing = cached.get(remote)
    if (existing) return existing
    const ip = resolveClient(remote, undefined, trustNone)
    // A Unix domain socket has no address: it counts as one client.
    if (ip === '' && byAddress) warnNoAddress(diagnose)
    const located = { ip, subnet: ipKey(ip, prefix) ?? ip }
    if (cached.size >= MAX_CACHED) cached.clear()
    cached.set(remote, located)
    return located
  }
  return (req) => {
    const { remote = '', forwarded } = readHops(req)
    if (forwarded === undefined) return locate(remote)
    const trusted = configured ?? findTrust(req)
    if (!trusted && remote !== '') warnUntrusted(diagnose)
    if (!configured && trusted?.('0.0.0.1', MAX_CACHED)) warnPermissive(diagnose)
    return locate(resolveClient(remote, forwarded, trusted ?? trustNone))
  }
}

interface ExpressApp {
  get?: (setting: string) => unknown
}

function findAppTrust(req: IncomingMessage): Trust | undefined {
  const app = (req as { app?: ExpressApp }).app
  if (typeof app?.get !== 'function' || !app.get('trust proxy')) return undefined
  const trust = app.get('trust proxy fn')
  return typeof trust === 'function' ? (trust as Trust) : undefined
}

function warnUntrusted(diagnose: Diagnose): void {
  diagnose.warnOnce(
    'WRN_RATELIMIT_PROXY_UNTRUSTED',
    "A request has X-Forwarded-For, but no proxy is trusted: all clients behind a proxy share one counter. Set trustProxy (hops, or the proxies' networks), or trustProxy: 0 if there is none.",
  )
}

function warnPermissive(diagnose: Diagnose): void {
  diagnose.warnOnce(
    'WRN_RATELIMIT_PROXY_PERMISSIVE',
    "'trust proxy' of the app is true: clients choose their address in X-Forwarded-For and evade the limit. Set the number of hops instead.",
  )
}

function warnNoAddress(diagnose: Diagnose): void {
  diagnose.warnOnce(
    'WRN_RATELIMIT_NO_ADDRESS',
    'A connection has no address (a Unix domain socket?): all such clients share one counter. Set by, or trustProxy if a proxy sends X-Forwarded-For.',
  )
}
