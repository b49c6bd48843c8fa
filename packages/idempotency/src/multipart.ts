import { splitList, unquote } from '../../internal/list.ts'

const SEMICOLON = 0x3b

/**
 * Removes the boundary of a multipart body (RFC 2046 §5.1.1), which clients create for each
 * attempt. Each part follows its length. A body without the boundary of its type is returned as is.
 */
export function removeBoundary(body: Uint8Array | string, contentType: string): Uint8Array | string {
  const boundary = findBoundary(contentType)
  if (boundary === undefined) return body
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length)
  const parts: Buffer[] = []
  const push = (part: Buffer): void => void parts.push(Buffer.from(`${part.length}\n`), part)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter may be at the very start, without its line break.
  let from = bytes.indexOf(delimiter.subarray(2)) === 0 ? delimiter.length - 2 : 0
  for (let offset = bytes.indexOf(delimiter, from); offset !== -1; offset = bytes.indexOf(delimiter, from)) {
    push(bytes.subarray(from, offset))
    from = offset + delimiter.length
  }
  if (from === 0) return body
  push(bytes.subarray(from))
  return Buffer.concat(parts)
}

function findBoundary(contentType: string): string | undefined {
  for (const parameter of splitList(contentType, SEMICOLON, 32)) {
    const equals = parameter.indexOf('=')
    if (parameter.slice(0, equals).trimEnd().toLowerCase() === 'boundary')
      return unquote(parameter.slice(equals + 1).trimStart()) || undefined
  }
  return undefined
}
