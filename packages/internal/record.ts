import type { HttpErrorLike } from './http-error.ts'
import { splitList } from './list.ts'
import { getPath, type IncomingMessage, type ServerResponse } from './middleware.ts'
import { getReason } from './reason.ts'
import { vary } from './vary.ts'

/** The JSON body of an error response. */
export interface ErrorRecord {
  timestamp: string
  status: number
  error: string
  message: string
  path: string
  /** Stable name of the cause, for decisions of clients. */
  code: string
}

// Headers of the replaced response. A cache must not store an error for the lifetime of that
// response.
export const REPRESENTATION_HEADERS = [
  'Cache-Control',
  'CDN-Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Location',
  'Content-Range',
  'ETag',
  'Expires',
  'Last-Modified',
  'Location',
  'Set-Cookie',
]

/** Returns the record of an error. */
export function toErrorRecord(req: Pick<IncomingMessage, 'url'>, error: HttpErrorLike): ErrorRecord {
  return {
    timestamp: new Date().toISOString(),
    status: error.status,
    error: getReason(error.status),
    message: error.expose ? error.message : 'The server could not process the request.',
    path: getPath(req),
    code: error.code,
  }
}

/**
 * Sends an error as a JSON error record: the response of a package if no error handler takes its
 * errors.
 */
export function sendErrorRecord(req: IncomingMessage, res: ServerResponse, error: HttpErrorLike): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  for (const name of REPRESENTATION_HEADERS) res.removeHeader(name)
  // Text, which node:http sends in one piece with the headers.
  const body = JSON.stringify(toErrorRecord(req, error))
  res.statusCode = error.status
  for (const [name, value] of Object.entries(error.headers ?? {})) {
    // Earlier middleware may vary by other headers.
    if (name.toLowerCase() === 'vary') vary(res, ...splitList(value))
    else res.setHeader(name, value)
  }
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.end(req.method === 'HEAD' ? undefined : body)
}
