import { Interception, Nesting } from './interception.ts'
import type { IncomingMessage, ServerResponse } from './middleware.ts'
import type { ResponseInterceptor } from './response-interceptor.ts'

export type { BodyEnd, DownstreamResponse, ResponseInterceptor } from './response-interceptor.ts'

type ReplacedMethods = Pick<ServerResponse, 'writeHead' | 'write' | 'end' | 'flushHeaders'>

// Global, so that the builds of all packages share the nesting. A constant symbol costs less than a
// request fact, which every call of the response would read.
const NESTING = Symbol.for('svc.intercepted')

type Intercepted<Res> = Res & { [NESTING]?: Nesting }

const methodsByLevel: ReplacedMethods[] = []

/**
 * Intercepts the response of an ordinary app, which may use `res.json`, `send`, `write`, `end` and
 * piped streams, over HTTP/1 and HTTP/2. Interceptors nest: the last one sees the response first. A
 * service that ends its own responses does not need it.
 */
export function interceptResponse(
  req: IncomingMessage,
  res: Intercepted<ServerResponse>,
  interceptor: ResponseInterceptor,
): void {
  const nesting = res[NESTING] ?? new Nesting()
  res[NESTING] = nesting
  const level = nesting.count
  nesting.interceptions[level] = new Interception(req, res, interceptor, nesting)
  methodsByLevel[level] ??= createMethods(level)
  const { writeHead, write, end, flushHeaders } = methodsByLevel[level]
  res.writeHead = writeHead
  res.write = write
  res.end = end
  res.flushHeaders = flushHeaders
}

/**
 * Creates the methods of responses for interceptors of one level, which all responses share. V8
 * allocates a function literal that is assigned to a property in its old space, where it would keep
 * its response alive until a full garbage collection.
 */
function createMethods(level: number): ReplacedMethods {
  const find = (res: Intercepted<ServerResponse>): Interception => {
    const interception = res[NESTING]?.interceptions[level]
    if (interception) return interception
    throw new TypeError('a method of an intercepted response must be called on that response')
  }
  function writeHead(this: ServerResponse, ...args: unknown[]): ServerResponse {
    return find(this).receiveHead(args)
  }
  function write(this: ServerResponse, ...args: unknown[]): boolean {
    return find(this).receiveChunk(args)
  }
  function end(this: ServerResponse, ...args: unknown[]): ServerResponse {
    return find(this).receiveEnd(args)
  }
  function flushHeaders(this: ServerResponse): void {
    find(this).receiveFlush()
  }
  return { writeHead, write, end: end as ServerResponse['end'], flushHeaders }
}
