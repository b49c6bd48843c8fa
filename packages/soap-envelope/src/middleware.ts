import { pipeline, Readable } from 'node:stream'
import { drainRequest } from '../../internal/drain-request.ts'
import { callSafely } from '../../internal/guard.ts'
import { createHttpError } from '../../internal/http-error.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import {
  getHeader,
  getTarget,
  type IncomingMessage,
  type Middleware,
  type Next,
  type ServerResponse,
} from '../../internal/middleware.ts'
import { assertKnownOptions } from '../../internal/options.ts'
import { tooLarge } from './envelope/parse.ts'
import { senderFault } from './fault.ts'
import { decompress } from './inflate.ts'
import { isMultipart } from './mime/packaging.ts'
import type { AuthenticatedUser, SoapRequest, SoapResponse } from './service/request.ts'
import type { SoapService } from './service/service.ts'

type Headers = Readonly<Record<string, string>>

/** Options for `soap()`: facts that only the app knows. */
export interface SoapOptions {
  /**
   * The address under which clients reach the service, without a query. @defaultValue built from
   * the `Host` header, which must then be a host name, and the path
   */
  publicUrl?: string
  /**
   * Says whether a request came over HTTPS or from this machine: behind a proxy only you know.
   * @defaultValue by the socket; never for a request that a proxy has forwarded over plain HTTP
   */
  isSecure?: (req: IncomingMessage) => boolean
  /**
   * Says who sends by what HTTP says. May throw an error with `status` 401 and a challenge in its
   * `headers`.
   */
  user?: (req: IncomingMessage) => MaybePromise<AuthenticatedUser | undefined>
  /** Returns a value for handlers and security mechanisms: they get it as `request.context`. */
  context?: (req: IncomingMessage) => unknown
  /** Gives the identifier of a request for logs and faults. */
  correlationId?: (req: IncomingMessage) => string | undefined
  /**
   * Returns headers for every response, such as those of security. They are sent with its own
   * headers, which override them: that costs less than `res.setHeader()`. @defaultValue none
   */
  headers?: (req: IncomingMessage) => Readonly<Record<string, string>>
  /**
   * Handles a GET or HEAD without `?wsdl` or `?xsd` from a client that prefers HTML: a page for
   * developers.
   */
  htmlPage?: Middleware
}

/**
 * Serves a SOAP service on any host, for all methods of the path that it is mounted on. Its
 * errors are faults.
 */
export function soap(service: SoapService, options: SoapOptions = {}): Middleware {
  assertKnownOptions('soap-envelope', options, [
    'publicUrl',
    'isSecure',
    'user',
    'context',
    'correlationId',
    'headers',
    'htmlPage',
  ])
  const { htmlPage } = options
  return (req, res, next) => {
    if (htmlPage && wantsPage(req)) {
      htmlPage(req, res, next)
      return
    }
    const request = describe(req, options)
    const respond = (body?: SoapRequest['body']): MaybePromise<SoapResponse> => {
      if (body) request.body = body
      return service.handle(request)
    }
    let more: Headers | undefined
    const send = (response: SoapResponse): void => write(req, res, response, more)
    const fail = (error: unknown): void => send(service.fault(error, request))
    callSafely(
      () => {
        more = options.headers?.(req)
        addFacts(request, req, options)
        if (request.method !== 'POST') return respond()
        return chain(options.user?.(req), (user) => {
          request.user = user
          return chain(getBody(req, service), respond)
        })
      },
      send,
      fail,
    )
  }
}

/**
 * Turns errors of middleware before a service, such as 429 and 503, into its faults. Mount it after
 * the service.
 */
export function soapErrors(
  service: SoapService,
  options: SoapOptions = {},
): (error: unknown, req: IncomingMessage, res: ServerResponse, next: Next) => void {
  return (error, req, res, _next) => {
    const request = describe(req, options)
    let more: Headers | undefined
    const respond = (): void => write(req, res, service.fault(error, request), more)
    const prepare = (): void => {
      more = options.headers?.(req)
      addFacts(request, req, options)
    }
    if (res.headersSent) res.destroy()
    else callSafely(prepare, respond, respond)
  }
}

function wantsPage(req: IncomingMessage): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  return getTarget(req).indexOf('?') === -1 && (getHeader(req, 'accept') ?? '').includes('text/html')
}

function describe(req: IncomingMessage, { publicUrl }: SoapOptions): SoapRequest {
  const { headers } = req
  const target = getTarget(req)
  const question = target.indexOf('?')
  const path = question === -1 ? target : target.slice(0, question)
  return {
    method: req.method ?? 'GET',
    path,
    query: target.slice(path.length + 1),
    // Only the documents of the contract contain the address, and they are not requested by POST.
    publicUrl: publicUrl ?? (req.method === 'POST' ? undefined : buildUrl(req, path)),
    contentType: headers['content-type'],
    action: getHeader(req, 'soapaction'),
    accept: headers.accept,
    acceptLanguage: headers['accept-language'],
    ifNoneMatch: headers['if-none-match'],
  }
}

/** Adds what the callbacks of the options return for a request. */
function addFacts(request: SoapRequest, req: IncomingMessage, options: SoapOptions): void {
  request.isSecure = options.isSecure ? options.isSecure(req) : isSecureSocket(req)
  request.correlationId = options.correlationId?.(req)
  request.context = options.context?.(req)
}

function isEncrypted(req: IncomingMessage): boolean {
  return (req.socket as { encrypted?: boolean }).encrypted === true
}

/**
 * A forwarded request came to a proxy on this machine: what it came over before that, only the
 * application knows.
 */
function isSecureSocket(req: IncomingMessage): boolean {
  if (isEncrypted(req)) return true
  const { remoteAddress = '' } = req.socket
  const isForwarded = FORWARDED.some((name) => getHeader(req, name) !== undefined)
  return !isForwarded && (remoteAddress === '::1' || /^(::ffff:)?127\./.test(remoteAddress))
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto']

const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/

/** A Host field may hold anything: it enters the WSDL only when it is a host. */
function buildUrl(req: IncomingMessage, path: string): string {
  const host = getHeader(req, 'host') ?? ''
  return HOST.test(host) ? `${isEncrypted(req) ? 'https' : 'http'}://${host}${path}` : path
}

/** Bodies of a known length up to here are collected before they are read. */
const SHORT_BYTES = 65_536

/** Boundaries and headers of the parts of a multipart message. */
const MAX_FRAMING_BYTES = 1_048_576

/** The message: bytes that a body parser has read, or the stream. */
function getBody(
  req: IncomingMessage,
  { limits, attachments, maxStreamBytes = 0 }: SoapService,
): MaybePromise<SoapRequest['body']> {
  const { rawBody, body } = req as { rawBody?: unknown; body?: unknown }
  for (const read of [rawBody, body]) {
    if (typeof read === 'string') return Buffer.from(read)
    if (read instanceof Uint8Array) return isStillCompressed(req, read) ? decompressed(req, read) : read
  }
  const maxBytes =
    Math.max(limits.maxBytes, maxStreamBytes) +
    (attachments && isMultipart(getHeader(req, 'content-type')) ? attachments.maxTotalBytes + MAX_FRAMING_BYTES : 0)
  const length = Number(getHeader(req, 'content-length') ?? Number.NaN)
  if (length > maxBytes) throw tooLarge(maxBytes)
  if (req.readableEnded)
    throw createHttpError({
      status: 500,
      code: 'ERR_SOAP_ENVELOPE_BODY_CONSUMED',
      message:
        'A body parser has read the message and kept no bytes: mount the service before it, or use express.raw().',
    })
  const isShort = length <= SHORT_BYTES && getHeader(req, 'content-encoding') === undefined
  return isShort ? collect(req) : decompressed(req, req)
}

/**
 * Collects a body of a known, short length. Costs a third of what an async iterator over it does.
 */
function collect(req: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const fail = (cause?: unknown): void => {
      // `close` also follows a body that is complete.
      if (!req.readableEnded) reject(senderFault('MalformedXml', 'The message ended early.', { cause }))
    }
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', fail)
    req.once('close', fail)
    req.resume()
  })
}

function decompressed(req: IncomingMessage, source: Readable | Uint8Array): AsyncIterable<Uint8Array> {
  return decompress(source instanceof Readable ? source : Readable.from([source]), getHeader(req, 'content-encoding'))
}

/**
 * Parsers decompress what they read; a platform that passes the bytes on as they came does not.
 * XML never begins like gzip.
 */
function isStillCompressed(req: IncomingMessage, read: Uint8Array): boolean {
  return getHeader(req, 'content-encoding') !== undefined && read[0] === 0x1f && read[1] === 0x8b
}

function write(req: IncomingMessage, res: ServerResponse, response: SoapResponse, more: Headers | undefined): void {
  const { status, headers, body, pieces } = response
  if (res.headersSent || res.destroyed) return
  const length = pieces === undefined ? Buffer.byteLength(body) : measure(pieces)
  const fields: Record<string, string | number> = { ...headers }
  if (length !== undefined && status !== 204 && status !== 304) fields['Content-Length'] = length
  fields['X-Content-Type-Options'] = 'nosniff'
  if (more) addMissing(fields, more)
  // The items of a streamed response may be those of its request, which are still arriving.
  if (length !== undefined) drainRequest(req, res)
  writeHead(res, status, fields)
  if (req.method === 'HEAD' || length === 0) res.end()
  else if (pieces) pipeline(Readable.from(pieces, { objectMode: true }), res, () => {})
  else res.end((length ?? 0) > ONE_WRITE_BYTES ? Buffer.from(body) : body)
}

/** Adds the headers that a response does not have, in any case. */
function addMissing(fields: Record<string, string | number>, more: Headers): void {
  const names = new Set<string>()
  for (const name in fields) names.add(name.toLowerCase())
  for (const [name, value] of Object.entries(more)) if (!names.has(name.toLowerCase())) fields[name] = value
}

/** The length of a body in pieces; `undefined` for one whose items are streamed. */
function measure(pieces: NonNullable<SoapResponse['pieces']>): number | undefined {
  if (Symbol.asyncIterator in pieces) return undefined
  return pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
}

/**
 * A text up to here goes out in one piece with its header section, and costs one system call less.
 */
const ONE_WRITE_BYTES = 8192

/**
 * Errors of other packages bring headers too: one that HTTP cannot carry is omitted, and the fault
 * is sent.
 */
function writeHead(res: ServerResponse, status: number, fields: Readonly<Record<string, string | number>>): void {
  try {
    res.writeHead(status, fields)
  } catch {
    res.statusCode = status
    for (const [name, value] of Object.entries(fields)) {
      try {
        res.setHeader(name, value)
      } catch {
        res.removeHeader(name)
      }
    }
  }
}
