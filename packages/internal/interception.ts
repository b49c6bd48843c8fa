import type { IncomingMessage, ServerResponse } from './middleware.ts'
import type { BodyEnd, DownstreamResponse, ResponseInterceptor } from './response-interceptor.ts'
import { applyHeaders, HeldResponse, toBodyEnd, toBuffer } from './response-state.ts'

// What lives as long as a response is an instance of a class here, not an object literal. V8
// allocates literals that often survive in its old space; from there they keep the response alive,
// so that each collection of the young space copies all responses since the last full one.

/**
 * The interceptors of a response: how many there are, and the lowest one whose original methods
 * run.
 */
export class Nesting {
  count = 0
  inside = Number.MAX_SAFE_INTEGER
}

/**
 * One interceptor in one response. The methods of the response call `receive…`, which get their
 * arguments; `#writeHead`, `#write`, `#end` and `#flushHeaders` are the methods before.
 */
export class Interception implements DownstreamResponse {
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #interceptor: ResponseInterceptor
  readonly #nesting: Nesting
  readonly #level: number
  readonly #writeHead: ServerResponse['writeHead']
  readonly #write: ServerResponse['write']
  readonly #end: ServerResponse['end']
  readonly #flushHeaders: ServerResponse['flushHeaders']
  #held: HeldResponse | undefined = undefined
  #isStarted = false
  #isEnded = false
  #isPassedOn = false

  constructor(req: IncomingMessage, res: ServerResponse, interceptor: ResponseInterceptor, nesting: Nesting) {
    this.#req = req
    this.#res = res
    this.#interceptor = interceptor
    this.#nesting = nesting
    this.#level = nesting.count++
    this.#writeHead = res.writeHead
    this.#write = res.write
    this.#end = res.end
    this.#flushHeaders = res.flushHeaders
  }

  receiveHead(args: readonly unknown[]): ServerResponse {
    const res = this.#res
    if (this.#isInside()) return this.#writeHead.apply(res, args as never)
    applyHeaders(this.#req, res, args)
    if (this.#interceptor.late && !this.#isStarted && !res.headersSent) {
      this.#hold().holdHeaders()
      return res
    }
    this.#start(false)
    return this.#callOriginal(this.#writeHead, res.statusCode)
  }

  receiveFlush(): void {
    if (!this.#isInside()) {
      if (this.#interceptor.ignoreFlush) return this.#hold().holdHeaders()
      this.#start(false)
    }
    this.#callOriginal(this.#flushHeaders)
  }

  receiveChunk(args: readonly unknown[]): boolean {
    if (this.#isInside()) return this.#write.apply(this.#res, args as never)
    this.#start(false)
    if (this.#isEnded) return false
    const bytes = toBuffer(args[0], args[1])
    const done = args.find(isCallback)
    if (done) process.nextTick(done)
    if (!this.#interceptor.write || this.#req.method === 'HEAD') return this.write(bytes)
    this.#held?.release()
    const isReady = this.#interceptor.write(bytes, this)
    this.#hold().holdHeaders()
    return isReady
  }

  receiveEnd(args: readonly unknown[]): ServerResponse {
    const res = this.#res
    if (this.#isInside()) return this.#end.apply(res, args as never)
    const [chunk, encoding] = args
    const done = args.find(isCallback)
    if (done && res.writableFinished) process.nextTick(done)
    else if (done) res.once('finish', done)
    if (this.#isEnded) return res
    const last = chunk == null || typeof chunk === 'function' ? undefined : toBodyEnd(chunk, encoding)
    this.#start(true, last)
    this.#isEnded = true
    this.#held?.release()
    try {
      if (this.#interceptor.end && this.#req.method !== 'HEAD') this.#interceptor.end(last, this)
      else this.end(last)
    } catch (error) {
      this.#fail(error)
    }
    if (!this.#isPassedOn) this.#hold().hold(true)
    return res
  }

  write(chunk: Buffer): boolean {
    return this.#callOriginal(this.#write, chunk, 'utf8')
  }

  end(chunk?: BodyEnd): void {
    this.#isPassedOn = true
    this.#callOriginal(this.#end, chunk, 'utf8')
  }

  reopen(): void {
    const res = this.#res
    this.#held?.release()
    this.#isPassedOn = true
    res.writeHead = this.#writeHead
    res.write = this.#write
    res.end = this.#end
    res.flushHeaders = this.#flushHeaders
  }

  #start(isWhole: boolean, last?: BodyEnd): void {
    if (this.#isStarted) return
    this.#held?.release()
    if (this.#res.headersSent) return
    this.#isStarted = true
    try {
      this.#interceptor.head?.(isWhole, last)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): never {
    // After the end was passed on, the response to this error would end in an ended one.
    if (!this.#isPassedOn) this.reopen()
    throw error
  }

  #callOriginal<T>(method: (...args: never[]) => T, ...args: unknown[]): T {
    // `end` of HTTP/2 calls `this.write` and `this.writeHead`, and so do other middleware that
    // replace methods.
    const nesting = this.#nesting
    const { inside } = nesting
    this.#held?.release()
    nesting.inside = this.#level
    try {
      return method.apply(this.#res, args as never[])
    } finally {
      nesting.inside = inside
    }
  }

  #isInside(): boolean {
    // What a method of the response below this interceptor calls has been seen already.
    return this.#level >= this.#nesting.inside
  }

  #hold(): HeldResponse {
    this.#held ??= new HeldResponse(this.#res)
    return this.#held
  }
}

function isCallback(value: unknown): value is () => void {
  return typeof value === 'function'
}
