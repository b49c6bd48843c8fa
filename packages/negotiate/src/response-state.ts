import type { Readable } from 'node:stream'
import { attempt } from '../../internal/guard.ts'
import {
  type BodyEnd,
  type DownstreamResponse,
  interceptResponse,
  type ResponseInterceptor,
} from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { toBuffer } from '../../internal/response-state.ts'
import type { ContentEncoding } from './codecs.ts'
import { compressBody } from './compress-body.ts'
import { ENCODING_SUFFIX, isConditional, isReadMethod } from './conditional-headers.ts'
import { destroyBody } from './destroy-body.ts'
import {
  findStem,
  getAnnouncedSize,
  hashBody,
  isLive,
  planResponse,
  type ResponseCompression,
  type ResponsePlan,
  type ResponseState,
  varyByEncoding,
} from './response-plan.ts'
import { type StreamEncoder, streamEncoder } from './stream-encoder.ts'

const STATE = Symbol.for('svc.negotiate.response')

interface StatefulResponse {
  [STATE]?: NegotiatedResponse
  flush?: () => void
}

/**
 * Returns the state of the response to a request, in which each middleware stores its settings. The
 * response is intercepted once, whatever their number and order: the ETag must be known before the
 * encoding, and the encoding before the conditions are evaluated.
 */
export function getResponseState(req: IncomingMessage, res: ServerResponse & StatefulResponse): ResponseState {
  const existing = res[STATE]
  if (existing) return existing
  const response = new NegotiatedResponse(req, res)
  res[STATE] = response
  interceptResponse(req, res, response)
  if (isConditional(req.headers)) response.watchSource()
  if (req.method === 'HEAD') response.watchBody()
  return response
}

const TAG_HEADERS = ['if-match', 'if-none-match'] as const
const EVERY_ENCODING = new RegExp(`${ENCODING_SUFFIX}"`, 'g')

/** Sets the compression of a response. The app sees the ETags of a change without an encoding. */
export function startCompression(
  req: IncomingMessage,
  res: ServerResponse & StatefulResponse,
  compression: ResponseCompression,
): void {
  getResponseState(req, res).compression = compression
  res.flush = flush
  if (isReadMethod(req.method)) return
  for (const name of TAG_HEADERS)
    if (req.headers[name] !== undefined) req.headers[name] = req.headers[name].replace(EVERY_ENCODING, '"')
}

/** Switches the compression of an outer middleware off. */
export function endCompression(res: ServerResponse & StatefulResponse): void {
  if (res[STATE]) res[STATE].compression = undefined
}

/** Sends what was written so far, as `flush` of the package compression. All responses share it. */
function flush(this: StatefulResponse): void {
  this[STATE]?.flush()
}

/**
 * Chooses ETag, status and encoding of one response when it is sent. A class, as in
 * internal/interception.ts.
 */
class NegotiatedResponse implements ResponseState, ResponseInterceptor {
  readonly late = true
  readonly req: IncomingMessage
  readonly res: ServerResponse
  compression: ResponseState['compression'] = undefined
  tags: ResponseState['tags'] = undefined
  #readSent: (() => BodyEnd) | undefined = undefined
  #end: ServerResponse['end'] | undefined = undefined
  #canCompress = false
  #plan: ResponsePlan | undefined = undefined
  #encoder: StreamEncoder | undefined = undefined
  #source: Readable | undefined = undefined
  #isReplaced = false

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req
    this.res = res
  }

  watchSource(): void {
    this.res.on('pipe', (source: Readable) => {
      if ('unpipe' in source) this.#source = source // streams of Node.js 0.8 have none
    })
  }

  watchBody(): void {
    this.#end = this.res.end // to notice if later middleware replace it
    this.#readSent = watchSend(this.res)
  }

  flush(): void {
    this.#encoder?.flush()
  }

  head(whole: boolean, last: BodyEnd): void {
    this.#canCompress = varyByEncoding(this)
    const readSent = this.#readSent
    if (whole && !readSent) return
    // A complete body is available when `end` is called; HEAD sends none, and a streamed one is
    // not available yet. A middleware before this one may change only the body of GET.
    const body = readSent && this.res.end === this.#end ? (last ?? readSent()) : undefined
    // An end without a body says nothing about that of GET, so no encoding is announced.
    const unannounced = whole && last === undefined ? 0 : Number.POSITIVE_INFINITY
    const size = body === undefined ? getAnnouncedSize(this.res, unannounced) : Buffer.byteLength(body)
    this.#plan = planResponse(this, size, findStem(this, hashBody(this, body)), this.#canCompress)
  }

  write(chunk: Buffer, downstream: DownstreamResponse): boolean {
    if (this.#plan?.isReplaced) return this.#discard(this.#plan, downstream)
    return this.#plan?.encoding
      ? this.#getEncoder(this.#plan.encoding, downstream).write(chunk)
      : downstream.write(chunk)
  }

  end(last: BodyEnd, downstream: DownstreamResponse): void {
    const plan = this.#plan
    if (plan === undefined && !this.res.headersSent) sendWhole(this, last, this.#canCompress, downstream)
    else if (plan?.isReplaced) this.#replace(plan.body, downstream)
    else if (plan?.encoding) this.#getEncoder(plan.encoding, downstream).end(last)
    else downstream.end(last)
  }

  /** Ends a 304 or 412 at the first chunk of the app, and discards that and all others. */
  #discard({ body }: ResponsePlan, downstream: DownstreamResponse): boolean {
    const source = this.#source
    // `pipeline()` fails if the response ends before its source. It adds at least two listeners to
    // the one of `pipe()`.
    if (source && source.listenerCount('end') > source.listenerCount('data') + 1) return true
    source?.unpipe(this.res)
    if (source?.listenerCount('data') === 0) destroyBody(source) // it has no other reader
    this.#replace(body, downstream)
    return false
  }

  #replace(body: BodyEnd, downstream: DownstreamResponse): void {
    if (!this.#isReplaced) downstream.end(body)
    this.#isReplaced = true
    setImmediate(() => this.res.emit('drain')) // writers that wait for it continue to their end
  }

  #getEncoder(encoding: ContentEncoding, downstream: DownstreamResponse): StreamEncoder {
    const { res, compression } = this
    this.#encoder ??= streamEncoder(encoding, res, downstream, isLive(res), compression?.codecOptions)
    return this.#encoder
  }
}

function sendWhole(state: ResponseState, body: BodyEnd, canCompress: boolean, downstream: DownstreamResponse): void {
  const { res } = state
  const hash = hashBody(state, body)
  const size = body === undefined ? 0 : Buffer.byteLength(body)
  const plan = planResponse(state, size, findStem(state, hash), canCompress)
  const { isReplaced, encoding, body: replacement } = plan
  if (isReplaced) return downstream.end(replacement)
  if (encoding === undefined || body === undefined) return downstream.end(body)
  const send = (error: Error | null, compressed: Buffer): void => {
    if (error) return void res.destroy(error)
    const { isChunked = false } = state.compression ?? {}
    // Trailers follow a body in chunks (RFC 9110 §6.5).
    if (!isChunked && !res.hasHeader('trailer')) {
      res.removeHeader('transfer-encoding') // a message must not have both (RFC 9112 §6.2)
      res.setHeader('Content-Length', compressed.length)
    }
    const pass = (): void => {
      if (isChunked) downstream.write(compressed)
      downstream.end(isChunked ? undefined : compressed)
    }
    attempt(pass, () => res.destroy())
  }
  compressBody(toBuffer(body), encoding, hash, send, state.compression?.codecOptions)
}

/**
 * Returns a function for the body that `res.send` of Express last got. For HEAD, Express ends the
 * response without a body, so the ETag of GET could not be computed otherwise.
 */
function watchSend(res: ServerResponse): () => BodyEnd {
  const { send } = res as { send?: unknown }
  let sent: BodyEnd
  if (typeof send === 'function') {
    const watched = (...args: unknown[]): unknown => {
      for (const body of args) {
        if (typeof body === 'string') sent = body
        else if (body instanceof Uint8Array) sent = toBuffer(body)
      }
      return send.apply(res, args)
    }
    Object.assign(res, { send: watched })
  }
  return () => sent
}
