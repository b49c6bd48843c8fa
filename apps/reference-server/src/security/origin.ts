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
 * Where a client finds the service again: by its public URL, by a name of this machine itself, or at the address that
 * the connection came to. No other name that a request has is believed.
 */
export function originOf(req: IncomingMessage, publicUrl: string): string {
  if (publicUrl !== '') return new URL(publicUrl).origin
  const { host } = req.headers
  return isLoopbackName(hostName(host)) ? `${schemeOf(req)}://${host}` : localOrigin(req)
}

/**
 * Whether a text is an origin that `originOf` returns without a public URL: a loopback name or an IP address, with a
 * port. Other processes on the same database answer at other ports and addresses.
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
  return `${schemeOf(req)}://${isIPv6(address) ? `[${address}]` : address}:${localPort}`
}

function schemeOf({ socket }: IncomingMessage): 'http' | 'https' {
  return 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
}
