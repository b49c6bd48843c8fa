import type { IncomingMessage, ServerResponse } from './middleware.ts'
import { inspectValue } from './options.ts'

/** What stands behind a tap: the response as it was before. */
export interface DownstreamResponse {
  /** False when the client is slower than we are: wait for `drain` of the response. */
  write(chunk: Buffer): boolean
  end(chunk?: Buffer): void
  /** For an end that cannot be sent: puts the response back as it was before the tap, so that an error can be answered. */
  reopen(): void
}

/**
 * Sees a response on its way out. What a tap holds back counts as sent for everybody else (`headersSent`,
 * `writableEnded`): an error that comes now must not be answered on top. Each part that is left out passes everything on. A HEAD request has no chunks.
 */
export interface ResponseInterceptor {
  /**
   * True: fields given to `writeHead` are set, and the header section waits for the first chunk. On the wire that is
   * the same, and `end` can still decide by the whole body.
   */
  late?: boolean
  /**
   * Once, just before the header section is sent: may change the status and the fields. `whole` tells that the app
   * ends the response here, having written nothing before: all of the body is in `end`, and here as `last`, also to HEAD.
   */
  head?(whole: boolean, last: Buffer | undefined): void
  /** Each chunk but the last. */
  write?(chunk: Buffer, onward: DownstreamResponse): boolean
  /** Once, with the last chunk: the whole body where it was sent at once. Must call `onward.end`, now or later. */
  end?(last: Buffer | undefined, onward: DownstreamResponse): void
}

/**
 * Puts a tap into a response of an ordinary app, where `res.json`, `send`, `write`, `end` and piped streams are all
 * in use. Taps nest: the one put in last sees the response first. A service that owns the end of its responses
 * needs none of this.
 */
export function interceptResponse(req: IncomingMessage, res: ServerResponse, own: ResponseInterceptor): void {
  const { writeHead, write, end, flushHeaders } = res
  const bodiless = req.method === 'HEAD'
  let started = false
  let ended = false
  let passed = false
  let held = false
  const start = (whole = false, last?: Buffer): void => {
    if (started || res.headersSent) return
    started = true
    attempt(() => own.head?.(whole, last))
  }
  const hold = (name: 'headersSent' | 'writableEnded'): void => {
    if (res[name]) return
    held = true
    Object.defineProperty(res, name, { value: true, configurable: true })
  }
  const release = (): void => {
    if (!held) return
    held = false
    Reflect.deleteProperty(res, 'headersSent')
    Reflect.deleteProperty(res, 'writableEnded')
  }
  const attempt = (call: () => void): void => {
    try {
      call()
    } catch (error) {
      if (!passed) onward.reopen() // else the answer to this error would end in a tap that has seen the end
      throw error
    }
  }
  const onward: DownstreamResponse = {
    write: (chunk) => {
      release()
      return write.call(res, chunk, 'utf8')
    },
    end: (chunk) => {
      release()
      passed = true
      end.call(res, chunk, 'utf8')
    },
    reopen: () => {
      release()
      passed = true
      Object.assign(res, { writeHead, write, end, flushHeaders })
    },
  }
  res.writeHead = function tappedWriteHead(status: number, reason?: unknown, fields?: unknown) {
    res.statusCode = status
    if (typeof reason === 'string') res.statusMessage = reason
    setFields(res, typeof reason === 'string' ? fields : (fields ?? reason))
    if (own.late && !started && !res.headersSent) return res
    start()
    return writeHead.call(res, res.statusCode)
  }
  res.flushHeaders = function tappedFlushHeaders() {
    start()
    flushHeaders.call(res)
  }
  res.write = function tappedWrite(chunk: unknown, ...rest: unknown[]) {
    start()
    if (ended) return false
    const bytes = toBuffer(chunk, rest[0])
    const done = rest.find((value) => typeof value === 'function')
    if (done) process.nextTick(done)
    if (!own.write || bodiless) return onward.write(bytes)
    release()
    const isReady = own.write(bytes, onward)
    hold('headersSent')
    return isReady
  } as typeof res.write
  res.end = function tappedEnd(...args: unknown[]) {
    const done = args.find((value) => typeof value === 'function') as (() => void) | undefined
    if (done && res.writableFinished) process.nextTick(done)
    else if (done) res.once('finish', done)
    if (ended) return res
    const [chunk, encoding] = args
    const last = chunk == null || typeof chunk === 'function' ? undefined : toBuffer(chunk, encoding)
    start(true, last)
    ended = true
    release()
    if (own.end && !bodiless) attempt(() => own.end?.(last, onward))
    else onward.end(last)
    if (passed) return res
    hold('headersSent')
    hold('writableEnded')
    return res
  } as typeof res.end
}

function toBuffer(chunk: unknown, encoding: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  if (typeof chunk !== 'string') throw new TypeError(`a chunk must be a string or bytes, got ${inspectValue(chunk)}`) // as node does
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}

/** The three forms in which `writeHead` takes fields: an object, pairs, and one flat array. */
function setFields(res: ServerResponse, fields: unknown): void {
  if (typeof fields !== 'object' || fields === null) return
  if (!Array.isArray(fields)) {
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) res.setHeader(name, value)
    return
  }
  const flat: string[] = fields.flat()
  for (let at = 0; at < flat.length; at += 2) res.removeHeader(flat[at] ?? '')
  for (let at = 0; at + 1 < flat.length; at += 2) res.appendHeader(flat[at] ?? '', flat[at + 1] ?? '')
}
