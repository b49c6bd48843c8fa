import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { usernameToken } from '@svc/soap-envelope'
import { type ClientInterceptor, soapClient } from '@svc/soap-envelope/client'
import { clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { post } from '../testing/post.ts'
import { ENV11, envelope, shop, shopService } from '../testing/shop.ts'
import { authority, client as identity, time } from '../testing/signing.ts'

const service = shopService()
const input = { customerId: 7n }

/** A fetch that first returns these responses in order, then responds like the service. */
function fetchAfter(...answers: (() => Promise<Response>)[]): { fetch: typeof fetch; calls: () => number } {
  let calls = 0
  const like: typeof fetch = async (_, init) => {
    const answer = answers[calls++]
    if (answer) return await answer()
    const { status, headers, body } = await post(service, String(init?.body))
    return new Response(body || null, { status, headers })
  }
  return { fetch: like, calls: () => calls }
}

const unavailable =
  (status = 503, retryAfter = '0') =>
  () =>
    Promise.resolve(new Response('', { status, headers: { 'retry-after': retryAfter } }))
const breakingOff = () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('<env:Envelope ')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/soap+xml' } }))
}
const broken = () => Promise.reject(new TypeError('fetch failed'))

describe('retries', () => {
  const idempotentOperations = ['getCustomer']
  const callWith = (options: object, ...answers: (() => Promise<Response>)[]) => {
    const { fetch, calls } = fetchAfter(...answers)
    const client = soapClient(shop, { endpoint: 'http://h/', fetch, ...options })
    return { result: client.call('getCustomer', input), calls }
  }

  test.each([
    ['503', unavailable()],
    ['429', unavailable(429)],
    ['a network error', broken],
    ['a response that breaks off', breakingOff],
  ])('an idempotent operation after %s', async (_, answer) => {
    const { result, calls } = callWith({ idempotentOperations }, answer, answer)
    expect(await result).toHaveProperty('customer')
    expect(calls()).toBe(3)
  })

  test('no other operation', async () => {
    const { result, calls } = callWith({}, broken)
    await expect(result).rejects.toThrow('fetch failed')
    expect(calls()).toBe(1)
  })

  test.each([
    ['is not SOAP', 'text/html', 'which is not SOAP'],
    ['is not an envelope', 'application/soap+xml', 'not an Envelope'],
  ])('not after a response that %s', async (_, type, message) => {
    const page = () => Promise.resolve(new Response('<html>', { headers: { 'content-type': type } }))
    const { result, calls } = callWith({ idempotentOperations }, page)
    await expect(result).rejects.toThrow(message)
    expect(calls()).toBe(1)
  })

  test('as often as maxRetries says', async () => {
    const { result, calls } = callWith({ idempotentOperations, maxRetries: 1 }, broken, broken)
    await expect(result).rejects.toThrow('fetch failed')
    expect(calls()).toBe(2)
  })

  test.each([
    [
      'a digest',
      usernameToken({ findUser: () => ({ password: 'p' }) }),
      { credentials: { username: 'ada', password: 'p', type: 'digest' } },
    ],
    [
      'a signature',
      x509Signature({ trustedAuthorities: [authority.certificate], now: time.now }),
      {
        security: clientSignature({
          sign: { privateKey: identity.privateKey, certificate: identity.certificate, now: time.now },
        }),
      },
    ],
  ] as const)('%s is another one in each attempt, since the service accepts it once', async (_, mechanism, options) => {
    const secured = shopService({ security: [mechanism] })
    let calls = 0
    const losing: typeof fetch = async (_, init) => {
      const { status, headers, body } = await post(secured, String(init?.body), { isSecure: true })
      if (++calls === 1) throw new TypeError('fetch failed')
      return new Response(body, { status, headers })
    }
    const client = soapClient(shop, { endpoint: 'http://h/', fetch: losing, idempotentOperations, ...options })
    expect(await client.call('getCustomer', input)).toHaveProperty('customer')
    expect(calls).toBe(2)
  })

  test('not after a message that cannot be signed', async () => {
    const protect = vi.fn(() => {
      throw new Error('no key')
    })
    const security = { header: { uri: 'urn:x', local: 'x' }, protect }
    const { result, calls } = callWith({ idempotentOperations, security })
    await expect(result).rejects.toThrow('no key')
    expect([protect.mock.calls.length, calls()]).toEqual([1, 0])
  })

  test('not after a fault', async () => {
    const { fetch, calls } = fetchAfter()
    const failing = soapClient(shop, { endpoint: 'http://h/', fetch, idempotentOperations: ['listOrders'] })
    await expect(failing.call('listOrders', { limit: 'x' } as never)).rejects.toThrow(TypeError)
    expect(calls()).toBe(0)
  })

  test('not after the call was ended', async () => {
    const controller = new AbortController()
    const { fetch, calls } = fetchAfter(() => {
      controller.abort(new Error('over'))
      return broken()
    })
    const client = soapClient(shop, { endpoint: 'http://h/', fetch, idempotentOperations })
    await expect(client.call('getCustomer', input, { signal: controller.signal })).rejects.toThrow('fetch failed')
    expect(calls()).toBe(1)
  })

  test('not after the call was ended while it waited, which rejects with its reason', async () => {
    const controller = new AbortController()
    const { fetch, calls } = fetchAfter(unavailable(503, '60'))
    const client = soapClient(shop, { endpoint: 'http://h/', fetch, idempotentOperations })
    const call = client.call('getCustomer', input, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('over')), 20)
    await expect(call).rejects.toThrow('over')
    expect(calls()).toBe(1)
  })

  test('an operation that does not exist is rejected at start', () => {
    expect(() => soapClient(shop, { endpoint: 'http://h/', idempotentOperations: ['none'] })).toThrow(
      'has no operation "none"',
    )
  })
})

test('redirects are not followed: they would send credentials elsewhere', async () => {
  const moved = () => Promise.resolve(new Response(null, { status: 307, headers: { location: 'http://other/' } }))
  const { fetch, calls } = fetchAfter(moved, moved)
  const client = soapClient(shop, { endpoint: 'http://h/', fetch, idempotentOperations: ['getCustomer'] })
  await expect(client.call('getCustomer', input)).rejects.toThrow('307: redirects are not followed')
  expect(calls()).toBe(1)
})

test('a response that is not SOAP is not read to its end', async () => {
  const isCanceled = vi.fn()
  const page = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1024)),
    cancel: isCanceled,
  })
  const { fetch } = fetchAfter(() => Promise.resolve(new Response(page, { headers: { 'content-type': 'text/html' } })))
  const client = soapClient(shop, { endpoint: 'http://h/', fetch })
  await expect(client.call('getCustomer', input)).rejects.toThrow('responded 200 with text/html, which is not SOAP')
  expect(isCanceled).toHaveBeenCalledOnce()
})

describe('the response of a one-way operation', () => {
  const noteWith = (body: string | null, init: ResponseInit): Promise<unknown> => {
    const { fetch } = fetchAfter(() => Promise.resolve(new Response(body, init)))
    return soapClient(shop, { endpoint: 'http://h/', fetch }).call('note', { text: 'x' })
  }
  const headers = { 'content-type': 'text/xml; charset=utf-8' }

  test.each(['', null])('may be empty and have a Content-Type: %j (Basic Profile 1.1, R2714)', async (body) => {
    expect(await noteWith(body, { status: 202, headers })).toBeUndefined()
  })

  test('may be an envelope, which is read', async () => {
    const fault = '<env:Fault><faultcode>env:Server</faultcode><faultstring>Full.</faultstring></env:Fault>'
    expect(await noteWith(envelope('', '', ENV11), { status: 200, headers })).toBeUndefined()
    await expect(noteWith(envelope(fault, '', ENV11), { status: 200, headers })).rejects.toThrow('Full.')
  })

  test.each([
    ['is a page', 200, '<html/>', { 'content-type': 'text/html' }, 'responded 200 with text/html'],
    ['is an error without content', 500, null, {}, 'responded 500 with no Content-Type'],
    ['is an empty error', 500, '', headers, 'not well-formed'],
  ])('is an error if it %s', async (_, status, body, fields, message) => {
    await expect(noteWith(body, { status, headers: fields as Record<string, string> })).rejects.toThrow(message)
  })
})

describe('interceptors', () => {
  test('run around the call, the first outermost, and may change it', async () => {
    const steps: string[] = []
    const named =
      (name: string): ClientInterceptor =>
      async (call, next) => {
        steps.push(`${name} before ${call.operation}`)
        const reply = await next()
        steps.push(`${name} after ${reply.status}`)
        return reply
      }
    const change: ClientInterceptor = (call, next) => {
      call.input = { customerId: 8n }
      call.options = { ...call.options, headers: { 'x-id': '1' } }
      return next()
    }
    const seen = vi.fn()
    const { fetch } = fetchAfter()
    const recording: typeof fetch = (url, init) => {
      seen(new Headers(init?.headers).get('x-id'))
      return fetch(url, init)
    }
    const client = soapClient(shop, {
      endpoint: 'http://h/',
      fetch: recording,
      interceptors: [named('a'), named('b'), change],
    })
    expect(await client.call('getCustomer', input)).toMatchObject({ customer: { id: 8n } })
    expect(steps).toEqual(['a before getCustomer', 'b before getCustomer', 'b after 200', 'a after 200'])
    expect(seen).toHaveBeenCalledWith('1')
  })
})

describe('over a connection', () => {
  const ports: (number | undefined)[] = []
  const server = createServer((req, res) => {
    ports.push(req.socket.remotePort)
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      void post(service, Buffer.concat(chunks).toString()).then(({ status, headers, body }) =>
        res.writeHead(status, headers).end(body),
      )
    })
  })
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve())))
  afterAll(() => void server.close())
  beforeEach(() => void ports.splice(0))

  test('it stays open for the next call', async () => {
    const client = soapClient(shop, { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
    for (let at = 0; at < 6; at++) await client.call('getCustomer', input)
    // A connection is free a moment after its response: the second call may open another one.
    expect(new Set(ports).size).toBeLessThan(3)
  })
})
