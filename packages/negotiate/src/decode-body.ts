import * as zlib from 'node:zlib'
import type { Failure } from '../../internal/failure.ts'
import { codingsOf, MAX_LAYERS } from './content-encoding.ts'
import { refusal, unsupportedCoding } from './refusal.ts'

/** How much a body may hold once it is decoded. */
export interface DecodeLimits {
  /** Bytes of the decoded body. */
  maxBytes: number
  /** How many times larger than the coded body it may become, once it is over 16 KiB. @defaultValue 100 */
  maxRatio?: number
}

type Decoder = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, decoded: Buffer) => void,
) => void

const FREE_BYTES = 16_384
const MAX_WINDOW = 23 // log2 of 8 MiB (RFC 9659)

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', zlib.gunzip],
  ['deflate', zlib.inflate],
  ['br', zlib.brotliDecompress],
  ...(typeof zlib.zstdDecompress === 'function' ? ([['zstd', decodeZstd]] as const) : []),
])

/** The content codings that this Node can decode. */
export const DECODABLE: readonly string[] = [...DECODERS.keys()]

/**
 * Decodes the body of a request, whatever its `Content-Encoding`; without one the bytes come back as they are.
 * Rejects with a failure: 413 when it would become larger than the limits allow (nothing beyond them is decoded),
 * 400 when it is damaged or cut, 415 for a coding that `acceptBody` would have refused.
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  limits: DecodeLimits,
): Promise<Uint8Array> {
  const { maxBytes, maxRatio = 100 } = limits
  // zlib takes no 0.
  const maxOutputLength = Math.max(1, Math.min(maxBytes, Math.max(FREE_BYTES, bytes.length * maxRatio)))
  let decoded = bytes
  const layers = codingsOf(contentEncoding)
  if (layers.length > MAX_LAYERS) throw unsupportedCoding(DECODABLE)
  for (const coding of layers.reverse()) decoded = await decode(decoded, coding, maxOutputLength)
  if (decoded.length > maxBytes) throw tooLarge(maxBytes)
  return decoded
}

function decode(bytes: Uint8Array, coding: string, maxOutputLength: number): Promise<Uint8Array> {
  const decoder = DECODERS.get(coding)
  return new Promise((resolve, reject) => {
    if (decoder === undefined) return reject(unsupportedCoding(DECODABLE))
    decoder(bytes, { maxOutputLength }, (error, decoded) => {
      if (error === null) resolve(decoded)
      else reject(error instanceof RangeError ? tooLarge(maxOutputLength) : damaged(error)) // zlib: over maxOutputLength
    })
  })
}

function decodeZstd(...[bytes, options, done]: Parameters<Decoder>): void {
  const params = { [zlib.constants.ZSTD_d_windowLogMax]: MAX_WINDOW }
  zlib.zstdDecompress(bytes, { ...options, params }, done)
}

function tooLarge(maxBytes: number): Failure {
  const message = `The body is larger than ${maxBytes} bytes when decoded.`
  return refusal({ status: 413, code: 'ERR_NEGOTIATE_BODY_TOO_LARGE', message })
}

function damaged(cause: Error): Failure {
  const message = 'The body is damaged: its Content-Encoding cannot be decoded.'
  return refusal({ status: 400, code: 'ERR_NEGOTIATE_BODY_DAMAGED', message, cause })
}
