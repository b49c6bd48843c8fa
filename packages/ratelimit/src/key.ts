import { assertInteger, createArgumentError } from '../../internal/options.ts'
import { formatAddress, isV4, maskAddress, parseAddress } from './address.ts'

/**
 * Returns the key of an IP address: an IPv4 address itself (also if it is mapped into IPv6), the
 * network of an IPv6 address, `2001:db8:1:2::/64`. `ipv6Subnet` is the length of its prefix,
 * 32 to 128.
 * Returns `undefined` if the string is not an IP address.
 */
export function ipKey(ip: string, ipv6Subnet = 64): string | undefined {
  if (typeof ip !== 'string') throw createArgumentError('ratelimit: ipKey', 'ip', 'a string', ip)
  assertInteger('ratelimit: ipKey', 'ipv6Subnet', ipv6Subnet, { min: 32, max: 128 })
  const groups = parseAddress(ip)
  if (!groups) return undefined
  return isV4(groups) ? formatAddress(groups) : `${formatAddress(maskAddress(groups, ipv6Subnet))}/${ipv6Subnet}`
}
