import type { IncomingMessage, ServerResponse } from './middleware.ts'
import { inspectValue } from './options.ts'

/** Shows the app the state that a response would have if it was not held back. */
export interface HeldResponse {
  /** Shows the headers as sent, and the response as ended if it is. */
  hold(state?: { isEnded?: boolean }): void
  /** Shows the headers as sent, and throws if the app sets one. */
  holdHeaders(): void
  /** Shows the actual state again. */
  release(): void
}

const SETTERS = ['setHeader', 'appendHeader', 'removeHeader', 'setHeaders', 'writeHead'] as const

/** Reads the actual state of a response. */
export function holdResponse(res: ServerResponse): HeldResponse {
  const replaced = new Map<string, PropertyDescriptor | undefined>()
  const replace = (name: string, value: unknown): void => {
    if (!replaced.has(name)) replaced.set(name, Object.getOwnPropertyDescriptor(res, name))
    Object.defineProperty(res, name, { value, configurable: true, writable: true })
  }
  const hold = ({ isEnded = false } = {}): void => {
    if (!res.headersSent) replace('headersSent', true)
    if (isEnded && !res.writableEnded) replace('writableEnded', true)
  }
  return {
    hold,
    holdHeaders() {
      hold()
      for (const name of SETTERS) replace(name, throwHeadersSent)
    },
    release() {
      for (const [name, before] of replaced) {
        if (before) Object.defineProperty(res, name, before)
        else Reflect.deleteProperty(res, name)
      }
      replaced.clear()
    },
  }
}

function throwHeadersSent(): never {
  const error = new Error('Cannot set headers after they are sent to the client')
  throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' }) // the error of node:http
}

/** Sets the status and the headers that `writeHead` gets: `(status, reason?, headers?)`. */
export function applyHeaders(req: IncomingMessage, res: ServerResponse, args: readonly unknown[]): void {
  const [status, reason, headers = typeof reason === 'string' ? undefined : reason] = args
  res.statusCode = status as number
  if (typeof reason === 'string' && req.httpVersionMajor < 2) res.statusMessage = reason // HTTP/2 has none
  if (typeof headers !== 'object' || headers === null) return
  // An object, pairs, or one flat array of names and values.
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
    return
  }
  const flat: string[] = headers.flat()
  for (let index = 0; index < flat.length; index += 2) res.removeHeader(flat[index] ?? '')
  for (let index = 0; index + 1 < flat.length; index += 2) res.appendHeader(flat[index] ?? '', flat[index + 1] ?? '')
}

/** Returns a chunk as bytes. Throws for anything else, as node:http does. */
export function toBuffer(chunk: unknown, encoding: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  if (typeof chunk !== 'string') throw new TypeError(`a chunk must be a string or bytes, got ${inspectValue(chunk)}`)
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}
