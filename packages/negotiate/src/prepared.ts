import { attempt } from '../../internal/guard.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import { createPreconditionError } from './check-preconditions.ts'
import { type ContentEncoding, ENCODINGS, getCodec, MAX_SYNC_BYTES } from './codecs.ts'
import { isConditional } from './conditional-headers.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import { handleError } from './handle-error.ts'
import { notAcceptable } from './not-acceptable.ts'
import { getNegotiator, offers } from './offers.ts'
import { compileHead, fillHead, type Head, type HeadValues } from './prepared-head.ts'
import type { Representation } from './representation.ts'
import { buildHeaders, buildNotModifiedHeaders, type HeaderParts } from './representation-headers.ts'
import { acceptsIdentity, MIN_BYTES, selectEncoding } from './select-encoding.ts'
import { canCompress, createRepresentationError } from './send-representation.ts'
import { buildStem, createStem, digest, type ETagStem, formatLastModified, formatTag } from './validators.ts'

/**
 * The representation for `prepareRepresentation()`: the response to GET with its complete content.
 */
export interface PreparableRepresentation extends Omit<Representation, 'body' | 'formats' | 'status'> {
  /** The complete content. */
  body: string | Uint8Array
}

/** The properties of a representation that differ between items. */
export type OwnRepresentation = Pick<PreparableRepresentation, 'body' | 'version' | 'variant' | 'etag' | 'lastModified'>

/** A representation that is encoded, tagged and compressed once, and sent any number of times. */
export interface PreparedRepresentation {
  /** Bytes of the uncompressed content. */
  readonly bytes: number
  /**
   * Prepares the representation of another item, with the same type and headers. They are not built
   * again, which makes it cheap enough for a representation that is sent once.
   */
  prepareOther(item: OwnRepresentation): PreparedRepresentation
}

/**
 * Up to this size a string is sent in one write with the headers; a larger one is cheaper as bytes.
 */
const MAX_TEXT_BYTES = 8192

const negotiateEncoding = getNegotiator('encoding', offers(ENCODINGS))

/**
 * Prepares a representation that many requests get: its ETag, headers and compressed bodies are
 * created once, and sending it costs one `writeHead()`. For responses with status 200 to GET, HEAD
 * and QUERY. Throws a `TypeError` if the body is neither a string nor bytes.
 */
export function prepareRepresentation(representation: PreparableRepresentation): PreparedRepresentation {
  if (!representation) throw createRepresentationError('prepareRepresentation', representation)
  return new Prepared(representation)
}

/**
 * Sends a prepared representation and ends the response like `sendRepresentation()`: 200, or 304 or
 * 412 by the conditions of the request. `headers` are those of this response only: they replace
 * those of the representation, except that `Vary`, `Link` and `Set-Cookie` are added, as they are
 * to those of earlier middleware. Throws a `TypeError` if the representation is not from
 * `prepareRepresentation()`.
 */
export function sendPrepared(
  req: IncomingMessage,
  res: ServerResponse,
  prepared: PreparedRepresentation,
  headers?: Readonly<Record<string, string>>,
  next?: Next,
  onRefused?: OnRefused,
): void {
  if (!(prepared instanceof Prepared))
    throw new TypeError(
      `negotiate: sendPrepared: prepared must be from prepareRepresentation(), got ${inspectValue(prepared)}`,
    )
  prepared.send(req, res, headers, (error) =>
    handleError(error, 'ERR_NEGOTIATE_BODY_FAILED', req, res, next, onRefused),
  )
}

/** The common parts of the representations of several items. */
interface Common {
  readonly parts: HeaderParts
  /** Header sections by encoding. */
  readonly heads: Map<string, Head>
  notModifiedHead: Head | undefined
}

class Prepared implements PreparedRepresentation {
  readonly bytes: number
  readonly #content: string | Buffer
  readonly #common: Common
  readonly #stem: ETagStem | undefined
  /** ETag of the uncompressed content. */
  readonly #etag: string | undefined
  readonly #lastModified: Date | number | undefined
  readonly #date: string | undefined
  readonly #isDateFixed: boolean
  /** ETags of compressed bodies. */
  #tags: Map<string, string> | undefined
  #compressed: Map<ContentEncoding, Buffer> | undefined

  constructor(representation: PreparableRepresentation, common?: Common) {
    const { body, etag, lastModified } = representation
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError(`negotiate: prepareRepresentation: body must be a string or bytes, got ${inspectValue(body)}`)
    // Counting its bytes makes a concatenated string flat, which sending would do again each time.
    this.bytes = Buffer.byteLength(body)
    this.#content = typeof body === 'string' && this.bytes <= MAX_TEXT_BYTES ? body : Buffer.from(body)
    this.#stem =
      etag === false ? undefined : (createStem(representation) ?? buildStem(digest(this.#content), representation))
    this.#etag = this.#stem && formatTag(this.#stem, 'identity')
    this.#lastModified = lastModified
    this.#date = lastModified === undefined ? undefined : formatLastModified(lastModified)
    this.#isDateFixed = lastModified === undefined || Number(lastModified) <= Date.now()
    this.#common = common ?? createCommon(representation)
  }

  prepareOther({ body, version, variant, etag, lastModified }: OwnRepresentation): PreparedRepresentation {
    const { representation } = this.#common.parts
    const hasSameHeaders =
      (etag === false) === (this.#etag === undefined) && (lastModified === undefined) === (this.#date === undefined)
    const other = { ...representation, body, version, variant, etag, lastModified }
    return new Prepared(other, hasSameHeaders ? this.#common : undefined)
  }

  send(
    req: IncomingMessage,
    res: ServerResponse,
    headers: Readonly<Record<string, string>> | undefined,
    fail: (error: unknown) => void,
  ): void {
    const { isCompressible } = this.#common.parts
    const encodings = negotiateEncoding(req.headers['accept-encoding'])
    if (isCompressible && encodings.best === undefined)
      return fail(notAcceptable([...ENCODINGS, 'identity'], { vary: ['Accept-Encoding'] }))
    const encoding = isCompressible ? selectEncoding(encodings, this.bytes, MIN_BYTES) : undefined
    if (isConditional(req.headers)) {
      const tag = encoding === undefined ? this.#etag : (this.#tags?.get(encoding) ?? this.#tag(encoding))
      if (isRevalidation(req.headers, tag)) return this.#sendNotModified(res, tag, headers)
      const result = evaluateCondition({
        method: req.method,
        headers: req.headers,
        status: 200,
        stem: this.#stem,
        lastModified: this.#lastModified,
        encodings,
        encoding: encoding ?? 'identity',
      })
      if (result?.outcome === 'failed') return fail(createPreconditionError(req.headers))
      if (result?.outcome === 'not-modified') return this.#sendNotModified(res, result.etag, headers)
    }
    const finish = (content: string | Buffer, name: string, size: number): void => {
      const etag = name === 'identity' ? this.#etag : (this.#tags?.get(name) ?? this.#tag(name))
      const values = { etag, lastModified: this.#formatDate(), length: size }
      res.writeHead(200, fillHead(this.#common.heads.get(name) ?? this.#head(name, values), values, headers, res))
      res.end(req.method === 'HEAD' ? undefined : content)
    }
    if (encoding === undefined) return finish(this.#content, 'identity', this.bytes)
    this.#compress(encoding, (error, compressed) => {
      if (error) return fail(error)
      const isSmaller = compressed.length < this.bytes || !acceptsIdentity(encodings)
      attempt(
        () =>
          isSmaller ? finish(compressed, encoding, compressed.length) : finish(this.#content, 'identity', this.bytes),
        fail,
      )
    })
  }

  // A time that was in the future is sent as now (RFC 9110 §8.8.2.1).
  #formatDate(): string | undefined {
    return this.#isDateFixed ? this.#date : formatLastModified(this.#lastModified ?? 0)
  }

  #head(encoding: string, values: HeadValues): Head {
    const { parts, heads } = this.#common
    const headers = { ...buildHeaders(parts, values.etag, encoding), 'Content-Length': values.length }
    const head = compileHead(headers, values)
    heads.set(encoding, head)
    return head
  }

  #tag(encoding: string): string | undefined {
    if (!this.#stem) return undefined
    const tag = formatTag(this.#stem, encoding)
    this.#tags ??= new Map()
    this.#tags.set(encoding, tag)
    return tag
  }

  // The client may have an encoding that it would not get now: the ETag is that of the client's.
  #sendNotModified(
    res: ServerResponse,
    etag: string | undefined,
    headers: Readonly<Record<string, string>> | undefined,
  ): void {
    const common = this.#common
    const values = { etag, lastModified: this.#formatDate(), length: 0 }
    common.notModifiedHead ??= compileHead(buildNotModifiedHeaders(common.parts, etag), values)
    res.writeHead(304, fillHead(common.notModifiedHead, values, headers, res)).end()
  }

  #compress(encoding: ContentEncoding, done: (error: Error | null, compressed: Buffer) => void): void {
    this.#compressed ??= new Map()
    const bodies = this.#compressed
    const compressed = bodies.get(encoding)
    if (compressed) return done(null, compressed)
    const content = this.#content
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const store = (error: Error | null, compressed: Buffer): void => {
      if (!error) bodies.set(encoding, compressed)
      done(error, compressed)
    }
    const codec = getCodec(encoding)
    if (bytes.length <= MAX_SYNC_BYTES) store(null, codec.sync(bytes))
    else codec.async(bytes, store)
  }
}

// Without the body of the first item, which may be long.
function createCommon({ body: _, ...representation }: PreparableRepresentation): Common {
  const isCompressible = canCompress(representation, 200)
  return { parts: { representation, isCompressible }, heads: new Map(), notModifiedHead: undefined }
}

/**
 * Whether the only condition is that the ETag has changed. Most conditional requests are like that.
 */
function isRevalidation(headers: IncomingMessage['headers'], etag: string | undefined): boolean {
  return (
    etag !== undefined &&
    headers['if-none-match'] === etag &&
    headers['if-match'] === undefined &&
    headers['if-unmodified-since'] === undefined
  )
}
