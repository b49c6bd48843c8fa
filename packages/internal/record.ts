import type { HttpErrorLike } from './http-error.ts'
import { splitList } from './list.ts'
import { getPath, type IncomingMessage, type ServerResponse } from './middleware.ts'
import { vary } from './vary.ts'

/** The five members of the Error record, in their order. */
export interface ErrorRecord {
  timestamp: string
  status: number
  error: string
  message: string
  path: string
}

// RFC 9110 15 has other words than node's table for three of them.
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

// What was said of the answer that does not come. A cache must not keep a refusal for as long as it.
const OF_THE_ANSWER = [
  ...['Cache-Control', 'Content-Disposition', 'Content-Encoding', 'Content-Language', 'Content-Location'],
  ...['Content-Range', 'ETag', 'Expires', 'Last-Modified', 'Location', 'Set-Cookie'],
]

/** The record of a failure. */
export function toErrorRecord(req: IncomingMessage, error: HttpErrorLike): ErrorRecord {
  return {
    timestamp: new Date().toISOString(),
    status: error.status,
    error: REASONS[error.status] ?? 'Error',
    message: error.expose ? error.message : 'The server could not process the request.',
    path: getPath(req),
  }
}

/** What a package answers itself when nobody behind it turns its failures into answers: a plain JSON Error record. */
export function sendErrorRecord(req: IncomingMessage, res: ServerResponse, error: HttpErrorLike): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  for (const name of OF_THE_ANSWER) res.removeHeader(name)
  const body = Buffer.from(JSON.stringify(toErrorRecord(req, error)))
  res.statusCode = error.status
  for (const [name, value] of Object.entries(error.headers ?? {})) {
    // What earlier parts of the pipeline varied by still holds.
    if (name.toLowerCase() === 'vary') vary(res, ...splitList(value))
    else res.setHeader(name, value)
  }
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Length', body.length)
  res.end(req.method === 'HEAD' ? undefined : body)
}
