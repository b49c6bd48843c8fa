import { request } from 'node:http'
import { connect, constants } from 'node:http2'
import { expect } from 'vitest'

export interface RequestLiteral {
  method?: string
  path?: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

export interface Answer {
  status: number
  headers: Record<string, string | undefined>
  body: Buffer
  text: string
}

export interface Expectation {
  status?: number
  /** Exact value, a pattern, or `undefined` if the header must be absent. Names in lowercase. */
  headers?: Record<string, string | RegExp | undefined>
  /**
   * A string must be equal, a pattern must match, and anything else must be contained in the JSON
   * body.
   */
  body?: unknown
}

/** Sends a request as is, with no headers other than its own, Host and Connection. */
export function send(url: string, literal: RequestLiteral = {}): Promise<Answer> {
  if (url.startsWith('http2:')) return sendHttp2(url, literal)
  const { method = 'GET', path = '/', headers = {}, body } = literal
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const chunked = Object.keys(headers).some((name) => name.toLowerCase() === 'transfer-encoding')
    const req = request(
      url + path,
      { method, path, headers: { ...(chunked ? {} : length), ...headers }, agent: false },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        res.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const fields = Object.entries(res.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(', ') : value,
          ])
          resolve({
            status: res.statusCode ?? 0,
            headers: Object.fromEntries(fields),
            body: bytes,
            text: bytes.toString(),
          })
        })
      },
    )
    req.on('error', reject).end(body)
  })
}

function sendHttp2(url: string, { method = 'GET', path = '/', headers = {}, body }: RequestLiteral): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // HTTP/2 frames every body; one without a length corresponds to a chunked one in HTTP/1.
    const isChunked = Object.keys(headers).some((name) => name.toLowerCase() === 'transfer-encoding')
    const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'transfer-encoding')
    const session = connect(url.replace('http2:', 'http:')).on('error', reject)
    session.once('connect', () => {
      const fields = { ':method': method, ':path': path, ...length, ...Object.fromEntries(others) }
      const stream = session.request(fields, { endStream: body === undefined }).on('error', reject)
      const chunks: Buffer[] = []
      let received: Record<string, string | undefined> = {}
      stream.on('response', (all) => {
        received = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value && String(value)]))
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('aborted', () => reject(new Error('aborted')))
      stream.on('close', () => {
        session.destroy()
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) return reject(new Error(`reset with ${stream.rstCode}`))
        const { ':status': status, ...rest } = received
        const bytes = Buffer.concat(chunks)
        resolve({ status: Number(status), headers: rest, body: bytes, text: bytes.toString() })
      })
      if (body !== undefined) stream.end(body)
    })
  })
}

/** Sends a request and checks its response. Returns the response, for other checks. */
export async function check(url: string, literal: RequestLiteral, expected: Expectation): Promise<Answer> {
  const response = await send(url, literal)
  const label = `${literal.method ?? 'GET'} ${literal.path ?? '/'} ${JSON.stringify(literal.headers ?? {})}`
  if (expected.status !== undefined)
    expect(response.status, `status of ${label}: ${response.text.slice(0, 300)}`).toBe(expected.status)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const actual = response.headers[name]
    if (value instanceof RegExp) expect(actual, `${name} of ${label}`).toMatch(value)
    else expect(actual, `${name} of ${label}`).toBe(value)
  }
  if (typeof expected.body === 'string') expect(response.text, `body of ${label}`).toBe(expected.body)
  else if (expected.body instanceof RegExp) expect(response.text, `body of ${label}`).toMatch(expected.body)
  else if (expected.body !== undefined)
    expect(JSON.parse(response.text), `body of ${label}`).toMatchObject(expected.body as object)
  return response
}
