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
    for (let index = start + 7; ; index--) {
      const digit = bytes[index] ?? 0
      bytes[index] = digit === 0x39 ? 0x30 : digit + 1
      if (digit !== 0x39 || index === start) return bytes.toString('latin1')
    }
  }
}

/** So many keys as clients make them. */
export function uuids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => uuid(index))
}

export function uuid(index: number): string {
  return `8e03978e-40d5-43e8-bc93-${index.toString(16).padStart(12, '0')}`
}

export function address(index: number): string {
  return `${10 + (index >> 24)}.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
}

/**
 * A text in one piece, as a database returns it. One that was joined stays joined for as long as it
 * lives, and takes `JSON.stringify` two to three times as long.
 */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}
