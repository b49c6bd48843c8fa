import { fieldOf, type IncomingMessage } from '../../internal/middleware.ts'
import { addressKey } from './key.ts'
import { defineTrust, type Trust, type TrustProxy, walkProxies } from './proxies.ts'

const nobody: Trust = () => false

/**
 * The address that a request came from, behind the proxies that are trusted. Without `trust` an Express app's own
 * setting `trust proxy` is followed; with none, it is the peer of the socket.
 */
export function clientAddress(req: IncomingMessage, trust?: TrustProxy): string {
  return addressOf(req, trust === undefined ? undefined : defineTrust(trust))
}

/** As `clientAddress`, with the trust made beforehand. */
export function addressOf(req: IncomingMessage, trust: Trust | undefined): string {
  const remote = req.socket.remoteAddress ?? ''
  const forwarded = fieldOf(req, 'x-forwarded-for')
  if (forwarded === undefined) return walkProxies(remote, undefined, nobody)
  return walkProxies(remote, forwarded, trust ?? trustOfApp(req) ?? nobody)
}

/** What an address is counted by; an address that cannot be read (a socket of the file system) counts as it is. */
export function subnetOf(address: string, prefix: number): string {
  return addressKey(address, prefix) ?? address
}

interface ExpressApp {
  get?: (setting: string) => unknown
}

function trustOfApp(req: IncomingMessage): Trust | undefined {
  const app = (req as { app?: ExpressApp }).app
  const trust = typeof app?.get === 'function' ? app.get('trust proxy fn') : undefined
  return typeof trust === 'function' ? (trust as Trust) : undefined
}
