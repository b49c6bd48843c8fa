import { formatAddress, isV4, maskAddress, parseAddress } from './address.ts'

/**
 * What an address is counted by: an IPv4 address as it is (also when it came mapped into IPv6), of an IPv6 address the
 * network that one customer gets, `2001:db8:1:2::/64`. `undefined` for what is no IP address.
 */
export function ipKey(address: string, prefix = 64): string | undefined {
  const groups = parseAddress(address)
  if (!groups) return undefined
  return isV4(groups) ? formatAddress(groups) : `${formatAddress(maskAddress(groups, prefix))}/${prefix}`
}
