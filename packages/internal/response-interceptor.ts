/**
 * The end of a body. Text is UTF-8 and stays text: node:http sends it in one piece with the
 * headers, bytes in a second one.
 */
export type BodyEnd = Buffer | string | undefined

/** The response below the interceptor. */
export interface DownstreamResponse {
  /** False if the client is slower than the app: wait for `drain` of the response. */
  write(chunk: Buffer): boolean
  end(chunk?: BodyEnd): void
  /**
   * For an end that cannot be sent: removes the interceptor, so that an error can be sent instead.
   */
  reopen(): void
}

/**
 * Intercepts an outgoing response. A response that is held back appears as sent to the app
 * (`headersSent`, `writableEnded`), so that nothing else is sent. Omitted methods pass everything
 * on. Responses to HEAD have no chunks.
 */
export interface ResponseInterceptor {
  /**
   * Whether `writeHead` only sets headers, which are sent with the first chunk, so that `end` can
   * decide by the whole body. On the wire this is the same.
   */
  late?: boolean
  /** Whether `flushHeaders` does not send the headers, but only appears to. */
  ignoreFlush?: boolean
  /**
   * Called once, just before the headers are sent; may change the status and the headers.
   * `isWhole`: the app ends the response without having written anything. Then the whole body is in
   * `end`, and in `last`, also for HEAD.
   */
  head?(isWhole: boolean, last: BodyEnd): void
  /** Called with each chunk except the last. */
  write?(chunk: Buffer, downstream: DownstreamResponse): boolean
  /**
   * Called once, with the last chunk, or the whole body. Must call `downstream.end`, now or later.
   */
  end?(last: BodyEnd, downstream: DownstreamResponse): void
}
