import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { splitResponses } from '../../test/raw.ts'
import { httpServer } from './http-server.ts'

let server: Server
let client: Socket
let received: Promise<string>
afterEach(() => {
  client.destroy()
  server.close()
})

/** Starts a server with this listener and sends it these bytes. */
async function send(text: string, listener: RequestListener): Promise<void> {
  server = httpServer(listener, undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.write(text))
  received = new Promise((resolve) => {
    let bytes = ''
    client.on('data', (chunk) => (bytes += chunk)).on('close', () => resolve(bytes))
  })
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const post = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`

function respond(res: ServerResponse, body: string): void {
  res.setHeader('Content-Length', body.length).end(body)
}

async function bodies(): Promise<string[]> {
  return splitResponses(await received).map(({ status, body }) => (status === 200 ? body : String(status)))
}

test('the response to bytes that are not HTTP waits for a slow response before it', async () => {
  let isSlow: ServerResponse | undefined
  await send(`${get('/slow')}nonsense\r\n`, (_req, res) => {
    isSlow = res
  })
  await once(server, 'clientError')
  client.write('more nonsense')
  await new Promise((resolve) => server.once('clientError', resolve))
  respond(isSlow as ServerResponse, 'slow')
  expect(await bodies()).toEqual(['slow', '400'])
})

test('the response to bytes that are not HTTP waits for the end of a stream', async () => {
  let stream: ServerResponse | undefined
  await send(`${get('/stream')}nonsense\r\n`, (_req, res) => {
    res.writeHead(200, { 'Content-Length': 6 }).write('abc')
    stream = res
  })
  await once(server, 'clientError')
  stream?.end('def')
  expect(await bodies()).toEqual(['abcdef', '400'])
})

test('an error in the body of the second request waits for the first response', async () => {
  const started: ServerResponse[] = []
  const chunked = 'QUERY /b HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
  await send(get('/a') + chunked, (req, res) => {
    started.push(res)
    req.on('error', () => {}).resume()
  })
  await once(server, 'clientError')
  respond(started[0] as ServerResponse, 'first')
  expect(await bodies()).toEqual(['first', '400'])
})

test('an error in a body whose response has begun ends the connection', async () => {
  await send('POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n', (req, res) => {
    req.on('error', () => {}).resume()
    res.writeHead(200, { 'Content-Length': 6 }).write('abc')
  })
  await once(client, 'data')
  client.write('zz\r\n')
  expect(await bodies()).toEqual(['abc'])
})

test('safe requests are handled concurrently, changes one by one, and all are answered in order', async () => {
  const started: string[] = []
  const waiting = new Map<string, ServerResponse>()
  const arrivals = new Map<string, () => void>()
  const arrival = (path: string): Promise<void> | undefined =>
    started.includes(path) ? undefined : new Promise((resolve) => arrivals.set(path, resolve))
  await send(get('/1') + get('/2') + post('/3') + get('/4') + post('/5'), (req: IncomingMessage, res) => {
    const { url = '' } = req
    started.push(url)
    waiting.set(url, res)
    req.resume()
    arrivals.get(url)?.()
  })
  const finish = (path: string): void => respond(waiting.get(path) as ServerResponse, path)
  await arrival('/2')
  expect(started).toEqual(['/1', '/2'])
  finish('/2')
  finish('/1')
  await arrival('/3')
  expect(started).toEqual(['/1', '/2', '/3'])
  finish('/3')
  await arrival('/4')
  finish('/4')
  await arrival('/5')
  finish('/5')
  client.end()
  expect(await bodies()).toEqual(['/1', '/2', '/3', '/4', '/5'])
})

test('a connection is read no further than a hundred requests and one packet behind a change', async () => {
  const count = 5000
  let waiting = 0
  let most = 0
  let change: ServerResponse | undefined
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  await send(post('/change') + get('/').repeat(count), (_req, res) => {
    if (change) waiting--
    else change = res
    if (res !== change) respond(res, '')
  })
  server.prependListener('request', () => {
    most = Math.max(most, waiting)
    if (++waiting === count) hold()
  })
  server.once('connection', (socket) => socket.once('pause', hold))
  await isHeld
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  respond(change as unknown as ServerResponse, '')
  client.end()
  expect(await bodies()).toHaveLength(count + 1)
  expect(most).toBeGreaterThan(100)
  expect(most).toBeLessThan(100 + 65_536 / get('/').length)
})

test('a request behind Connection: close is not handled', async () => {
  const started: string[] = []
  await send(get('/1') + post('/2'), (req, res) => {
    started.push(req.url ?? '')
    res.shouldKeepAlive = false
    respond(res, 'last')
  })
  expect(await bodies()).toEqual(['last'])
  expect(started).toEqual(['/1'])
})

test('every response is closed when the client leaves, also those that wait behind another one', async () => {
  let open = 0
  const allClosed = new Promise<void>((resolve) => {
    void send(get('/1') + get('/2') + get('/3'), (_req, res) => {
      open++
      res.once('close', () => --open === 0 && resolve())
      if (open === 3) client.destroy()
    })
  })
  await allClosed
  expect(open).toBe(0)
})

test.each([
  ['a response that the kernel took at once needs none', true, []],
  ['a later response has one', false, ['close']],
])('listeners for the end: %s', async (_title, isAtOnce, expected) => {
  const added: unknown[] = []
  await send(get('/'), (_req, res) => {
    res.on('newListener', (name) => added.push(name))
    if (isAtOnce) respond(res, 'sent')
    else setImmediate(respond, res, 'sent')
  })
  await once(client, 'data')
  client.end()
  expect(await bodies()).toEqual(['sent'])
  expect(added).toEqual(expected)
})
