import type { ServerResponse } from './middleware.ts'
import { requestFact } from './request-fact.ts'
import type { DownstreamResponse, ResponseInterceptor } from './response-interceptor.ts'
import { type HeldResponse, holdResponse } from './response-state.ts'

type OriginalMethods = Pick<ServerResponse, 'writeHead' | 'write' | 'end' | 'flushHeaders'>

/** One interceptor in one response. */
export interface Interception {
  readonly interceptor: ResponseInterceptor
  readonly original: OriginalMethods
  readonly held: HeldResponse
  readonly downstream: DownstreamResponse
  /** Runs an original method of the response. */
  callOriginal<T>(call: () => T): T
  /** Runs a part of the interceptor. If it throws, an error can be sent instead, unless the end was passed on. */
  attempt(call: () => void): void
  /** Whether a method below this interceptor runs, whose calls have been intercepted already. */
  isInside(): boolean
  isStarted: boolean
  isEnded: boolean
  isPassedOn: boolean
}

/** The interceptors of a response: their number, and the lowest one whose original methods run. */
interface Nesting {
  count: number
  inside: number
}

const nestings = requestFact<Nesting>('intercepted')

/** Prepares a response for an interceptor. */
export function createInterception(res: ServerResponse, interceptor: ResponseInterceptor): Interception {
  const { writeHead, write, end, flushHeaders } = res
  const original: OriginalMethods = { writeHead, write, end, flushHeaders }
  const held = holdResponse(res)
  const nesting = nestings.get(res) ?? { count: 0, inside: Number.POSITIVE_INFINITY }
  nestings.set(res, nesting)
  const level = nesting.count++
  const downstream: DownstreamResponse = {
    write: (chunk) => callOriginal(() => write.call(res, chunk, 'utf8')),
    end(chunk) {
      interception.isPassedOn = true
      callOriginal(() => end.call(res, chunk, 'utf8'))
    },
    reopen() {
      held.release()
      interception.isPassedOn = true
      Object.assign(res, original)
    },
  }
  // `end` of HTTP/2 calls `this.write` and `this.writeHead`, and so do other middleware that replace methods.
  const callOriginal = <T>(call: () => T): T => {
    held.release()
    const { inside } = nesting
    nesting.inside = level
    try {
      return call()
    } finally {
      nesting.inside = inside
    }
  }
  const attempt = (call: () => void): void => {
    try {
      call()
    } catch (error) {
      if (!interception.isPassedOn) downstream.reopen() // else the response to this error would end in an ended one
      throw error
    }
  }
  const interception: Interception = {
    interceptor,
    original,
    held,
    downstream,
    callOriginal,
    attempt,
    isInside: () => level >= nesting.inside,
    isStarted: false,
    isEnded: false,
    isPassedOn: false,
  }
  return interception
}
