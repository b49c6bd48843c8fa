import { request } from 'node:http'
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
  /** Exact value, a pattern, or `undefined`: the field must not be there. Names in lower case. */
  headers?: Record<string, string | RegExp | undefined>
  /** Text: equal. Pattern: matches. Anything else: what the JSON body must contain. */
  body?: unknown
}

/** Sends a request as it stands, with no field that the literal does not name but Host and Connection. */
export function send(url: string, literal: RequestLiteral = {}): Promise<Answer> {
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

/** A test as a table row: this request gets that answer. Returns the answer for what a row cannot say. */
export async function check(url: string, literal: RequestLiteral, expected: Expectation): Promise<Answer> {
  const answer = await send(url, literal)
  const label = `${literal.method ?? 'GET'} ${literal.path ?? '/'} ${JSON.stringify(literal.headers ?? {})}`
  if (expected.status !== undefined)
    expect(answer.status, `status of ${label}: ${answer.text.slice(0, 300)}`).toBe(expected.status)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const actual = answer.headers[name]
    if (value instanceof RegExp) expect(actual, `${name} of ${label}`).toMatch(value)
    else expect(actual, `${name} of ${label}`).toBe(value)
  }
  if (typeof expected.body === 'string') expect(answer.text, `body of ${label}`).toBe(expected.body)
  else if (expected.body instanceof RegExp) expect(answer.text, `body of ${label}`).toMatch(expected.body)
  else if (expected.body !== undefined)
    expect(JSON.parse(answer.text), `body of ${label}`).toMatchObject(expected.body as object)
  return answer
}
