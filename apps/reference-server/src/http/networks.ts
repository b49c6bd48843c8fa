import { BlockList, isIPv6 } from 'node:net'

const MAX_KNOWN = 1000

/** Tells whether an address is in one of these networks; `loopback` is one of them. */
export function networksOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries.flatMap((one) => (one === 'loopback' ? LOOPBACK : [one]))) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  const known = new Map<string, boolean>()
  return (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    const plain = address.replace(/^::ffff:/, '')
    const isIn = list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
    if (known.size < MAX_KNOWN) known.set(address, isIn)
    return isIn
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1']
