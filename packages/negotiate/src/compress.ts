import type { HttpErrorLike } from '../../internal/http-error.ts'
import { memoize } from '../../internal/memoize.ts'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, assertTypes, assertWordOrFunction, inspectValue } from '../../internal/options.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { type ContentEncoding, ENCODINGS } from './codecs.ts'
import { isCompressible, toEssence } from './compressible.ts'
import { compileEncodings } from './encodings.ts'
import { dropFutileRange } from './if-range.ts'
import { compileNeverCompress, type NeverCompress } from './never-compress.ts'
import { notAcceptable } from './not-acceptable.ts'
import type { ResponseCompression } from './response-plan.ts'
import { endCompression, startCompression } from './response-state.ts'
import { MIN_BYTES } from './select-encoding.ts'

/** Options for `compress()`. */
export interface CompressOptions {
  /**
   * Encodings in the order of preference; `[]` compresses nothing.
   * @defaultValue br, zstd, gzip, deflate, if Node.js supports them
   */
  encodings?: readonly ContentEncoding[]
  /** Minimum size of a compressed body, in bytes. @defaultValue 1024 */
  minBytes?: number
  /**
   * Whether a media type, without its parameters, is worth compressing.
   * @defaultValue text, JSON, XML, JavaScript, SVG, WebAssembly, fonts
   */
  shouldCompress?: (type: string) => boolean
  /**
   * Responses that contain a secret next to input that they echo: their compressed size would
   * reveal the secret (BREACH). Paths, each with everything below it and after any prefix, such as
   * `/v1`, or a function, called when the headers are sent.
   * @defaultValue []
   */
  neverCompress?: NeverCompress
  /**
   * Response to a rejected request: `'next'`, `'json'`, or a function. @defaultValue 'next' with an
   * error handler, otherwise 'json'
   */
  onRefused?: OnRefused
}

export const COMPRESS_OPTIONS: readonly string[] = [
  'encodings',
  'minBytes',
  'shouldCompress',
  'neverCompress',
  'onRefused',
]
/** Options of the package compression by their name here, for the hint in an error message. */
export const PEER_NAMES = { threshold: 'minBytes', filter: 'shouldCompress' }

const SUPPORTED: readonly string[] = ['br', 'zstd', 'gzip', 'deflate']

/**
 * Creates middleware that compresses the responses of an ordinary app, adds `Vary`, and gives HEAD
 * the headers of GET. Strong ETags of the app get a suffix for the encoding, which `If-None-Match`
 * may contain. Responds 406 if the client accepts no encoding and excludes `identity`.
 * @example
 * app.use(compress({ minBytes: 512 }))
 */
export function compress(options: CompressOptions = {}): Middleware {
  assertKnownOptions('negotiate: compress', options, COMPRESS_OPTIONS, PEER_NAMES)
  const begin = createCompression('negotiate: compress', options)
  return function compressing(req, res, next) {
    const refused = begin(req, res)
    if (refused) refuse(refused, req, res, next, options.onRefused)
    else next()
  }
}

/** Creates the step before `next`. It returns the error if the client accepts no encoding. */
export function createCompression(
  owner: string,
  options: CompressOptions,
): (req: IncomingMessage, res: ServerResponse) => HttpErrorLike | undefined {
  assertTypes(owner, options, { encodings: 'strings', shouldCompress: 'function' })
  assertWordOrFunction(owner, 'onRefused', options.onRefused, ['next', 'json'])
  const { minBytes = MIN_BYTES, shouldCompress, neverCompress = [] } = options
  const encodings = resolveEncodings(owner, options.encodings)
  if (!Number.isInteger(minBytes) || minBytes < 0)
    throw new TypeError(`${owner}: minBytes must be a non-negative integer, got ${inspectValue(minBytes)}`)
  const isSecret = compileNeverCompress(owner, neverCompress)
  const isCompressibleType = shouldCompress ? (type: string) => shouldCompress(toEssence(type)) : isCompressible
  const isWorthCompressing = (req: IncomingMessage, res: ServerResponse): boolean => {
    const type = res.getHeader('content-type')
    return type !== undefined && isCompressibleType(String(type)) && !isSecret(req, res)
  }
  const negotiateEncoding = compileEncodings(encodings)
  const settingsFor = memoize((header: string | undefined): ResponseCompression => {
    return { minBytes, isCompressible: isWorthCompressing, negotiated: negotiateEncoding(header) }
  })
  return (req, res) => {
    if (encodings.length === 0) return void endCompression(res)
    const compression = settingsFor(req.headers['accept-encoding'])
    if (compression.negotiated.best === undefined)
      return notAcceptable([...encodings, 'identity'], { vary: ['Accept-Encoding'] })
    if (compression.negotiated.best.value !== 'identity') dropFutileRange(req, true)
    startCompression(req, res, compression)
    return undefined
  }
}

function resolveEncodings(
  owner: string,
  encodings: readonly ContentEncoding[] = ENCODINGS,
): readonly ContentEncoding[] {
  for (const encoding of encodings)
    if (!SUPPORTED.includes(encoding))
      throw new TypeError(`${owner}: encodings must be among ${SUPPORTED.join(', ')}, got ${inspectValue(encoding)}`)
  // Unsupported encodings are dropped, so that the same options work on every version of Node.js.
  return encodings.filter((encoding) => ENCODINGS.includes(encoding))
}
