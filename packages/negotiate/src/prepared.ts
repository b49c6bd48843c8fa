import { attempt } from '../../internal/guard.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import { mergeVary } from '../../internal/vary.ts'
import { createPreconditionError } from './check-preconditions.ts'
import { type ContentEncoding, ENCODINGS, getCodec, MAX_SYNC_BYTES } from './codecs.ts'
import { digest } from './etag.ts'
import { evaluateCondition, isConditional } from './evaluate-condition.ts'
import { notAcceptable } from './not-acceptable.ts'
import { getNegotiator, offers } from './offers.ts'
import type { Representation } from './representation.ts'
import { buildHeaders, buildNotModifiedHeaders, type HeaderParts } from './representation-headers.ts'
import { buildStem, createStem, type ETagStem, formatTag } from './representation-tag.ts'
import { acceptsIdentity, MIN_BYTES, selectEncoding } from './select-encoding.ts'
import { canCompress, handleError } from './send-representation.ts'

/**
 * The representation for `prepareRepresentation()`: the response to GET with its complete content.
 */
export interface PreparableRepresentation extends Omit<Representation, 'body' | 'formats' | 'status'> {
  /** The complete content. */
  body: string | Uint8Array
}

/** A representation that is encoded, tagged and compressed once, and sent any number of times. */
export interface PreparedRepresentation {
  /** Bytes of the uncompressed content. */
  readonly bytes: number
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
  return new Prepared(representation)
}

/**
 * Sends a prepared representation and ends the response like `sendRepresentation()`: 200, or 304 or
 * 412 by the conditions of the request. `headers` are those of this response only. Throws a
 * `TypeError` if the representation is not from `prepareRepresentation()`.
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
  prepared.send(req, res, headers, (error) => handleError(error, req, res, next, onRefused))
}

class Prepared implements PreparedRepresentation {
  readonly bytes: number
  readonly #content: string | Buffer
  readonly #parts: HeaderParts
  readonly #stem: ETagStem | undefined
  /** Headers by encoding, as flat lists of names and values. */
  readonly #heads = new Map<string, readonly string[]>()
  /** Headers of a 304 by ETag. */
  readonly #notModifiedHeads = new Map<string | undefined, readonly string[]>()
  /** ETags by encoding. */
  readonly #tags = new Map<string, string>()
  readonly #compressed = new Map<ContentEncoding, Buffer>()

  constructor({ body, ...representation }: PreparableRepresentation) {
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError(`negotiate: prepareRepresentation: body must be a string or bytes, got ${inspectValue(body)}`)
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
    this.bytes = bytes.length
    // Decoded from its bytes a string is flat; a concatenated one would be flattened each time it
    // is sent.
    this.#content = typeof body === 'string' && bytes.length <= MAX_TEXT_BYTES ? bytes.toString() : bytes
    this.#parts = { representation, isCompressible: canCompress(representation, 200) }
    this.#stem =
      representation.etag === false
        ? undefined
        : (createStem(representation) ?? buildStem(digest(bytes), representation))
  }

  send(
    req: IncomingMessage,
    res: ServerResponse,
    headers: Readonly<Record<string, string>> | undefined,
    fail: (error: unknown) => void,
  ): void {
    const { isCompressible, representation } = this.#parts
    const encodings = negotiateEncoding(req.headers['accept-encoding'])
    if (isCompressible && encodings.best === undefined)
      return fail(notAcceptable([...ENCODINGS, 'identity'], { vary: ['Accept-Encoding'] }))
    const encoding = isCompressible ? selectEncoding(encodings, this.bytes, MIN_BYTES) : undefined
    if (isConditional(req.headers)) {
      const tag = this.#tag(encoding ?? 'identity')
      if (isRevalidation(req.headers, tag)) return this.#sendNotModified(res, tag, headers)
      const result = evaluateCondition({
        method: req.method,
        headers: req.headers,
        status: 200,
        stem: this.#stem,
        lastModified: representation.lastModified,
        encodings,
        encoding: encoding ?? 'identity',
      })
      if (result?.outcome === 'failed') return fail(createPreconditionError(req.headers))
      if (result?.outcome === 'not-modified') return this.#sendNotModified(res, result.etag, headers)
    }
    const finish = (content: string | Buffer, name: string, size: number): void => {
      res.writeHead(200, joinHeaders(this.#head(name, size), headers, res))
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

  #head(encoding: string, size: number): readonly string[] {
    let head = this.#heads.get(encoding)
    if (head === undefined) {
      const fields = buildHeaders(this.#parts, this.#tag(encoding), encoding)
      head = toFlatList({ ...fields, 'Content-Length': size })
      this.#heads.set(encoding, head)
    }
    return head
  }

  #tag(encoding: string): string | undefined {
    let tag = this.#tags.get(encoding)
    if (tag === undefined && this.#stem) {
      tag = formatTag(this.#stem, encoding)
      this.#tags.set(encoding, tag)
    }
    return tag
  }

  // By ETag, since the client may have an encoding that it would not get now.
  #sendNotModified(
    res: ServerResponse,
    etag: string | undefined,
    headers: Readonly<Record<string, string>> | undefined,
  ): void {
    let head = this.#notModifiedHeads.get(etag)
    if (head === undefined) {
      head = toFlatList(buildNotModifiedHeaders(this.#parts, etag))
      this.#notModifiedHeads.set(etag, head)
    }
    res.writeHead(304, joinHeaders(head, headers, res)).end()
  }

  #compress(encoding: ContentEncoding, done: (error: Error | null, compressed: Buffer) => void): void {
    const compressed = this.#compressed.get(encoding)
    if (compressed) return done(null, compressed)
    const content = this.#content
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const store = (error: Error | null, compressed: Buffer): void => {
      if (!error) this.#compressed.set(encoding, compressed)
      done(error, compressed)
    }
    const codec = getCodec(encoding)
    if (bytes.length <= MAX_SYNC_BYTES) store(null, codec.sync(bytes))
    else codec.async(bytes, store)
  }
}

/** Whether the only condition is that the ETag has changed. Most conditional requests are like that. */
function isRevalidation(headers: IncomingMessage['headers'], etag: string | undefined): boolean {
  return (
    etag !== undefined &&
    headers['if-none-match'] === etag &&
    headers['if-match'] === undefined &&
    headers['if-unmodified-since'] === undefined
  )
}

function toFlatList(headers: ReturnType<typeof buildHeaders>): string[] {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) list.push(name, String(item))
  }
  return list
}

/** Joins the headers of the representation with those of one response. */
function joinHeaders(
  head: readonly string[],
  headers: Readonly<Record<string, string>> | undefined,
  res: ServerResponse,
): string[] {
  const list = head.slice()
  for (const name in headers) list.push(name, headers[name] ?? '')
  const vary = res.getHeader('vary')
  if (vary === undefined) return list
  for (let index = 0; index < list.length; index += 2)
    if (list[index] === 'Vary') list[index + 1] = mergeVary(String(vary), (list[index + 1] ?? '').split(', '))
  return list
}
