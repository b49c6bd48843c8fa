import { Interception, Nesting } from './interception.ts'
import type { IncomingMessage, ServerResponse } from './middleware.ts'
import type { ResponseInterceptor } from './response-interceptor.ts'

export type { BodyEnd, DownstreamResponse, ResponseInterceptor } from './response-interceptor.ts'

// Global, so that the builds of all packages share the nesting. V8 caches what is read by a
// constant symbol.
const NESTING = Symbol.for('svc.intercepted')

/**
 * Intercepts the response of an ordinary app, which may use `res.json`, `send`, `write`, `end` and
 * piped streams, over HTTP/1 and HTTP/2. Interceptors nest: the last one sees the response first. A
 * service that ends its own responses does not need it.
 */
export function interceptResponse(
  req: IncomingMessage,
  res: ServerResponse & { [NESTING]?: Nesting },
  interceptor: ResponseInterceptor,
): void {
  res[NESTING] ??= new Nesting()
  const interception = new Interception(req, res, interceptor, res[NESTING])
  // The functions get their names before they are assigned: V8 allocates a function literal that is
  // assigned to a property in its old space, where it keeps the request and the response alive
  // until a full garbage collection.
  const writeHead = (...args: unknown[]): ServerResponse => interception.receiveHead(args)
  const write = (...args: unknown[]): boolean => interception.receiveChunk(args)
  const end = (...args: unknown[]): ServerResponse => interception.receiveEnd(args)
  const flushHeaders = (): void => interception.receiveFlush()
  res.writeHead = writeHead
  res.write = write
  res.end = end as typeof res.end
  res.flushHeaders = flushHeaders
}
