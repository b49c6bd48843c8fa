import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Reply, RequestState } from '../engine/request-state.ts'
import { failure } from '../messages/errors.ts'
import { hostName, isLoopbackName } from '../security/origin.ts'
import { permanentRedirect } from './match-route.ts'

export interface HostOptions {
  /** The address that the service listens on. */
  host: string
  publicUrl: string
  trustProxy: readonly string[]
}

/**
 * Returns whether the Host of a request is a name of this service. Otherwise a page whose name was
 * made to point here (DNS rebinding) could read responses as its own origin. On loopback every
 * request is checked; elsewhere what a trusted proxy forwards, if SVC_PUBLIC_URL names the service.
 */
export function checkHost({ host, publicUrl, trustProxy }: HostOptions): (req: IncomingMessage) => boolean {
  const isLocal = isLoopbackName(host)
  const publicName = publicUrl === '' ? undefined : new URL(publicUrl).hostname.toLowerCase()
  const isProxy = matchNetworks(trustProxy)
  const isOwn = cached((header) => {
    const name = hostName(header)
    return name === '' || name === publicName || isLoopbackName(name)
  })
  if (!isLocal && (publicName === undefined || trustProxy.length === 0)) return () => true
  return (req) => {
    const isForwarded = isProxy(req.socket.remoteAddress ?? '')
    if ((isLocal || isForwarded) && !isOwn(req.headers.host ?? '')) return false
    return !isForwarded || isOwn(forwardedHost(req))
  }
}

/**
 * Redirects plain HTTP, or rejects it if the service has no HTTPS address. Loopback may use it, and
 * so may a trusted proxy that received the request over HTTPS.
 */
export function requireHttps({ publicUrl, trustProxy }: HostOptions): (state: RequestState) => Reply | undefined {
  const isLoopback = matchNetworks(LOOPBACK)
  const isProxy = matchNetworks(trustProxy)
  return ({ req, method }) => {
    if ('encrypted' in req.socket && req.socket.encrypted === true) return undefined
    const peer = req.socket.remoteAddress ?? ''
    const forwarded = isProxy(peer) ? req.headers['x-forwarded-proto'] : undefined
    if (forwarded === undefined ? isLoopback(peer) || peer === '' : forwarded === 'https') return undefined
    if (!publicUrl.startsWith('https:')) throw failure('HTTPS_REQUIRED')
    return permanentRedirect(method, publicUrl + (req.url ?? '/'))
  }
}

function forwardedHost({ headers }: IncomingMessage): string {
  return headers['x-forwarded-host']?.toString().split(',')[0]?.trim() ?? ''
}

const LOOPBACK = ['127.0.0.0/8', '::1']

/**
 * Returns a function that checks whether an address is in one of these networks; `loopback` is one
 * of them.
 */
function matchNetworks(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries.flatMap((each) => (each === 'loopback' ? LOOPBACK : [each]))) {
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

const MAX_CACHED = 1000
const MAX_CACHED_LENGTH = 256

/** Caches the decisions about short strings. */
function cached(decide: (text: string) => boolean): (text: string) => boolean {
  const decisions = new Map<string, boolean>()
  return (text) => {
    const earlier = decisions.get(text)
    if (earlier !== undefined) return earlier
    const decision = decide(text)
    if (decisions.size < MAX_CACHED && text.length <= MAX_CACHED_LENGTH) decisions.set(text, decision)
    return decision
  }
}
