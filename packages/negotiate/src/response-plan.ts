import { parseHttpDate } from '../../internal/date.ts'
import { memoize } from '../../internal/memoize.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { REPRESENTATION_HEADERS, toErrorRecord } from '../../internal/record.ts'
import { compileVary } from '../../internal/vary.ts'
import { createPreconditionError } from './check-preconditions.ts'
import type { CodecOptions, ContentEncoding } from './codecs.ts'
import { isReadMethod } from './conditional-headers.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import type { NegotiationResult } from './offer-match.ts'
import { parseETag } from './parse-etags.ts'
import { IDENTITY, selectEncoding } from './select-encoding.ts'
import { digest, type ETagStem, formatTag, toVariantPart } from './validators.ts'

/** Settings for compressing the response to one request. */
export interface ResponseCompression {
  readonly minBytes: number
  /** Whether a response is worth compressing. */
  readonly isCompressible: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly codecOptions?: CodecOptions | undefined
  /** Whether compressed bodies are sent in chunks, without a length. */
  readonly isChunked?: boolean
  /** Result of negotiating `Accept-Encoding`. */
  readonly negotiated: NegotiationResult
}

/** Settings for the ETags and conditions of a response. */
export interface ResponseETags {
  /** The kind of ETag for bodies that the app sends without one. */
  readonly etag: 'strong' | 'weak' | false
  /** Whether the conditions of reads are evaluated. */
  readonly conditional: boolean
}

/** A response of the app before it is sent, and the settings for it. */
export interface ResponseState {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  compression?: ResponseCompression | undefined
  tags?: ResponseETags | undefined
}

/** Result of `planResponse()`, which has set the headers accordingly. */
export interface ResponsePlan {
  readonly encoding?: ContentEncoding | undefined
  /**
   * Whether the client has the content already or a condition fails. The content of the app is then
   * discarded.
   */
  readonly isReplaced?: boolean
  readonly body?: string | undefined
}

// Headers are read and removed by their names in lower case: node:http converts other names first.
const CONTENT_HEADERS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-range',
  'trailer',
  'transfer-encoding',
]
// Digests of the bytes that the app sends (RFC 9530, and before it RFC 3230 and RFC 1864).
const CONTENT_DIGESTS = ['content-digest', 'digest', 'content-md5']
const DIGESTS = [...CONTENT_DIGESTS, 'repr-digest']
const NOT_MODIFIED_HEADERS = [...CONTENT_HEADERS, ...CONTENT_DIGESTS]
const REPLACED_HEADERS = [...CONTENT_HEADERS, ...DIGESTS, ...REPRESENTATION_HEADERS]

/**
 * Decides how a body of this size is sent, and sets the headers of the response. `canCompress` is
 * the result of `varyByEncoding()`.
 */
export function planResponse(
  state: ResponseState,
  size: number,
  stem: ETagStem | undefined,
  canCompress: boolean,
): ResponsePlan {
  const { req, res, compression } = state
  const encoding =
    compression && canCompress ? selectEncoding(compression.negotiated, size, compression.minBytes) : undefined
  // A weak ETag may cover all encodings of a representation; a strong one must not (RFC 9110
  // §8.8.3.3).
  const tagEncoding = encoding === undefined || stem?.weak ? 'identity' : encoding
  const result = evaluate(state, stem, tagEncoding)
  if (result?.outcome === 'not-modified') return planNotModified(state, result.etag)
  if (result?.outcome === 'failed') return planPreconditionFailed(state)
  if (stem) res.setHeader('ETag', formatTag(stem, tagEncoding))
  if (encoding !== undefined) {
    res.setHeader('Content-Encoding', encoding)
    res.removeHeader('content-length')
    res.removeHeader('accept-ranges') // ranges would refer to the uncompressed body
  }
  if (res.statusCode === 304) restoreWeakTag(req.headers['if-none-match'], res)
  return { encoding }
}

const addAcceptEncoding = compileVary('Accept-Encoding')

/**
 * Returns whether the response may be compressed, and adds `Accept-Encoding` to `Vary`, also if it
 * is a 304, compressed by the app, too small, or a part of such a response (RFC 9110 §15.3.7).
 */
export function varyByEncoding(state: ResponseState): boolean {
  if (!state.compression) return false
  const { statusCode } = state.res
  const varies = allowsCompression(state.compression, state)
  if (varies || statusCode === 304 || state.res.hasHeader('content-encoding')) addAcceptEncoding(state.res)
  return varies && statusCode !== 206
}

/** Returns the stem of the ETag for a hash; without one, that of the ETag of the app. */
export function findStem({ res, tags }: ResponseState, hash: string | undefined): ETagStem | undefined {
  if (hash !== undefined) {
    const variant = { type: getHeader(res, 'content-type'), language: getHeader(res, 'content-language') }
    return { weak: tags?.etag === 'weak', text: `${hash}.${toVariantPart(variant)}` }
  }
  const etag = getHeader(res, 'etag')
  const tag = etag === undefined ? undefined : parseETag(etag)
  return tag && { weak: tag.weak, text: tag.opaque }
}

const MAX_CACHED_TEXT = 1024
const digestText = memoize<string, string>(digest, MAX_CACHED_TEXT, (text) => Buffer.from(text).toString())

/** Returns the hash of a body that gets an ETag: of a 200 to a read that may be stored. */
export function hashBody({ req, res, tags }: ResponseState, body: Buffer | string | undefined): string | undefined {
  if (!tags?.etag || body === undefined || res.statusCode !== 200 || res.hasHeader('etag')) return undefined
  if (!isReadMethod(req.method) || res.hasHeader('content-range')) return undefined
  if (hasDirective(res, 'no-store')) return undefined
  // Express sends short texts as text. Most are sent several times, and looking one up costs a part
  // of hashing it.
  return typeof body === 'string' ? digestText(body) : digest(body)
}

/** Returns the `Content-Length` of the app, or another size if there is none. */
export function getAnnouncedSize(res: ServerResponse, otherwise: number): number {
  return Number(getHeader(res, 'content-length') ?? otherwise)
}

/** Whether each chunk must reach the client immediately. */
export function isLive(res: ServerResponse): boolean {
  return getHeader(res, 'content-type')?.startsWith('text/event-stream') === true
}

function evaluate({ req, res, compression, tags }: ResponseState, stem: ETagStem | undefined, encoding: string) {
  if (tags?.conditional === false) return undefined
  const date = getHeader(res, 'last-modified')
  const lastModified = date === undefined ? undefined : parseHttpDate(date)
  const { method } = req
  // `compress()` only evaluates `If-None-Match`, since only that can name an ETag with its suffix.
  const headers = tags ? req.headers : { 'if-none-match': req.headers['if-none-match'] }
  const encodings = compression?.negotiated ?? IDENTITY
  return evaluateCondition({ method, headers, status: res.statusCode, stem, lastModified, encodings, encoding })
}

/** Whether the response, or that of which it is a part, may be compressed. */
function allowsCompression(compression: ResponseCompression, { req, res }: ResponseState): boolean {
  const { statusCode } = res
  if (statusCode === 204 || statusCode === 205 || statusCode === 304) return false
  if (res.hasHeader('content-encoding') || (statusCode !== 206 && res.hasHeader('content-range'))) return false
  if (hasDirective(res, 'no-transform') || !compression.isCompressible(req, res)) return false
  for (const name of DIGESTS) if (res.hasHeader(name)) return false
  return true
}

/** Whether `Cache-Control` has a directive, in any case (RFC 9111 §5.2). */
function hasDirective(res: ServerResponse, directive: string): boolean {
  return getHeader(res, 'cache-control')?.toLowerCase().includes(directive) === true
}

function planNotModified(state: ResponseState, etag: string | undefined): ResponsePlan {
  const { res } = state
  setStatus(state, 304)
  for (const name of NOT_MODIFIED_HEADERS) res.removeHeader(name)
  if (etag !== undefined) {
    res.removeHeader('last-modified')
    res.setHeader('ETag', etag)
  }
  return { isReplaced: true }
}

function planPreconditionFailed(state: ResponseState): ResponsePlan {
  const { req, res } = state
  const error = createPreconditionError(req.headers)
  const body = JSON.stringify(toErrorRecord(req, error))
  for (const name of REPLACED_HEADERS) res.removeHeader(name)
  setStatus(state, error.status)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Length', Buffer.byteLength(body))
  return { isReplaced: true, body }
}

/** Sets a status without the reason phrase that the app may have set for its own status. */
function setStatus({ req, res }: ResponseState, status: number): void {
  res.statusCode = status
  if (req.httpVersionMajor < 2) res.statusMessage = '' // Node.js sets its own
}

// If the app itself responds with 304, it sends its own ETag; the client may have the weak form.
function restoreWeakTag(ifNoneMatch: string | undefined, res: ServerResponse): void {
  const etag = getHeader(res, 'etag')
  if (etag !== undefined && ifNoneMatch?.includes(`W/${etag}`)) res.setHeader('ETag', `W/${etag}`)
}

function getHeader(res: ServerResponse, name: string): string | undefined {
  const value = res.getHeader(name)
  return value === undefined ? undefined : String(value)
}
