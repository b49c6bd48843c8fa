import { type BrotliOptions, constants, type ZlibOptions } from 'node:zlib'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { ENCODINGS } from './coding.ts'
import { isCompressible } from './compressible.ts'
import { getNegotiator, offers } from './offers.ts'
import { getResponseState, type ResponseEncoding } from './response-state.ts'
import { MIN_BYTES } from './select-encoding.ts'

export type { Middleware, Next } from '../../internal/middleware.ts'

/** The options of the package compression. */
export interface CompressionOptions extends ZlibOptions {
  /** Whether a response is compressed. @defaultValue `filter` */
  filter?: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Bytes from which a body is compressed, or a size such as `'1kb'`. @defaultValue 1024 */
  threshold?: number | string
  /** The coding for requests without `Accept-Encoding`. @defaultValue 'identity' */
  enforceEncoding?: string
  /** Options of zlib for `br`. @defaultValue quality 4 */
  brotli?: BrotliOptions
}

const OWN = ['filter', 'threshold', 'enforceEncoding', 'brotli']
const ZLIB = ['chunkSize', 'dictionary', 'finishFlush', 'flush', 'level', 'memLevel', 'strategy', 'windowBits']
const SIZE = /^(\d+(?:\.\d+)?) *(b|kb|mb|gb)?$/i
const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 }

/**
 * The interface of the package compression: content codings alone, as a middleware. It answers `If-None-Match`, since
 * it makes entity tags of its own, and no other condition; `negotiate()` does more. The README lists where it differs.
 */
export function compression(options: CompressionOptions = {}): Middleware {
  const settings = settingsOf(options)
  const { enforceEncoding } = options
  const decide = getNegotiator('encoding', offers(ENCODINGS))
  return function compressionMiddleware(req, res, next) {
    const verdict = decide(req.headers['accept-encoding'] ?? enforceEncoding)
    getResponseState(req, res).coding = { ...settings, verdict }
    next()
  }
}

/** The filter that holds where the app gives none: responses of a type that becomes smaller. */
export function filter(_req: IncomingMessage, res: ServerResponse): boolean {
  const type = res.getHeader('Content-Type')
  return type !== undefined && isCompressible(String(type))
}

function settingsOf(options: CompressionOptions): Omit<ResponseEncoding, 'verdict'> {
  assertKnownOptions('negotiate: compression', options, [...OWN, ...ZLIB])
  const { filter: compressible = filter, threshold, enforceEncoding = 'identity', brotli, ...zlib } = options
  if (typeof compressible !== 'function')
    throw new TypeError(`negotiate: compression: filter must be a function, got ${inspectValue(compressible)}`)
  const known: readonly string[] = [...ENCODINGS, 'identity']
  if (!known.includes(enforceEncoding))
    throw new TypeError(
      `negotiate: compression: enforceEncoding must be among ${known.join(', ')}, got ${inspectValue(enforceEncoding)}`,
    )
  const isTuned = brotli !== undefined || Object.keys(zlib).some((name) => ZLIB.includes(name))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, ...brotli?.params }
  const tuning = isTuned ? { brotli: { ...brotli, params }, zlib } : undefined
  return { minBytes: bytesOf(threshold), compressible, tuning }
}

function bytesOf(threshold: number | string | undefined): number {
  if (threshold === undefined) return MIN_BYTES
  if (typeof threshold === 'number' && threshold >= 0) return threshold
  const size = SIZE.exec(String(threshold))
  if (size === null)
    throw new TypeError(
      `negotiate: compression: threshold must be a size such as '1kb', got ${inspectValue(threshold)}`,
    )
  return Number(size[1]) * (UNITS[(size[2] ?? 'b').toLowerCase()] ?? 1)
}
