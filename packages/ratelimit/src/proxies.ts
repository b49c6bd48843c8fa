import { inspectValue } from '../../internal/options.ts'
import { formatAddress, type Groups, isV4, maskAddress, parseAddress } from './address.ts'

/** Trusted proxies: number of hops, or their addresses and networks (`10.0.0.0/8`). */
export type TrustProxy = number | readonly string[]

/** Whether the hop at this distance (0 is the peer of the socket) is trusted. */
export type Trust = (address: string, hop: number) => boolean

/** Longest chain that is followed. Entries further left are the client's own. */
const MAX_HOPS = 32

/** Creates a test from hops or networks. Throws a `TypeError` for anything else. */
export function compileTrust(trust: TrustProxy): Trust {
  if (typeof trust === 'number') {
    if (!Number.isSafeInteger(trust) || trust < 0 || trust > MAX_HOPS)
      throw new TypeError(
        `ratelimit: trustProxy must be a number of hops from 0 to ${MAX_HOPS}, got ${inspectValue(trust)}`,
      )
    return (_address, hop) => hop < trust
  }
  if (!Array.isArray(trust))
    throw new TypeError(
      `ratelimit: trustProxy must be a number of hops or a list of networks, got ${inspectValue(trust)}`,
    )
  return matchNetworks('trustProxy', trust)
}

/** Creates a test for membership in any of the addresses and networks. */
export function matchNetworks(option: string, networks: readonly string[]): (address: string) => boolean {
  const parsed = networks.map((network) => parseNetwork(option, network))
  return (address) => {
    const groups = parseAddress(address)
    return groups !== undefined && parsed.some(({ base, prefix }) => equal(maskAddress(groups, prefix), base))
  }
}

/**
 * Resolves the client address: follows X-Forwarded-For from the right while the hop that wrote an
 * entry is trusted. An entry that is not an IP address ends the chain at the hop before.
 */
export function resolveClient(remote: string, forwarded: string | undefined, trust: Trust): string {
  let client = toCanonical(remote) ?? remote
  if (forwarded === undefined) return client
  let end = forwarded.length
  for (let hop = 0; end > 0 && hop < MAX_HOPS && trust(client, hop); hop++) {
    const comma = forwarded.lastIndexOf(',', end - 1)
    const entry = toCanonical(forwarded.slice(comma + 1, end))
    if (entry === undefined) return client
    client = entry
    end = comma
  }
  return client
}

function toCanonical(address: string): string | undefined {
  const groups = parseAddress(address)
  return groups && formatAddress(groups)
}

function parseNetwork(option: string, network: string): { base: Groups; prefix: number } {
  const [address = '', bits] = String(network).split('/')
  const groups = parseAddress(address)
  const width = groups && isV4(groups) && !address.includes(':') ? 32 : 128
  const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (!groups || prefix < 0 || prefix > width)
    throw new TypeError(
      `ratelimit: ${option} must contain addresses and networks such as 10.0.0.0/8, got ${inspectValue(network)}`,
    )
  const fullPrefix = width === 32 ? prefix + 96 : prefix
  return { base: maskAddress(groups, fullPrefix), prefix: fullPrefix }
}

function equal(a: Groups, b: Groups): boolean {
  return a.every((group, index) => group === b[index])
}
