import { type BrotliOptions, constants, type ZlibOptions } from 'node:zlib'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { ENCODINGS } from './codecs.ts'
import { isCompressible } from './compressible.ts'
import { dropFutileRange } from './if-range.ts'
import { getNegotiator, offers } from './offers.ts'
import type { ResponseCompression } from './response-plan.ts'
import { startCompression } from './response-state.ts'
import { MIN_BYTES } from './select-encoding.ts'

export type { Middleware, Next } from '../../internal/middleware.ts'

declare global {
  namespace Express {
    interface Response {
      /** Sends what has been written so far, if the response is compressed. */
      flush(): void
    }
  }
}

/** The options of the package compression. */
export interface CompressionOptions extends Omit<ZlibOptions, 'info' | 'maxOutputLength'> {
  /** Whether a response is compressed. @defaultValue `filter` */
  filter?(req: IncomingMessage, res: ServerResponse): boolean
  /**
   * Minimum size of a compressed body, in bytes or as a string such as `'1kb'`. @defaultValue 1024
   */
  threshold?: number | string
  /**
   * The encoding for requests without `Accept-Encoding`; an unsupported one compresses nothing.
   * @defaultValue 'identity'
   */
  enforceEncoding?: string
  /** Options of zlib for `br`. @defaultValue quality 4 */
  brotli?: BrotliOptions
}

const OPTIONS = ['filter', 'threshold', 'enforceEncoding', 'brotli']
const ZLIB_OPTIONS = ['chunkSize', 'dictionary', 'finishFlush', 'flush', 'level', 'memLevel', 'strategy', 'windowBits']
const SIZE = /^(\d+(?:\.\d+)?) *(b|kb|mb|gb)?$/i
const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 }

/**
 * Creates middleware with the interface of the package compression. It only compresses, and returns
 * 304 for `If-None-Match`, since its ETags differ by encoding. The docs list where results differ.
 */
export function compression(options?: CompressionOptions | null): Middleware {
  const settings = resolveSettings(options ?? {})
  const enforced = options?.enforceEncoding ?? 'identity'
  // `*` in the option would choose by the order of the server; the peer compresses nothing.
  const enforceEncoding = enforced === '*' ? 'identity' : enforced
  const negotiateEncoding = getNegotiator('encoding', offers(ENCODINGS))
  return function compressionMiddleware(req, res, next) {
    const negotiated = negotiateEncoding(req.headers['accept-encoding'] || enforceEncoding)
    if (negotiated.best && negotiated.best.value !== 'identity') dropFutileRange(req, true)
    startCompression(req, res, { ...settings, negotiated })
    if (req.method !== 'HEAD') returnFalseAfterEnd(res)
    next()
  }
}

/** `compression()` with its default filter as a property, as in the package compression. */
const compressionWithFilter = Object.assign(compression, { filter })

export { compressionWithFilter as default }

/** Makes a second `end` return false, like a second `write`, as in the package compression. */
function returnFalseAfterEnd(res: ServerResponse): void {
  const { end } = res
  let isEnded = false
  const endOnce = (...args: unknown[]): unknown => {
    const result = end.apply(res, args as never)
    const wasEnded = isEnded
    isEnded = true
    return wasEnded ? false : result
  }
  res.end = endOnce as typeof res.end // not the function itself: see internal/intercept-response.ts
}

/** The default filter: compresses responses whose type gets smaller. */
export function filter(_req: IncomingMessage, res: ServerResponse): boolean {
  const type = res.getHeader('content-type')
  return type !== undefined && isCompressible(String(type))
}

function resolveSettings(options: CompressionOptions): Omit<ResponseCompression, 'negotiated'> {
  assertKnownOptions('negotiate: compression', options, [...OPTIONS, ...ZLIB_OPTIONS])
  const { filter: shouldCompress = filter, threshold, enforceEncoding: _, brotli, ...zlib } = options
  if (typeof shouldCompress !== 'function')
    throw new TypeError(`negotiate: compression: filter must be a function, got ${inspectValue(shouldCompress)}`)
  const isTuned = brotli !== undefined || Object.keys(zlib).some((name) => ZLIB_OPTIONS.includes(name))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, ...brotli?.params }
  const codecOptions = isTuned ? { brotli: { ...brotli, params }, zlib } : undefined
  return { minBytes: parseBytes(threshold), isCompressible: shouldCompress, codecOptions, isChunked: true }
}

function parseBytes(threshold: number | string | undefined): number {
  if (threshold === undefined) return MIN_BYTES
  if (typeof threshold === 'number' && threshold >= 0) return threshold
  const size = SIZE.exec(String(threshold))
  if (size === null)
    throw new TypeError(
      `negotiate: compression: threshold must be a size such as '1kb', got ${inspectValue(threshold)}`,
    )
  return Number(size[1]) * (UNITS[(size[2] ?? 'b').toLowerCase()] ?? 1)
}
