import { Interception } from './interception.ts'
import type { IncomingMessage, ServerResponse } from './middleware.ts'
import type { BodyEnd, ResponseInterceptor } from './response-interceptor.ts'
import { applyHeaders, toBodyEnd, toBuffer } from './response-state.ts'

export type { BodyEnd, DownstreamResponse, ResponseInterceptor } from './response-interceptor.ts'

// The functions get their names before they are assigned: V8 allocates a function literal that is
// assigned to a property in its old space, where it keeps the request and the response alive until
// a full garbage collection.

/**
 * Intercepts the response of an ordinary app, which may use `res.json`, `send`, `write`, `end` and
 * piped streams, over HTTP/1 and HTTP/2. Interceptors nest: the last one sees the response first. A
 * service that ends its own responses does not need it.
 */
export function interceptResponse(req: IncomingMessage, res: ServerResponse, interceptor: ResponseInterceptor): void {
  const interception = new Interception(res, interceptor)
  const { original, held } = interception
  const isHead = req.method === 'HEAD'
  const start = (isWhole = false, last?: BodyEnd): void => {
    if (interception.isStarted) return
    held.release()
    if (res.headersSent) return
    interception.isStarted = true
    interception.attempt(() => interceptor.head?.(isWhole, last))
  }
  const writeHead = (...args: unknown[]): ServerResponse => {
    if (interception.isInside()) return original.writeHead.apply(res, args as never)
    applyHeaders(req, res, args)
    if (interceptor.late && !interception.isStarted && !res.headersSent) {
      held.holdHeaders()
      return res
    }
    start()
    return interception.callOriginal(() => original.writeHead.call(res, res.statusCode))
  }
  const flushHeaders = (): void => {
    if (!interception.isInside()) start()
    interception.callOriginal(() => original.flushHeaders.call(res))
  }
  const write = (...args: unknown[]): boolean => {
    if (interception.isInside()) return original.write.apply(res, args as never)
    start()
    if (interception.isEnded) return false
    const bytes = toBuffer(args[0], args[1])
    const done = args.find(isCallback)
    if (done) process.nextTick(done)
    if (!interceptor.write || isHead) return interception.write(bytes)
    held.release()
    const isReady = interceptor.write(bytes, interception)
    held.hold()
    return isReady
  }
  const end = (...args: unknown[]): ServerResponse => {
    if (interception.isInside()) return original.end.apply(res, args as never)
    const done = args.find(isCallback)
    if (done && res.writableFinished) process.nextTick(done)
    else if (done) res.once('finish', done)
    if (interception.isEnded) return res
    const [chunk, encoding] = args
    const last = chunk == null || typeof chunk === 'function' ? undefined : toBodyEnd(chunk, encoding)
    start(true, last)
    interception.isEnded = true
    held.release()
    if (interceptor.end && !isHead) interception.attempt(() => interceptor.end?.(last, interception))
    else interception.end(last)
    if (!interception.isPassedOn) held.hold(true)
    return res
  }
  res.writeHead = writeHead
  res.flushHeaders = flushHeaders
  res.write = write
  res.end = end as typeof res.end
}

function isCallback(value: unknown): value is () => void {
  return typeof value === 'function'
}
