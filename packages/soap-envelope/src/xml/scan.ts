const SPACE = 0x20
const EQUALS = 0x3d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** An attribute as saxes reports it. */
export interface RawAttribute {
  readonly name: string
  readonly value: string
}

/** Reads an attribute whose value needs no normalization. */
export function readAttribute(chunk: string, start: number): RawAttribute | undefined {
  if (!startsName(chunk.charCodeAt(start))) return undefined
  const nameEnd = skipName(chunk, start)
  const quote = chunk.charCodeAt(nameEnd + 1)
  if (chunk.charCodeAt(nameEnd) !== EQUALS || (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE)) return undefined
  const end = skipValue(chunk, nameEnd + 2)
  if (chunk.charCodeAt(end) !== quote) return undefined
  return { name: chunk.slice(start, nameEnd), value: chunk.slice(nameEnd + 2, end) }
}

/** Whether a character may begin a name: those of ASCII only. */
export function startsName(code: number): boolean {
  return ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code === 0x5f
}

/** Returns where spaces end. */
export function skipSpace(chunk: string, start: number): number {
  let end = start
  while (chunk.charCodeAt(end) === SPACE) end++
  return end
}

/** Returns where the ASCII characters of a name end. */
export function skipName(chunk: string, start: number): number {
  let end = start
  for (; end < chunk.length; end++) {
    const code = chunk.charCodeAt(end)
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
    const isOther = (code >= 0x2d && code <= 0x3a && code !== 0x2f) || code === 0x5f
    if (!isLetter && !isOther) break
  }
  return end
}

/** Returns where a text ends, or holds what is not a plain character. */
export function skipText(chunk: string, start: number): number {
  let end = start
  for (; end < chunk.length; end++) {
    const code = chunk.charCodeAt(end)
    if (code < 0x20 || code >= 0xd800) {
      if (code !== 0x0a && code !== 0x09) break
    } else if (code === 0x3c || code === 0x26 || code === 0x3e || code === 0x5d) break
  }
  return end
}

/** Returns where the value of an attribute ends, or holds what is not a plain character. */
export function skipValue(chunk: string, start: number): number {
  let end = start
  for (; end < chunk.length; end++) {
    const code = chunk.charCodeAt(end)
    if (code < 0x20 || code >= 0xd800) break
    if (code === 0x22 || code === 0x27 || code === 0x26 || code === 0x3c) break
  }
  return end
}
