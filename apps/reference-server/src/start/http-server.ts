import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { CORS_FIELDS } from '../pipeline/cross-origin.ts'
import { securityFields } from '../pipeline/security-fields.ts'
import type { Certificate } from './certificate.ts'
import { writeParserError } from './parser-error.ts'
import { pipelining } from './pipelining.ts'
import { normalizeTarget } from './request-target.ts'

const MAX_HEADER_BYTES = 32 * 1024

/** Creates the server with its limits of size and time. It is not listening yet. */
export function httpServer(listener: RequestListener, certificate: Certificate | undefined): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    // The app rejects a missing Host with an Error record, node:http with an empty response.
    requireHostHeader: false,
  }
  const server = certificate
    ? createSecureServer({ ...options, cert: certificate.cert, key: certificate.key })
    : createServer(options)
  const headers = { ...securityFields(certificate !== undefined), ...CORS_FIELDS }
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
