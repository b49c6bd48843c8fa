import type { ServerResponse } from './middleware.ts'
import { requestFact } from './request-fact.ts'
import type { BodyEnd, DownstreamResponse, ResponseInterceptor } from './response-interceptor.ts'
import { HeldResponse } from './response-state.ts'

// What lives as long as a response is an instance of a class here, not an object literal. V8
// allocates literals that often survive in its old space; from there they keep the response alive,
// so that each collection of the young space copies all responses since the last full one.

/** Methods of a response before it was intercepted. */
class OriginalMethods {
  readonly writeHead: ServerResponse['writeHead']
  readonly write: ServerResponse['write']
  readonly end: ServerResponse['end']
  readonly flushHeaders: ServerResponse['flushHeaders']

  constructor(res: ServerResponse) {
    this.writeHead = res.writeHead
    this.write = res.write
    this.end = res.end
    this.flushHeaders = res.flushHeaders
  }
}

/**
 * The interceptors of a response: how many there are, and the lowest one whose original methods
 * run.
 */
class Nesting {
  count = 0
  inside = Number.MAX_SAFE_INTEGER
}

const nestings = requestFact<Nesting>('intercepted')

/** One interceptor in one response. */
export class Interception implements DownstreamResponse {
  readonly interceptor: ResponseInterceptor
  readonly original: OriginalMethods
  readonly held: HeldResponse
  readonly #res: ServerResponse
  readonly #nesting: Nesting
  readonly #level: number
  isStarted = false
  isEnded = false
  isPassedOn = false

  constructor(res: ServerResponse, interceptor: ResponseInterceptor) {
    this.interceptor = interceptor
    this.original = new OriginalMethods(res)
    this.held = new HeldResponse(res)
    this.#res = res
    this.#nesting = nestings.get(res) ?? new Nesting()
    this.#level = this.#nesting.count++
    nestings.set(res, this.#nesting)
  }

  write(chunk: Buffer): boolean {
    return this.callOriginal(() => this.original.write.call(this.#res, chunk, 'utf8'))
  }

  end(chunk?: BodyEnd): void {
    this.isPassedOn = true
    this.callOriginal(() => this.original.end.call(this.#res, chunk, 'utf8'))
  }

  reopen(): void {
    this.held.release()
    this.isPassedOn = true
    Object.assign(this.#res, this.original)
  }

  /**
   * Runs a method of the response as it was before. `end` of HTTP/2 calls `this.write` and
   * `this.writeHead`, and so do other middleware that replace methods.
   */
  callOriginal<T>(call: () => T): T {
    this.held.release()
    const { inside } = this.#nesting
    this.#nesting.inside = this.#level
    try {
      return call()
    } finally {
      this.#nesting.inside = inside
    }
  }

  /**
   * Runs a part of the interceptor. If it throws, an error can be sent instead, unless the end was
   * passed on.
   */
  attempt(call: () => void): void {
    try {
      call()
    } catch (error) {
      if (!this.isPassedOn) this.reopen() // else the response to this error would end in an ended one
      throw error
    }
  }

  /**
   * Whether a method of the response below this interceptor runs: what it calls has been seen
   * already.
   */
  isInside(): boolean {
    return this.#level >= this.#nesting.inside
  }
}
