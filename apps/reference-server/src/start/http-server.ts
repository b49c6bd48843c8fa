import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
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

const ANSWERS: Readonly<Record<string, readonly [status: number, reason: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The header section is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
}

/** What is no HTTP never reaches the app: the record is written by hand. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, reason, message] = ANSWERS[error.code ?? ''] ?? [400, 'Bad Request', 'The request is not HTTP.']
  const record = { timestamp: new Date().toISOString(), status, error: reason, message, path: '' }
  const body = JSON.stringify(record)
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
