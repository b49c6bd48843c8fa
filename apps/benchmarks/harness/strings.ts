/** A header as a server gets it: a fresh string each time, nothing about it known to the engine. */
export function fresh(text: string): () => string {
  const bytes = Buffer.from(text)
  return () => bytes.toString('latin1')
}

/** The same with another number in the place of its zeros each time. */
export function numbered(text: string): () => string {
  const bytes = Buffer.from(text)
  const start = text.indexOf('00000000')
  return () => {
    for (let at = start + 7; ; at--) {
      const digit = bytes[at] ?? 0
      bytes[at] = digit === 0x39 ? 0x30 : digit + 1
      if (digit !== 0x39 || at === start) return bytes.toString('latin1')
    }
  }
}

/** So many keys as clients make them. */
export function uuids(count: number): string[] {
  return Array.from({ length: count }, (_, at) => uuid(at))
}

export function uuid(at: number): string {
  return `8e03978e-40d5-43e8-bc93-${at.toString(16).padStart(12, '0')}`
}

export function address(at: number): string {
  return `${10 + (at >> 24)}.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
}
