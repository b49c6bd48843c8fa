import { parseHttpDate } from '../../internal/date.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { toErrorRecord } from '../../internal/record.ts'
import { vary } from '../../internal/vary.ts'
import { createPreconditionError } from './check-preconditions.ts'
import type { ContentEncoding, Tuning } from './coding.ts'
import { digest } from './etag.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import { isRead } from './is-read.ts'
import type { NegotiationResult } from './offer-match.ts'
import { parseEntityTag } from './parse-etags.ts'
import { formatTag, type Stem, stemFrom } from './representation-tag.ts'
import { IDENTITY, selectEncoding } from './select-encoding.ts'

/** How the response to one request is coded. */
export interface ResponseEncoding {
  readonly minBytes: number
  /** Whether a response is worth a coding. */
  readonly compressible: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly tuning?: Tuning | undefined
  /** True: compressed bodies are sent in chunks, without a length. */
  readonly isChunked?: boolean
  /** What the client says about the codings. */
  readonly verdict: NegotiationResult
}

/** How it is tagged and which conditions are answered. */
export interface ResponseETags {
  /** Of which kind the tags are that are made where the app made none. */
  readonly etag: 'strong' | 'weak' | false
  /** Whether the conditions of a method that changes nothing are answered. */
  readonly conditional: boolean
}

/** One response of the app on its way out, and what is to be done to it. */
export interface ResponseState {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  coding?: ResponseEncoding
  tags?: ResponseETags
}

/** What becomes of a response; its fields are set accordingly. */
export interface ResponsePlan {
  readonly coding?: ContentEncoding | undefined
  /** The client has it already, or a condition fails: what the app sends is dropped. */
  readonly isReplaced?: boolean
  readonly body?: Buffer | undefined
}

const CONTENT_FIELDS = [
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'Content-Language',
  'Content-Range',
  'Transfer-Encoding',
]

/** Decides what to do with a body of this size, and sets the fields of the answer. */
export function planResponse(out: ResponseState, size: number, stem: Stem | undefined): ResponsePlan {
  const { req, res, coding: how } = out
  const coding = how && isCodable(out) ? selectEncoding(how.verdict, size, how.minBytes) : undefined
  // A weak tag may stand for all codings of a representation; a strong one must not (RFC 9110 8.8.3.3).
  const wanted = coding === undefined || stem?.weak ? 'identity' : coding
  const result = evaluate(out, stem, wanted)
  if (result?.outcome === 'not-modified') return becomeNotModified(out, result.etag)
  if (result?.outcome === 'failed') return becomeFailed(out)
  if (stem) res.setHeader('ETag', formatTag(stem, wanted))
  if (coding !== undefined) {
    res.setHeader('Content-Encoding', coding)
    res.removeHeader('Content-Length')
    res.removeHeader('Accept-Ranges') // ranges would be of the body as it is, not of this one
  }
  if (res.statusCode === 304) keepWeak(req.headers['if-none-match'], res)
  return { coding }
}

/** Says that the answer depends on `Accept-Encoding`, also where it is a 304 or happens to be small. */
export function varyByCoding(out: ResponseState): void {
  if (out.coding && (out.res.statusCode === 304 || isCodable(out))) vary(out.res, 'Accept-Encoding')
}

/** The stem of the app's own tag, else of the hash. */
export function findStem({ res, tags }: ResponseState, hash: string | undefined): Stem | undefined {
  const etag = getHeader(res, 'ETag')
  if (etag !== undefined) {
    const tag = parseEntityTag(etag)
    return tag && { weak: tag.weak, text: tag.opaque }
  }
  if (hash === undefined) return undefined
  const type = getHeader(res, 'Content-Type')
  return { ...stemFrom(hash, { type, language: getHeader(res, 'Content-Language') }), weak: tags?.etag === 'weak' }
}

/** The hash of a body that gets a tag: of a 200 to a method that changes nothing, and not of what may not be stored. */
export function hashBody({ req, res, tags }: ResponseState, body: Buffer | undefined): string | undefined {
  if (!tags?.etag || body === undefined || res.statusCode !== 200 || res.hasHeader('ETag')) return undefined
  if (!isRead(req.method) || res.hasHeader('Content-Range')) return undefined
  return getHeader(res, 'Cache-Control')?.includes('no-store') ? undefined : digest(body)
}

/** The size that the app announced; without one it may become any. */
export function getAnnouncedSize(res: ServerResponse): number {
  return Number(getHeader(res, 'Content-Length') ?? Number.POSITIVE_INFINITY)
}

/** Whether every chunk must reach the client at once. */
export function isLive(res: ServerResponse): boolean {
  return getHeader(res, 'Content-Type')?.startsWith('text/event-stream') === true
}

function evaluate({ req, res, coding, tags }: ResponseState, stem: Stem | undefined, wanted: string) {
  if (tags?.conditional === false) return undefined
  const date = getHeader(res, 'Last-Modified')
  const lastModified = date === undefined ? undefined : parseHttpDate(date)
  const { method } = req
  // Who only codes makes tags of its own, which nobody else knows, and answers for no other condition.
  const headers = tags ? req.headers : { 'if-none-match': req.headers['if-none-match'] }
  const codings = coding?.verdict ?? IDENTITY
  return evaluateCondition({ method, headers, status: res.statusCode, stem, lastModified, codings, wanted })
}

function isCodable({ req, res, coding }: ResponseState): boolean {
  const { statusCode } = res
  if (statusCode === 204 || statusCode === 205 || statusCode === 206 || statusCode === 304) return false
  if (res.hasHeader('Content-Encoding') || res.hasHeader('Content-Range')) return false
  return !getHeader(res, 'Cache-Control')?.includes('no-transform') && coding?.compressible(req, res) === true
}

function becomeNotModified(out: ResponseState, etag: string | undefined): ResponsePlan {
  const { res } = out
  setStatus(out, 304)
  for (const name of CONTENT_FIELDS) res.removeHeader(name)
  if (etag !== undefined) {
    res.removeHeader('Last-Modified')
    res.setHeader('ETag', etag)
  }
  return { isReplaced: true }
}

function becomeFailed(out: ResponseState): ResponsePlan {
  const { req, res } = out
  const failure = createPreconditionError(req.headers)
  const body = Buffer.from(JSON.stringify(toErrorRecord(req, failure)))
  for (const name of [...CONTENT_FIELDS, 'ETag', 'Last-Modified']) res.removeHeader(name)
  setStatus(out, failure.status)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Length', body.length)
  return { isReplaced: true, body }
}

/** Sets a status without the reason phrase that the app may have set for its own status. */
function setStatus({ req, res }: ResponseState, status: number): void {
  res.statusCode = status
  if (req.httpVersionMajor < 2) res.statusMessage = '' // Node.js sets its own
}

// An app that answers 304 itself tells its own tag: that of the form that the client has.
function keepWeak(held: string | undefined, res: ServerResponse): void {
  const etag = getHeader(res, 'ETag')
  if (etag !== undefined && held?.includes(`W/${etag}`)) res.setHeader('ETag', `W/${etag}`)
}

function getHeader(res: ServerResponse, name: string): string | undefined {
  const value = res.getHeader(name)
  return value === undefined ? undefined : String(value)
}
