import { drainRequest } from '../../internal/drain-request.ts'
import { vary } from '../../internal/vary.ts'
import type { GetChallenge } from './challenge.ts'
import { abort } from './connection.ts'
import type { ErrorContext } from './error-context.ts'
import { removeContentHeaders, setHeaders } from './error-headers.ts'
import type { ErrorResponse } from './options.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

/**
 * Ends a response with an error, without the headers of the failed content. HEAD gets the headers
 * and no body.
 */
export function send(context: ErrorContext, response: ErrorResponse, getChallenge: GetChallenge): void {
  const { req, res } = context
  if (res.headersSent || res.destroyed) return
  try {
    const { body } = response
    drainRequest(req, res)
    // Node.js sends a text in one piece with the headers, and bytes in a second one.
    writeHead(context, response, Buffer.byteLength(body), getChallenge)
    res.end(req.method === 'HEAD' ? undefined : body)
  } catch {
    abort(res) // a listener of the response threw, so it cannot be completed
  }
}

function writeHead(
  { req, res, classification, language }: ErrorContext,
  response: ErrorResponse,
  length: number,
  getChallenge: GetChallenge,
): void {
  const status = isErrorStatus(response.status) ? response.status : classification.status
  removeContentHeaders(res)
  setHeaders(res, classification.headers)
  if (response.headers) setHeaders(res, response.headers)
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store')
  if (status === 401 && !res.hasHeader('WWW-Authenticate')) {
    const challenge = getChallenge()
    if (challenge !== undefined) res.setHeader('WWW-Authenticate', challenge)
  }
  if (language === undefined) vary(res, 'Accept')
  else {
    vary(res, 'Accept', 'Accept-Language')
    res.setHeader('Content-Language', language)
  }
  res.statusCode = status
  // HTTP/2 has no reason phrase, and Node.js warns if one is set.
  if (req.httpVersionMajor < 2) res.statusMessage = getStatusDefaults(status).reason
  res.setHeader('Content-Type', response.contentType)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Length', length)
}
