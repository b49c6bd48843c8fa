import { attempt } from '../../internal/guard.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import { mergeVary } from '../../internal/vary.ts'
import { createPreconditionError } from './check-preconditions.ts'
import { type ContentEncoding, ENCODINGS, getCodec, MAX_SYNC_BYTES } from './coding.ts'
import { digest } from './etag.ts'
import { evaluateCondition, isConditional } from './evaluate-condition.ts'
import { notAcceptable } from './not-acceptable.ts'
import { getNegotiator, offers } from './offers.ts'
import type { Representation } from './representation.ts'
import { buildHeaders, buildNotModifiedHeaders, type HeaderParts } from './representation-headers.ts'
import { createStem, formatTag, type Stem, stemFrom } from './representation-tag.ts'
import { acceptsIdentity, MIN_BYTES, selectEncoding } from './select-encoding.ts'
import { giveUp, isEncodable } from './send-representation.ts'

/** What `prepareRepresentation()` takes: the response to GET, with its whole content. */
export interface PreparableRepresentation extends Omit<Representation, 'body' | 'formats' | 'status'> {
  body: string | Uint8Array
}

/** A representation that is sent any number of times: encoded, tagged and compressed once. */
export interface PreparedRepresentation {
  /** Bytes of its content, uncompressed. */
  readonly bytes: number
}

/** A text up to here is sent in one piece with the header section; a longer one is cheaper as bytes. */
const MAX_TEXT = 8192

const selectEncodings = getNegotiator('encoding', offers(ENCODINGS))

/**
 * Prepares a representation that many requests get: ETag, header sections and compressed forms are created once, and
 * sending it costs one `writeHead()`. For responses with status 200 to GET, HEAD and QUERY. Throws a `TypeError` if the
 * body is neither text nor bytes.
 */
export function prepareRepresentation(representation: PreparableRepresentation): PreparedRepresentation {
  return new Prepared(representation)
}

/**
 * Sends a prepared representation and ends the response, as `sendRepresentation()` does: 200, or 304 or 412 by the
 * conditions of the request. `headers` are those of this response only. Throws a `TypeError` if the representation is
 * not from `prepareRepresentation()`.
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
  prepared.send(req, res, headers, (error) => giveUp(error, req, res, next, onRefused))
}

class Prepared implements PreparedRepresentation {
  readonly bytes: number
  readonly #content: string | Buffer
  readonly #parts: HeaderParts
  readonly #stem: Stem | undefined
  /** Header sections by encoding, as flat lists of names and values. */
  readonly #heads = new Map<string, readonly string[]>()
  readonly #forms = new Map<ContentEncoding, Buffer>()

  constructor({ body, ...representation }: PreparableRepresentation) {
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError(`negotiate: prepareRepresentation: body must be text or bytes, got ${inspectValue(body)}`)
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
    this.bytes = bytes.length
    // From its bytes a text is in one piece: one that was put together would be joined again each time it is sent.
    this.#content = typeof body === 'string' && bytes.length <= MAX_TEXT ? bytes.toString() : bytes
    this.#parts = { representation, codable: isEncodable(representation, 200) }
    this.#stem =
      representation.etag === false
        ? undefined
        : (createStem(representation) ?? stemFrom(digest(bytes), representation))
  }

  send(
    req: IncomingMessage,
    res: ServerResponse,
    headers: Readonly<Record<string, string>> | undefined,
    fail: (error: unknown) => void,
  ): void {
    const { codable, representation } = this.#parts
    const encodings = selectEncodings(req.headers['accept-encoding'])
    if (codable && encodings.best === undefined)
      return fail(notAcceptable([...ENCODINGS, 'identity'], { vary: ['Accept-Encoding'] }))
    const encoding = codable ? selectEncoding(encodings, this.bytes, MIN_BYTES) : undefined
    if (isConditional(req.headers)) {
      const result = evaluateCondition({
        method: req.method,
        headers: req.headers,
        status: 200,
        stem: this.#stem,
        lastModified: representation.lastModified,
        codings: encodings,
        wanted: encoding ?? 'identity',
      })
      if (result?.outcome === 'failed') return fail(createPreconditionError(req.headers))
      if (result?.outcome === 'not-modified') {
        res.writeHead(304, join(this.#notModifiedHead(result.etag), headers, res)).end()
        return
      }
    }
    const finish = (content: string | Buffer, name: string, size: number): void => {
      res.writeHead(200, join(this.#head(name, size), headers, res))
      res.end(req.method === 'HEAD' ? undefined : content)
    }
    if (encoding === undefined) return finish(this.#content, 'identity', this.bytes)
    this.#compress(encoding, (error, form) => {
      if (error) return fail(error)
      const isSmaller = form.length < this.bytes || !acceptsIdentity(encodings)
      attempt(
        () => (isSmaller ? finish(form, encoding, form.length) : finish(this.#content, 'identity', this.bytes)),
        fail,
      )
    })
  }

  #head(encoding: string, size: number): readonly string[] {
    let head = this.#heads.get(encoding)
    if (head === undefined) {
      const fields = buildHeaders(this.#parts, this.#stem && formatTag(this.#stem, encoding), encoding)
      head = toFlatList({ ...fields, 'Content-Length': size })
      this.#heads.set(encoding, head)
    }
    return head
  }

  // By the tag: a client may have the form of another encoding than it would get now.
  #notModifiedHead(etag: string | undefined): readonly string[] {
    const key = `304 ${etag}`
    let head = this.#heads.get(key)
    if (head === undefined) {
      head = toFlatList(buildNotModifiedHeaders(this.#parts, etag))
      this.#heads.set(key, head)
    }
    return head
  }

  #compress(encoding: ContentEncoding, done: (error: Error | null, form: Buffer) => void): void {
    const form = this.#forms.get(encoding)
    if (form) return done(null, form)
    const content = this.#content
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const keep = (error: Error | null, made: Buffer): void => {
      if (!error) this.#forms.set(encoding, made)
      done(error, made)
    }
    const codec = getCodec(encoding)
    if (bytes.length <= MAX_SYNC_BYTES) keep(null, codec.sync(bytes))
    else codec.async(bytes, keep)
  }
}

function toFlatList(headers: ReturnType<typeof buildHeaders>): string[] {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) list.push(name, String(one))
  }
  return list
}

/** The header section of one response: that of the representation, then its own. */
function join(
  head: readonly string[],
  headers: Readonly<Record<string, string>> | undefined,
  res: ServerResponse,
): string[] {
  const list = head.slice()
  for (const name in headers) list.push(name, headers[name] ?? '')
  const vary = res.getHeader('Vary')
  if (vary === undefined) return list
  for (let index = 0; index < list.length; index += 2)
    if (list[index] === 'Vary') list[index + 1] = mergeVary(String(vary), (list[index + 1] ?? '').split(', '))
  return list
}
