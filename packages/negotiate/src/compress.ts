import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { type ContentEncoding, ENCODINGS } from './coding.ts'
import { isCompressible } from './compressible.ts'
import { compileNeverCompress, type NeverCompress } from './never-compress.ts'
import { notAcceptable } from './not-acceptable.ts'
import { getNegotiator, offers } from './offers.ts'
import { getResponseState } from './response-state.ts'
import { MIN_BYTES } from './select-encoding.ts'

/** Options for `compress()`. */
export interface CompressOptions {
  /**
   * Encodings in the order of preference; `[]` compresses nothing. @defaultValue br, zstd, gzip, deflate, as far as
   * Node.js supports them
   */
  encodings?: readonly ContentEncoding[]
  /** Bytes from which a body is compressed. @defaultValue 1024 */
  minBytes?: number
  /** Whether a media type is worth compressing. @defaultValue text, JSON, XML, JavaScript, SVG, WebAssembly, fonts */
  shouldCompress?: (type: string) => boolean
  /**
   * Responses that contain a secret next to input that they echo: their compressed size would reveal the secret (BREACH).
   * Paths, each with everything below it, or a function, called when the headers are sent. @defaultValue []
   */
  neverCompress?: NeverCompress
  /** Who responds to a rejected request. @defaultValue the error handler of the app, else a JSON Error record */
  onRefused?: OnRefused
}

export const COMPRESS_OPTIONS: readonly string[] = [
  'encodings',
  'minBytes',
  'shouldCompress',
  'neverCompress',
  'onRefused',
]
/** Our options by the names that the package compression has for them. */
export const PEER_NAMES = { threshold: 'minBytes', filter: 'shouldCompress' }

const SUPPORTED: readonly string[] = ['br', 'zstd', 'gzip', 'deflate']

/**
 * Gives the responses of an ordinary app content codings and `Vary`, and HEAD the fields of GET. Strong entity tags of
 * the app differ by coding, and are known again in `If-None-Match`. 406 for a client that takes no coding and refuses
 * the body as it is.
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

/** The part of it that comes before `next`: returns the failure where the client takes nothing. */
export function createCompression(
  owner: string,
  options: CompressOptions,
): (req: IncomingMessage, res: ServerResponse) => HttpErrorLike | undefined {
  const { minBytes = MIN_BYTES, shouldCompress = isCompressible, neverCompress = [] } = options
  const codings = resolveEncodings(owner, options.encodings)
  if (!Number.isInteger(minBytes) || minBytes < 0)
    throw new TypeError(`${owner}: minBytes must be a non-negative integer, got ${inspectValue(minBytes)}`)
  if (typeof shouldCompress !== 'function')
    throw new TypeError(`${owner}: shouldCompress must be a function, got ${inspectValue(shouldCompress)}`)
  const isSecret = compileNeverCompress(owner, neverCompress)
  const isWorthCoding = (req: IncomingMessage, res: ServerResponse): boolean => {
    const type = res.getHeader('Content-Type')
    return type !== undefined && shouldCompress(String(type)) && !isSecret(req, res)
  }
  const decide = getNegotiator('encoding', offers(codings))
  return (req, res) => {
    if (codings.length === 0) return undefined
    const verdict = decide(req.headers['accept-encoding'])
    if (verdict.best === undefined) return notAcceptable([...codings, 'identity'], { vary: ['Accept-Encoding'] })
    getResponseState(req, res).coding = { minBytes, compressible: isWorthCoding, verdict }
    return undefined
  }
}

function resolveEncodings(owner: string, codings: readonly ContentEncoding[] = ENCODINGS): readonly ContentEncoding[] {
  for (const coding of codings)
    if (!SUPPORTED.includes(coding))
      throw new TypeError(`${owner}: encodings must be among ${SUPPORTED.join(', ')}, got ${inspectValue(coding)}`)
  // What this Node lacks is left out: the same options hold on all of them.
  return codings.filter((coding) => ENCODINGS.includes(coding))
}
