import { vary } from '../../internal/vary.ts'
import { clean, setFields } from './clean.ts'
import { cut } from './gone.ts'
import type { ErrorContext, Rendition } from './options.ts'
import { isErrorStatus, wordsOf } from './status.ts'

/**
 * Ends a response with an error: the fields of the failed answer are gone, and HEAD has the same fields and no body.
 */
export function send(context: ErrorContext, rendition: Rendition): void {
  const { req, res } = context
  if (res.headersSent || res.destroyed) return
  try {
    const body = typeof rendition.body === 'string' ? Buffer.from(rendition.body) : rendition.body
    setHead(context, rendition, body.length)
    res.end(req.method === 'HEAD' ? undefined : body)
  } catch {
    cut(res) // something that listens to the response threw: no answer can be relied on
  }
}

function setHead({ req, res, facts, language }: ErrorContext, rendition: Rendition, length: number): void {
  const status = isErrorStatus(rendition.status) ? rendition.status : facts.status
  clean(res)
  setFields(res, facts.headers)
  if (rendition.headers) setFields(res, rendition.headers)
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store')
  if (language === undefined) vary(res, 'Accept')
  else {
    vary(res, 'Accept', 'Accept-Language')
    res.setHeader('Content-Language', language)
  }
  res.statusCode = status
  // HTTP/2 has no reason phrase, and node warns of one.
  if (req.httpVersionMajor < 2) res.statusMessage = wordsOf(status).reason
  res.setHeader('Content-Type', rendition.contentType)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Length', length)
}
