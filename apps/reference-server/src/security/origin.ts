import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)*localhost\.?|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i

/** The name in a Host field, without its port. */
export function hostName(field = ''): string {
  return field.replace(/:\d*$/, '').toLowerCase()
}

/** Whether a name is one of this machine itself. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK.test(name)
}

/**
 * Returns the origin of the service for a client: the public URL, a loopback name of the request,
 * or the local address of the connection. Other names in a request are not trusted.
 */
export function getOrigin(req: IncomingMessage, publicUrl: string): string {
  if (publicUrl !== '') return new URL(publicUrl).origin
  const { host } = req.headers
  return isLoopbackName(hostName(host)) ? `${schemeFor(req)}://${host}` : localOrigin(req)
}

/** Returns the address below which a client reaches the service: the public URL, or its origin. */
export function getBaseUrl(req: IncomingMessage, publicUrl: string): string {
  return publicUrl || getOrigin(req, '')
}

/** Returns the path of the public URL, which a proxy removes; `''` if it has none. */
export function getBasePath(publicUrl: string): string {
  return publicUrl && new URL(publicUrl).pathname.replace(/\/$/, '')
}

/**
 * Whether a text is an origin that `getOrigin` returns without a public URL: a loopback name or an
 * IP address, with a port. Other processes on the same database have other ports and addresses.
 */
export function isLocalOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text) return false
  return isLoopbackName(url.hostname) || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
}

/** The address of this machine that the connection of a request came to. */
export function localOrigin(req: IncomingMessage): string {
  const { localAddress = '127.0.0.1', localPort } = req.socket
  const address = localAddress.replace(/^::ffff:/, '')
  return `${schemeFor(req)}://${isIPv6(address) ? `[${address}]` : address}:${localPort}`
}

function schemeFor({ socket }: IncomingMessage): 'http' | 'https' {
  return 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
}
