import { splitList, unquote } from '../../internal/list.ts'

const SEMICOLON = 0x3b

// RFC 2046 §5.1.1. The search takes longer, the longer the boundary is.
const MAX_LENGTH = 70

/**
 * Removes the boundary of a multipart body (RFC 2046 §5.1.1), which clients create for each
 * attempt. Each part follows its length. A body without the boundary of its type is returned as is.
 */
export function removeBoundary(body: Uint8Array | string, contentType: string): Uint8Array | string {
  const boundary = findBoundary(contentType)
  if (boundary === undefined) return body
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length)
  // Bytes as characters: a client may send hundreds of thousands of parts, and strings cost less.
  const text = bytes.toString('latin1')
  const delimiter = Buffer.from(`\r\n--${boundary}`).toString('latin1')
  // The first delimiter may be at the very start, without its line break.
  const start = text.startsWith(delimiter.slice(2)) ? delimiter.length - 2 : 0
  const parts = text.slice(start).split(delimiter)
  if (start === 0 && parts.length === 1) return body
  return Buffer.from(parts.map((part) => `${part.length}\n${part}`).join(''), 'latin1')
}

function findBoundary(contentType: string): string | undefined {
  for (const parameter of splitList(contentType, SEMICOLON, 32)) {
    const equals = parameter.indexOf('=')
    if (parameter.slice(0, equals).trimEnd().toLowerCase() !== 'boundary') continue
    const boundary = unquote(parameter.slice(equals + 1).trimStart())
    return boundary.length > 0 && boundary.length <= MAX_LENGTH ? boundary : undefined
  }
  return undefined
}
