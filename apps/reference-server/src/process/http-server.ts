import { constants, randomUUID } from 'node:crypto'
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { httpError, toRecord } from '@svc/errors'
import type { PolledMessage } from '../engine/request-state.ts'
import { CODES, type Code } from '../messages/errors.ts'
import { responseHeaders } from '../security/headers.ts'
import type { Certificate } from './certificate.ts'
import { lingeringClose, type ParserError, pipelining } from './pipelining.ts'

// Under TLS 1.2 only suites with forward secrecy and authenticated encryption (RFC 9325 §4.2), and
// no renegotiation, which TLS 1.3 does not have. HTTP/2 is not offered, see decision 049.
const TLS = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  honorCipherOrder: true,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ALPNProtocols: ['http/1.1'],
  handshakeTimeout: 5000,
} as const

const MAX_HEADER_BYTES = 32 * 1024
const MAX_SILENCE_MS = 60_000

/** The classes that node:http creates requests and responses with. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>

/**
 * Returns classes of messages that have the prototypes of an Express app from the start. Express
 * exchanges the prototypes of all others for each request, after which V8 reads their properties
 * slowly.
 */
export function messageClasses(app: { request: object; response: object }): MessageClasses {
  // Every property is set in the constructor, so that V8 gives all requests one hidden class.
  class Request extends IncomingMessage implements PolledMessage {
    poll: number | undefined = undefined
  }
  class Response<T extends IncomingMessage> extends ServerResponse<T> {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request)
  app.response = Object.setPrototypeOf(Response.prototype, app.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}

/** Creates the server with its limits of size and time. It is not listening yet. */
export function httpServer(
  listener: RequestListener,
  certificate: Certificate | undefined,
  classes: MessageClasses = {},
): Server {
  const options = {
    ...classes,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    // The app rejects a missing Host with an Error record, node:http with an empty response.
    requireHostHeader: false,
  }
  const server = certificate
    ? createSecureServer({ ...options, ...TLS, cert: certificate.cert, key: certificate.key })
    : createServer(options)
  // Of a connection whose client neither sends nor reads: its requests would stay in flight.
  server.timeout = MAX_SILENCE_MS
  const headers = responseHeaders(certificate !== undefined)
  const { handle, handleParserError } = pipelining(
    (req, res) => {
      const { url = '/' } = req
      if (!url.startsWith('/') || url.includes('%')) normalizeTarget(req, url)
      listener(req, res)
    },
    (error, req, socket) => writeParserError(error, req, socket, headers),
  )
  // A body is requested with 100 when a stage reads it; a rejected request needs none.
  server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle)
  return server.on('clientError', handleParserError)
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(?=[/?#]|$)/i
const UNRESERVED = /[\w.~-]/

/**
 * Rewrites the target of a request to the form that every later stage reads. The authority of a
 * target in absolute form replaces Host (RFC 9112 §3.2.2), and encoded unreserved characters of the
 * path are decoded, since `/%65mployees` is the same URI as `/employees` (RFC 3986 §6.2.2).
 */
function normalizeTarget(req: IncomingMessage, url: string): void {
  const [prefix, authority] = ABSOLUTE.exec(url) ?? []
  // An http URL has a host (RFC 9110 §4.2.1): the target is left as is, and rejected.
  if (authority === '') return
  if (authority !== undefined) req.headers.host = authority
  req.url = toOriginForm(url, prefix, req.method)
}

function parseTargetPath(target: string): string {
  const [path = ''] = toOriginForm(target, ABSOLUTE.exec(target)?.[0], undefined).split(/[?#]/, 1)
  return path
}

function toOriginForm(target: string, prefix = '', method: string | undefined): string {
  const rest = target.slice(prefix.length)
  if (prefix !== '' && rest === '') return method === 'OPTIONS' ? '*' : '/'
  const origin = prefix !== '' && !rest.startsWith('/') ? `/${rest}` : rest
  return origin.replace(/^[^?]*/, decodeUnreserved)
}

function decodeUnreserved(path: string): string {
  return path.replace(/%[\dA-Fa-f]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
    return UNRESERVED.test(character) ? character : triplet.toUpperCase()
  })
}

type Rejection = readonly [code: Code, message: string]

const BY_CODE: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['BODY_TOO_LARGE', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request did not arrive in time.'],
}
const UNKNOWN_METHOD: Rejection = ['NOT_IMPLEMENTED', 'The method is not supported.']
const NOT_HTTP: Rejection = ['MALFORMED_REQUEST', 'The request is not valid HTTP.']

/** Writes the Error record for bytes that never reach the app, then closes the connection. */
function writeParserError(
  error: ParserError,
  req: IncomingMessage | undefined,
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): void {
  const target = req?.url ?? findTarget(error)
  const isMethod = error.code === 'HPE_INVALID_METHOD' && target !== undefined
  const [code, message] = isMethod ? UNKNOWN_METHOD : (BY_CODE[error.code ?? ''] ?? NOT_HTTP)
  const path = target === undefined ? '' : parseTargetPath(target)
  const record = toRecord(httpError(CODES[code].status, message, { code, expose: true }), { path })
  const body = JSON.stringify(record)
  const lines = Object.entries({
    ...headers,
    Date: new Date().toUTCString(),
    'X-Correlation-ID': randomUUID(),
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${record.status} ${record.error}\r\n${lines.join('')}\r\n${body}`)
  lingeringClose(socket)
}

const REQUEST_LINE = /^[!#$%&'*+.^`|~\w-]+ (\S+) HTTP\/1\.[01]$/
// A request line that directly follows a body, which need not end with a line break.
const AFTER_BODY = /[^!#$%&'*+.^`|~\w-][!#$%&'*+.^`|~\w-]+ (\S+) HTTP\/1\.[01]$/

/** Finds the target of the rejected request, if its line is in the last packet. */
function findTarget({ code, rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  if (!rawPacket) return undefined
  const text = rawPacket.toString('latin1')
  const lines = code === 'HPE_INVALID_METHOD' ? [lineAt(text, bytesParsed)] : linesBefore(text, bytesParsed)
  for (const pattern of [REQUEST_LINE, AFTER_BODY])
    for (const line of lines) {
      const target = pattern.exec(line)?.[1]
      if (target !== undefined) return target
    }
  return undefined
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const [line = ''] = text.slice(start).split(/\r?\n/, 1)
  return line
}

/** Returns the complete lines of the message before an offset, latest first. */
function linesBefore(text: string, offset: number): string[] {
  const lines = text.slice(0, offset).split(/\r?\n/).slice(0, -1).reverse()
  const end = lines.indexOf('')
  return end === -1 ? lines : lines.slice(0, end)
}
