import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PolledMessage } from '../src/engine/request-state.ts'
import { openConnection, type RawConnection } from './raw.ts'
import { basic, serviceFor } from './service.ts'

const STARTED = 'http.server.request.start'
const ITEM = '/products/1'
const FIELDS = '/products/1?fields=stock'
const OTHER = '/products/1?fields=id,stock'

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const post = 'POST /products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n'

// Requests of one poll share what the first of them has read of other processes: none may see less
// than was committed when it was sent.
describe('requests that arrive in one poll, while another process writes', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-polls-'))
  const service = serviceFor(() => ({ SVC_DATA_DIR: dataDir }))
  let other: DatabaseSync
  beforeAll(() => {
    other = new DatabaseSync(join(dataDir, 'svc.db'))
    other.exec('pragma busy_timeout = 5000')
  })
  afterAll(() => {
    other.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  let written = 1000
  const write = (): number => {
    other.prepare('update "products" set "stock" = ? where "id" = 1').run(++written)
    return written
  }

  const requests: PolledMessage[] = []
  let onRequest = (_path: string | undefined): void => {}
  const note = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage }
    requests.push(request)
    onRequest(request.url)
  }
  const connections: RawConnection[] = []
  const open = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) connections.push(await openConnection(service.url))
  }
  beforeEach(() => subscribe(STARTED, note))
  afterEach(() => {
    unsubscribe(STARTED, note)
    onRequest = () => {}
    requests.length = 0
    for (const connection of connections.splice(0)) connection.close()
  })
  const readAll = async (path: string): Promise<number[]> => {
    for (const connection of connections) connection.write(get(path))
    const responses = await Promise.all(connections.map((connection) => connection.read(1)))
    return responses.flat().map(({ body }) => JSON.parse(body).stock)
  }

  test.each([ITEM, FIELDS])('each shows of %s what was committed before it was sent', async (path) => {
    await open(12)
    for (let round = 0; round < 40; round++) {
      const stock = round % 4 === 3 ? written : write()
      expect(await readAll(path)).toEqual(connections.map(() => stock))
    }
    const polls = requests.flatMap(({ poll = [] }) => poll)
    // The first of each connection has none.
    expect(polls.length).toBe(requests.length - connections.length)
    expect(new Set(polls).size).toBeLessThan(polls.length)
  })

  test('one that shares its packet with an earlier one shows what was committed in between', async () => {
    await open(1)
    for (const path of [ITEM, ITEM, OTHER, OTHER]) await readAll(path)
    let stock = 0
    onRequest = (path) => {
      if (path === OTHER) stock = write()
    }
    connections[0]?.write(get(ITEM) + get(OTHER))
    const [, second] = (await connections[0]?.read(2)) ?? []
    expect(JSON.parse(second?.body ?? '{}').stock).toBe(stock)
    expect(requests.slice(-2).map(({ poll }) => poll)).toEqual([expect.any(Number), undefined])
  })

  test('a message of SOAP whose body comes later shows what was committed before its body', async () => {
    const content =
      '<GetCustomerRequest xmlns="http://svc.example/ws/customer/v2"><customerId>1</customerId></GetCustomerRequest>'
    const body = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>${content}</e:Body></e:Envelope>`
    const headers = {
      authorization: basic('ada'),
      'content-type': 'application/soap+xml',
      'content-length': body.length,
    }
    const read = async (beforeBody: () => Promise<void>): Promise<string> => {
      const req = request(`${service.url}/ws/customer`, { method: 'POST', headers })
      const responded = once(req, 'response') as Promise<[IncomingMessage]>
      req.flushHeaders()
      await beforeBody()
      req.end(body)
      const [response] = await responded
      return text(response)
    }
    for (let sent = 0; sent < 3; sent++) expect(await read(async () => {})).not.toContain('Written Between')
    const count = requests.length
    const answer = await read(async () => {
      await expect.poll(() => requests.length).toBeGreaterThan(count)
      other.exec(`update "customers" set "name" = 'Written Between' where "id" = 1`)
    })
    expect(answer).toContain('Written Between')
  })

  test('one behind a body has a poll before the response to the body is sent', async () => {
    await open(1)
    await readAll(ITEM)
    // Its password is hashed meanwhile.
    const authorization = `Authorization: ${basic('ada', 'a wrong password')}`
    const arrived = new Promise((resolve) => (onRequest = resolve))
    connections[0]?.write(`${post.replace('Host:', `${authorization}\r\nHost:`)}{}`)
    await arrived
    await setImmediate()
    connections[0]?.write(get(ITEM))
    const responses = await connections[0]?.read(2)
    expect(responses?.map(({ status }) => status)).toEqual([401, 200])
    const number = expect.any(Number)
    expect(requests.map(({ poll }) => poll)).toEqual([undefined, number, number])
  })

  test('one behind a body has a poll, unless its packet may begin with the rest of the body', async () => {
    await open(1)
    await readAll(ITEM)
    connections[0]?.write(`${post}{}`)
    await connections[0]?.read(1)
    await readAll(ITEM)
    connections[0]?.write(post)
    await connections[0]?.read(1)
    connections[0]?.write(`{}${get(ITEM)}`)
    await connections[0]?.read(1)
    await readAll(ITEM)
    const number = expect.any(Number)
    expect(requests.map(({ poll }) => poll)).toEqual([undefined, number, number, number, undefined, number])
  })
})
