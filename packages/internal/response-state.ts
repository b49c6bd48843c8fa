import type { IncomingMessage, ServerResponse } from './middleware.ts'
import { inspectValue } from './options.ts'

const SETTERS = ['setHeader', 'appendHeader', 'removeHeader', 'setHeaders', 'writeHead'] as const

/**
 * Shows the app the state that a response would have if it was not held back. Starts with the
 * actual state.
 */
export class HeldResponse {
  readonly #res: ServerResponse
  #replaced: Map<string, PropertyDescriptor | undefined> | undefined = undefined

  constructor(res: ServerResponse) {
    this.#res = res
  }

  /**
   * Shows the headers as sent, and the response as ended if it is. From then on, the app cannot
   * change the status.
   */
  hold(isEnded = false): void {
    const { headersSent, statusCode, writableEnded } = this.#res
    if (!headersSent) {
      this.#replace('headersSent', true)
      this.#replace('statusCode', statusCode)
    }
    if (isEnded && !writableEnded) this.#replace('writableEnded', true)
  }

  /** Shows the headers as sent, and throws if the app sets one. */
  holdHeaders(): void {
    if (this.#res.headersSent) return
    this.hold()
    for (const name of SETTERS) this.#replace(name, throwHeadersSent)
  }

  /** Shows the actual state again. */
  release(): void {
    if (this.#replaced === undefined) return
    for (const [name, before] of this.#replaced) {
      if (before) Object.defineProperty(this.#res, name, before)
      else Reflect.deleteProperty(this.#res, name)
    }
    this.#replaced = undefined
  }

  #replace(name: string, value: unknown): void {
    this.#replaced ??= new Map()
    if (!this.#replaced.has(name)) this.#replaced.set(name, Object.getOwnPropertyDescriptor(this.#res, name))
    Object.defineProperty(this.#res, name, { value, configurable: true, writable: true })
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
  // An object, pairs, or one flat array of names and values. A value may be an array.
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
    return
  }
  const flat: (string | string[])[] = Array.isArray(headers[0]) ? headers.flat() : headers
  for (let index = 0; index < flat.length; index += 2) res.removeHeader(String(flat[index]))
  for (let index = 0; index + 1 < flat.length; index += 2) res.appendHeader(String(flat[index]), flat[index + 1] ?? '')
}

/** Returns the last chunk: UTF-8 text as it is, anything else as bytes. */
export function toBodyEnd(chunk: unknown, encoding: unknown): Buffer | string {
  const isText = typeof chunk === 'string' && (encoding === 'utf8' || typeof encoding !== 'string')
  return isText ? chunk : toBuffer(chunk, encoding)
}

/** Returns a chunk as bytes. Throws for anything else, as node:http does. */
export function toBuffer(chunk: unknown, encoding?: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  if (typeof chunk !== 'string') throw new TypeError(`a chunk must be a string or bytes, got ${inspectValue(chunk)}`)
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}
