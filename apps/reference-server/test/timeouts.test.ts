import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { httpServer } from '../src/process/http-server.ts'
import { record } from './service.ts'

let server: Server
afterEach(() => void server.close())

test('8-3 a client has 10 seconds for its headers, 30 for a request, 60 to read on, 65 between two', () => {
  server = httpServer(() => {}, undefined)
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server
  expect([headersTimeout, requestTimeout, timeout, keepAliveTimeout]).toEqual([10_000, 30_000, 60_000, 65_000])
})

test('8-3 a response that the client does not read ends', async () => {
  const closed = Promise.withResolvers<void>()
  server = httpServer((_req, res) => void res.once('close', closed.resolve).end(Buffer.alloc(30_000_000)), undefined)
  server.timeout = 200
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await closed.promise
  socket.destroy()
})

test('8-3 a request that does not arrive in time gets 408', async () => {
  server = httpServer((req) => req.resume(), undefined)
  Object.assign(server, { headersTimeout: 100, requestTimeout: 200 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const send = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (chunk) => (answer += chunk)).on('error', reject)
      socket.on('close', () => resolve(answer))
    })
  const fields = 'POST /employees HTTP/1.1\r\nHost: localhost\r\n'
  const answers = await Promise.all([send(fields), send(`${fields}Content-Length: 5\r\n\r\nab`)])
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject(record(408, 'REQUEST_TIMEOUT'))
  }
})
