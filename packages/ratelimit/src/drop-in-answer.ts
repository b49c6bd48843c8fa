import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { ExpressRateLimitOptions } from './drop-in-options.ts'

/** Answers a refusal as express-rate-limit does: by `res.send` where there is one, else with the same bytes. */
export function answer<Req extends IncomingMessage, Res extends ServerResponse>(
  req: Req,
  res: Res,
  { message = 'Too many requests, please try again later.', statusCode = 429 }: ExpressRateLimitOptions<Req, Res>,
): MaybePromise<void> {
  res.statusCode = statusCode
  return chain(typeof message === 'function' ? message(req, res) : message, (body: unknown) => {
    if (res.writableEnded) return
    const { send } = res as { send?: (body: unknown) => unknown }
    if (typeof send === 'function') {
      send.call(res, body)
      return
    }
    const isText = typeof body === 'string'
    const bytes = Buffer.from(isText ? body : JSON.stringify(body ?? null))
    res.setHeader('Content-Type', isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    res.setHeader('Content-Length', bytes.length)
    res.end(req.method === 'HEAD' ? undefined : bytes)
  })
}
