/** The eight 16-bit groups of an IP address, IPv4 in the form ::ffff:a.b.c.d. */
export type Groups = readonly number[]

/**
 * Parses an IP address: IPv4, or IPv6 in every notation, with a zone, in brackets, or followed by a
 * port. Returns `undefined` for anything else. Linear, never throws.
 */
export function parseAddress(text: string): Groups | undefined {
  if (text.length > 100) return undefined
  const bare = removePort(text.trim())
  const zone = bare.indexOf('%')
  const address = zone === -1 ? bare : bare.slice(0, zone)
  if (!address.includes(':')) {
    const v4 = parseV4(address)
    return v4 && [0, 0, 0, 0, 0, 0xffff, ...v4]
  }
  return parseV6(address)
}

/** Whether the address is IPv4, regardless of its notation. */
export function isV4(groups: Groups): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
}

/** Formats an address in its canonical form (RFC 5952). */
export function formatAddress(groups: Groups): string {
  if (isV4(groups)) {
    const [high = 0, low = 0] = groups.slice(6)
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const [start, length] = findLongestZeros(groups)
  const hex = groups.map((group) => group.toString(16))
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}

/** Clears all bits of an address after the prefix. */
export function maskAddress(groups: Groups, prefix: number): Groups {
  return groups.map((group, index) => {
    const bits = Math.min(Math.max(prefix - index * 16, 0), 16)
    return group & (0xffff << (16 - bits)) & 0xffff
  })
}

function removePort(text: string): string {
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    return end === -1 ? '' : text.slice(1, end)
  }
  const colon = text.indexOf(':')
  return colon !== -1 && colon === text.lastIndexOf(':') && text.includes('.') ? text.slice(0, colon) : text
}

function parseV4(text: string): [number, number] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  const [a = -1, b = -1, c = -1, d = -1] = parts.map((part) => (/^(0|[1-9]\d{0,2})$/.test(part) ? Number(part) : -1))
  if (Math.min(a, b, c, d) < 0 || Math.max(a, b, c, d) > 255) return undefined
  return [a * 256 + b, c * 256 + d]
}

function parseV6(text: string): Groups | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0] ?? '')
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '') : []
  if (!head || !tail) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  return [...head, ...Array<number>(missing).fill(0), ...tail]
}

function parseGroups(text: string): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const v4 = parseV4(part)
      if (!v4) return undefined
      groups.push(...v4)
    } else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

function findLongestZeros(groups: Groups): [start: number, length: number] {
  let best: [number, number] = [-1, 0]
  let start = -1
  for (let index = 0; index <= groups.length; index++) {
    if (groups[index] === 0) {
      if (start === -1) start = index
    } else {
      if (start !== -1 && index - start > best[1]) best = [start, index - start]
      start = -1
    }
  }
  return best
}
