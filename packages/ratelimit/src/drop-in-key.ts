import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage } from '../../internal/middleware.ts'
import { formatAddress, isV4, parseAddress } from './address.ts'
import { locator } from './client.ts'
import type { Diagnose } from './diagnose.ts'
import { type ExpressRateLimitOptions, resolveValue } from './drop-in-options.ts'
import { ipKey } from './key.ts'

/**
 * Returns the key of an address: itself, or the network of an IPv6 address. `false` keeps the whole
 * address.
 */
export function ipKeyGenerator(ip: string, ipv6Subnet: number | false = 56): string {
  // The deprecated form ::1.2.3.4 (RFC 4291 §2.5.5.1) is IPv4 too; ::1 is not.
  const address = /^::\d+\.\d+\.\d+\.\d+$/.test(ip) ? ip.slice(2) : ip
  if (ipv6Subnet !== false) return ipKey(address, ipv6Subnet) ?? ip
  // An IPv4 address that is mapped into IPv6 is one client, however it is written.
  const groups = parseAddress(address)
  return groups && isV4(groups) ? formatAddress(groups) : ip
}

/**
 * Creates the default of `keyGenerator`: the address behind the trusted proxies, or its network.
 * A property `ip` of the request itself, which is not that of Express, takes precedence.
 */
export function createDefaultKey<Req extends IncomingMessage, Res>(
  { ipv6Subnet = 56 }: ExpressRateLimitOptions<Req, Res>,
  diagnose: Diagnose,
): (req: Req, res: Res) => MaybePromise<string> {
  const locate = locator(undefined, 128, diagnose)
  return async (req, res) => {
    // An app behind a CDN may have set `ip` itself: then it has decided which proxy to trust.
    const assigned = (req as { ip?: unknown }).ip
    const isSet = Object.hasOwn(req, 'ip') && typeof assigned === 'string'
    const ip = isSet || !req.socket ? String(assigned) : locate(req).ip
    if (!ip.includes(':')) return ip
    const subnet = await resolveValue(ipv6Subnet, req, res)
    return ipKeyGenerator(ip, isSubnet(subnet) ? subnet : 56)
  }
}

/** Whether a value is a prefix length of IPv6, or false for the whole address. */
export function isSubnet(value: unknown): value is number | false {
  return value === false || (Number.isInteger(value) && Number(value) >= 32 && Number(value) <= 128)
}
