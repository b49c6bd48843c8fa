import type { IncomingMessage, ServerResponse } from './middleware.ts'

/** What stands behind a tap: the response as it was before. */
export interface Onward {
  /** False when the client is slower than we are: wait for `drain` of the response. */
  write(chunk: Buffer): boolean
  end(chunk?: Buffer): void
}

/** Sees a response on its way out. Each part that is left out passes everything on. A HEAD request has no chunks. */
export interface Tap {
  /**
   * True: fields given to `writeHead` are set, and the header section waits for the first chunk. On the wire that is
   * the same, and `end` can still decide by the whole body.
   */
  late?: boolean
  /**
   * Once, just before the header section is sent: may change the status and the fields. `whole` tells that the app
   * ends the response here, having written nothing before: all of the body is in `end`.
   */
  head?(whole: boolean): void
  /** Each chunk but the last. */
  write?(chunk: Buffer, onward: Onward): boolean
  /** Once, with the last chunk: the whole body where it was sent at once. Must call `onward.end`, now or later. */
  end?(last: Buffer | undefined, onward: Onward): void
}

/**
 * Puts a tap into a response of an ordinary app, where `res.json`, `send`, `write`, `end` and piped streams are all
 * in use. Taps nest: the one put in last sees the response first. A service that owns the end of its responses
 * needs none of this.
 */
export function tap(req: IncomingMessage, res: ServerResponse, own: Tap): void {
  const { writeHead, write, end, flushHeaders } = res
  const bodiless = req.method === 'HEAD'
  let started = false
  let ended = false
  const start = (whole = false): void => {
    if (started || res.headersSent) return
    started = true
    own.head?.(whole)
  }
  const onward: Onward = {
    write: (chunk) => write.call(res, chunk, 'utf8'),
    end: (chunk) => void end.call(res, chunk, 'utf8'),
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
    return own.write && !bodiless ? own.write(bytes, onward) : onward.write(bytes)
  } as typeof res.write
  res.end = function tappedEnd(...args: unknown[]) {
    if (ended) return res
    ended = true
    start(true)
    const done = args.find((value) => typeof value === 'function')
    if (done) res.once('finish', done as () => void)
    const [chunk, encoding] = args
    const last = chunk == null || typeof chunk === 'function' ? undefined : toBuffer(chunk, encoding)
    if (own.end && !bodiless) own.end(last, onward)
    else onward.end(last)
    return res
  } as typeof res.end
}

function toBuffer(chunk: unknown, encoding: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Buffer.from(String(chunk), typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
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
