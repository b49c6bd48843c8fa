import { TextDecoder } from 'node:util'
import { encodingOfMark } from './decode.ts'

const DECLARATION_BYTES = 200

/**
 * Decodes a document of a contract by its byte order mark, else by the charset of its Content-Type,
 * else by its XML declaration, else as UTF-8 (RFC 7303 §3, XML 1.0 §4.3.3). Throws a TypeError that
 * names the document if the encoding is not known, or if the bytes are not of it.
 */
export function decodeDocument(bytes: Uint8Array, name: string, charset?: string): string {
  const encoding = encodingOfMark(bytes) ?? charset ?? findDeclared(bytes) ?? 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new TypeError(`soap-envelope: ${name} cannot be read as ${encoding}`, { cause })
  }
}

function findDeclared(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1')
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]
}
