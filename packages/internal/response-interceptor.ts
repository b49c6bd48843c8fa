/** The response as it was before it was intercepted. */
export interface DownstreamResponse {
  /** False if the client is slower than the app: wait for `drain` of the response. */
  write(chunk: Buffer): boolean
  end(chunk?: Buffer): void
  /** For an end that cannot be sent: removes the interceptor, so that an error can be sent instead. */
  reopen(): void
}

/**
 * Sees an outgoing response. A response that is held back counts as sent for the app (`headersSent`, `writableEnded`), so
 * that nothing is sent on top of it. A part that is omitted passes everything on. Responses to HEAD have no chunks.
 */
export interface ResponseInterceptor {
  /**
   * True: `writeHead` only sets headers, and they are sent with the first chunk, so that `end` can still decide by the
   * whole body. On the wire that is the same.
   */
  late?: boolean
  /**
   * Called once, just before the headers are sent; may change the status and the headers. `isWhole`: the app ends the
   * response without having written anything. Then all of the body is in `end`, and here as `last`, also for HEAD.
   */
  head?(isWhole: boolean, last: Buffer | undefined): void
  /** Called with each chunk but the last. */
  write?(chunk: Buffer, downstream: DownstreamResponse): boolean
  /** Called once, with the last chunk, or the whole body. Must call `downstream.end`, now or later. */
  end?(last: Buffer | undefined, downstream: DownstreamResponse): void
}
