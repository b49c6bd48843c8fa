import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drainRequest } from './drain-request.ts'
import type { IncomingMessage, ServerResponse } from './middleware.ts'
import { check } from './testing/check.ts'
import { hostsWithHttp2, listen } from './testing/hosts.ts'

let server: Server
let port: number
beforeAll(async () => {
  // Refuses every request before it has looked at its body.
  server = createServer((req, res) => {
    drainRequest(req, res)
    res.writeHead(401, { 'Content-Length': 7 }).end('refused')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

/** Sends these pieces on one connection and then waits for its end; gives all that came back. */
function exchange(...pieces: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece)
    })
    socket.on('data', (chunk) => (answer += chunk)).on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

const LAST = 'GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'

const statuses = (answer: string): number => answer.split('HTTP/1.1 401 ').length - 1

describe('a request that is rejected before its body was read (RFC 9112 §9.3, §9.6)', () => {
  test.each([
    ['no body', 'GET / HTTP/1.1\r\nHost: h\r\n\r\n', ''],
    ['an empty body', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n', ''],
    [
      'a body that may still come',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1048576\r\n\r\n',
      'x'.repeat(1048576),
    ],
  ])('with %s keeps its connection', async (_what, head, body) => {
    const answer = await exchange(head, body, LAST)
    expect(statuses(answer)).toBe(2)
    expect(answer.match(/Connection: close/g)).toHaveLength(1)
  })

  test.each([
    ['too large a body', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1048577\r\n\r\n', 'x'.repeat(1048577)],
    [
      'a body of unknown length',
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\nx\r\n0\r\n\r\n',
    ],
  ])('with %s gets the whole response before its connection is closed', async (_what, head, body) => {
    const answer = await exchange(head, body, LAST)
    expect(statuses(answer)).toBe(1)
    expect(answer).toMatch(/Connection: close.*refused$/s)
  })

  test('with a body that never arrives is not awaited', async () => {
    const answer = await exchange('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n')
    expect(answer).toMatch(/refused$/)
  })
})

test('keeps the connection of an HTTP/2 request open', async () => {
  const { 'node:http2': make = () => () => {} } = hostsWithHttp2
  const handler = (req: IncomingMessage, res: ServerResponse): void => {
    drainRequest(req, res)
    res.statusCode = 413
    res.end()
  }
  const { url, close } = await listen(make({ middlewares: [], handler }))
  await check(url, { method: 'POST', body: Buffer.alloc(2 * 1024 * 1024) }, { status: 413 })
  await close()
})
