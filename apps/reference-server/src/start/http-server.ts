import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { securityFields } from '../pipeline/security-fields.ts'
import type { Certificate } from './certificate.ts'

const MAX_HEADER_BYTES = 32 * 1024

/** The server with its limits of size and time; not yet listening. */
export function httpServer(listener: RequestListener, certificate: Certificate | undefined): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
  }
  const server = certificate
    ? createSecureServer({ ...options, cert: certificate.cert, key: certificate.key }, listener)
    : createServer(options, listener)
  // The body is asked for when it is wanted: a refusal needs none.
  server.on('checkContinue', listener)
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (req, res) => answering.set(req.socket, res))
  server.on('clientError', (error, socket) => {
    const res = answering.get(socket)
    // Bytes in the middle of an answer would be taken for a part of it.
    if (res?.headersSent && !res.writableFinished) socket.destroy()
    else answerClientError(error, socket)
  })
  return server
}

const ANSWERS: Readonly<Record<string, readonly [status: number, reason: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    ...([431, 'Request Header Fields Too Large', 'HEADERS_TOO_LARGE', 'The header section is too large.'] as const),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time.'],
  HPE_INVALID_METHOD: [501, 'Not Implemented', 'NOT_IMPLEMENTED', 'The method is not known.'],
}
const NO_HTTP = [400, 'Bad Request', 'MALFORMED_REQUEST', 'The request is not HTTP.'] as const

const REQUEST_LINE = /^[!#$%&'*+.^`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/

interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer
}

/** What is no HTTP never reaches the app: the record is written by hand. */
function answerClientError({ code = '', rawPacket }: ParseError, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  const isStrange = code === 'HPE_INVALID_METHOD' && !REQUEST_LINE.test(rawPacket?.toString('latin1', 0, 8192) ?? '')
  const [status, reason, name, message] = (!isStrange && ANSWERS[code]) || NO_HTTP
  const record = { timestamp: new Date().toISOString(), status, error: reason, message, path: '', code: name }
  const body = JSON.stringify(record)
  const fields = {
    ...{ ...securityFields(false), 'X-Correlation-ID': randomUUID(), 'Cache-Control': 'no-store', Connection: 'close' },
    ...{ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) },
  }
  const head = Object.entries(fields).map(([field, value]) => `${field}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('')}\r\n${body}`)
}
