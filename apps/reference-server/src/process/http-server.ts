import { constants } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { CORS_HEADERS } from '../http/cors.ts'
import type { MessageClasses } from '../http/express-messages.ts'
import { securityHeaders } from '../security/headers.ts'
import type { Certificate } from './certificate.ts'
import { writeParserError } from './parser-error.ts'
import { pipelining } from './pipelining.ts'
import { normalizeTarget } from './request-target.ts'

// Under TLS 1.2 only suites with forward secrecy and authenticated encryption (RFC 9325 §4.2), and no renegotiation,
// which TLS 1.3 does not have. HTTP/2 is not offered, see decision 049.
const TLS = {
  minVersion: 'TLSv1.2',
  ciphers: [
    ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
    ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
    ...['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ].join(':'),
  honorCipherOrder: true,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ALPNProtocols: ['http/1.1'],
} as const

const MAX_HEADER_BYTES = 32 * 1024

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
  const headers = { ...securityHeaders(certificate !== undefined), ...CORS_HEADERS }
  const { handle, handleParserError } = pipelining(
    (req, res) => {
      normalizeTarget(req)
      listener(req, res)
    },
    (error, req, socket) => writeParserError(error, req, socket, headers),
  )
  // A body is requested with 100 when a stage reads it; a rejected request needs none.
  server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle)
  return server.on('clientError', handleParserError)
}
