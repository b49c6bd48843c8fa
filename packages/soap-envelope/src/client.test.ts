import { SoapFault, soap, toFault, usernameToken } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { envelope, readShop, shop, shopService } from './testing/shop.ts'

type Shop = {
  getCustomer: { input: { customerId: bigint }; output: { customer: { id: bigint; name: string; email: string } } }
  listOrders: { input: { limit?: number }; output: { order: readonly object[] } }
  note: { input: { text: string }; output: void }
}

const findUser = (name: string) => (name === 'ada' ? { password: 'ada-demo' } : undefined)
const notes: unknown[] = []
const service = shopService({ security: [usernameToken({ findUser })] }, { note: (input) => void notes.push(input) })
const credentials = { username: 'ada', password: 'ada-demo' }

let host: RunningHost
beforeAll(async () => {
  const middleware = soap(service)
  host = await listen((req, res) => {
    if (req.url === '/page') res.end('<html/>')
    else middleware(req, res, () => res.end())
  })
})
afterAll(() => host.close())

describe.each(['1.2', '1.1'] as const)('in SOAP %s', (version) => {
  test('calls an operation and gives what the answer holds', async () => {
    const client = soapClient<Shop>(shop, { endpoint: host.url, version, credentials })
    const { customer } = await client.call('getCustomer', { customerId: 9007199254740993n })
    expect(customer).toEqual({ id: 9007199254740993n, name: 'Ada <Lovelace> & Co', email: 'ada@example.com' })
    expect((await client.call('listOrders', { limit: 3 })).order).toHaveLength(3)
    expect((await client.call('listOrders', { limit: 0 })).order).toEqual([])
  })

  test('a one-way operation gives nothing', async () => {
    const client = soapClient<Shop>(shop, {
      endpoint: host.url,
      version,
      credentials: { ...credentials, type: 'digest' },
    })
    expect(await client.call('note', { text: 'hello' })).toBeUndefined()
    expect(notes).toContainEqual({ text: 'hello' })
  })

  test('a fault is thrown', async () => {
    const client = soapClient<Shop>(shop, { endpoint: host.url, version })
    await expect(client.call('getCustomer', { customerId: 1n })).rejects.toMatchObject({
      name: 'SoapFault',
      code: 'Sender',
      subcodes: [{ local: 'InvalidSecurity' }],
      message: 'The message carries no credentials.',
      status: version === '1.2' ? 400 : 500,
    })
  })
})

describe('a fault of another service', () => {
  const fault = (reason: string) =>
    `<env:Fault><env:Code><env:Value>env:Sender</env:Value></env:Code><env:Reason><env:Text xml:lang="en">${reason}</env:Text></env:Reason></env:Fault>`
  test.each([
    ['that it sent', envelope(fault('secret')), 'secret'],
    ['for a response that is not well-formed', '<a>', 'not an Envelope'],
    ['for a response that does not fit the schema', envelope('<s:GetCustomerResponse/>'), 'is incomplete'],
  ])('%s is an internal error of a service that lets it through', async (_, body, message) => {
    const answering = () =>
      Promise.resolve(new Response(body, { status: 400, headers: { 'content-type': 'application/soap+xml' } }))
    const client = soapClient(shop, { endpoint: 'http://h', fetch: answering as typeof fetch })
    const error = await client.call('getCustomer', { customerId: 1n }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SoapFault)
    expect(error).toMatchObject({ message: expect.stringContaining(message), expose: false })
    expect((error as SoapFault).response?.status).toBe(400)
    const sent = toFault(error)
    expect(sent).toMatchObject({ code: 'Receiver', status: 500, detail: undefined, expose: true })
    expect(sent.message).toBe('The service could not process the message.')
    expect(sent.cause).toBe(error)
  })
})

test('what does not fit the contract is refused before it is sent', async () => {
  const client = soapClient(shop, { endpoint: 'http://127.0.0.1:9' })
  await expect(client.call('getCustomer', { customerId: 'x' })).rejects.toThrow(
    new TypeError('soap-envelope: GetCustomerRequest.customerId is not a long'),
  )
  await expect(client.call('none', {})).rejects.toThrow('ShopPortType has no operation "none"')
  await expect(client.call('__proto__', {})).rejects.toThrow('has no operation')
})

test('an answer that is none is an error', async () => {
  const client = soapClient(shop, { endpoint: `${host.url}/page` })
  await expect(client.call('getCustomer', { customerId: 1n })).rejects.toThrow('responded 200 with no Content-Type')
  const answering = (body: string) => () =>
    Promise.resolve(new Response(body, { headers: { 'content-type': 'application/soap+xml' } }))
  const other = envelope('<s:EchoResponse/>')
  const wrong = soapClient(shop, { endpoint: 'http://h', fetch: answering(other) as typeof fetch })
  await expect(wrong.call('getCustomer', { customerId: 1n })).rejects.toThrow('with another message')
})

test('sends the fields, the blocks and the action, and ends in time', async () => {
  const sent: Request[] = []
  const spy = ((url: string, init: RequestInit) => {
    sent.push(new Request(url, init))
    return Promise.reject(new Error('stop'))
  }) as typeof fetch
  const client = soapClient(shop, { endpoint: 'http://h/', headers: { authorization: 'Bearer x' }, fetch: spy })
  await client
    .call('note', { text: 'x' }, { headerBlocks: ['<b xmlns="urn:b"/>'], headers: { 'x-id': '1' } })
    .catch(() => {})
  const [request] = sent
  expect(request?.headers.get('content-type')).toBe('application/soap+xml; charset=utf-8; action="note"')
  expect(request?.headers.get('authorization')).toBe('Bearer x')
  expect(request?.headers.get('x-id')).toBe('1')
  expect(await request?.text()).toContain('<env:Header><b xmlns="urn:b"/></env:Header>')
  const slow = soapClient(shop, {
    endpoint: 'http://h/',
    timeoutMs: 1,
    fetch: ((_: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )) as typeof fetch,
  })
  await expect(slow.call('note', { text: 'x' })).rejects.toThrow('timeout')
  const signal = AbortSignal.abort(new Error('enough'))
  const real = soapClient(shop, { endpoint: host.url })
  await expect(real.call('note', { text: 'x' }, { signal })).rejects.toThrow('enough')
})

test('headers of a call override those of the client in any case', async () => {
  const sent: Headers[] = []
  const spy: typeof fetch = (_, init) => {
    sent.push(new Headers(init?.headers))
    return Promise.reject(new Error('stop'))
  }
  const client = soapClient(shop, { endpoint: 'http://h/', headers: { Authorization: 'Bearer a' }, fetch: spy })
  const headers = { authorization: 'Bearer b', 'content-type': 'text/xml' }
  await expect(client.call('note', { text: 'x' }, { headers })).rejects.toThrow('stop')
  expect(sent[0]?.get('authorization')).toBe('Bearer b')
  expect(sent[0]?.get('content-type')).toBe('text/xml')
})

test.each([
  ['http://bob:s3cret@localhost:9/x?token=s3cret', 'set headers.Authorization'],
  ['http://s3cret@localhost:9/', 'set headers.Authorization'],
  ['ftp://bob:s3cret@localhost/x?token=s3cret', 'got "ftp://localhost/x"'],
  ['http://bob:s3cret@localhost:port/?token=s3cret', 'got "localhost:port/"'],
])('an endpoint with secrets is rejected without them: %s', (endpoint, message) => {
  let error: unknown
  try {
    soapClient(shop, { endpoint })
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toContain(message)
  expect(String(error)).not.toContain('s3cret')
})

test.each([
  ['an unknown option', { timeoutMs: 5 }, 'unknown option "timeoutMs"'],
  ['a typo', { header: {} }, 'did you mean "headers"?'],
  ['a block that is not a text', { headerBlocks: [{}] }, 'headerBlocks must be an array of strings'],
  ['headers that are not strings', { headers: { a: 1 } }, 'headers must be a record of strings'],
])('a call with %s is rejected before it is sent', async (_, options, message) => {
  const client = soapClient(shop, { endpoint: 'http://127.0.0.1:9' })
  const { call, send, stream } = client
  for (const method of [call, send, stream]) {
    const result = method('note', { text: 'x' }, options as never)
    await expect(result).rejects.toThrow(TypeError)
    await expect(result).rejects.toThrow(message)
  }
  await expect(stream('none', {})).rejects.toThrow('has no operation "none"')
})

test('options are checked', () => {
  expect(() => soapClient(shop, { endpoint: 'nowhere' })).toThrow('endpoint must be a URL of HTTP, got "nowhere"')
  expect(() => soapClient(shop, { endpoint: 'http://h', endpont: 1 } as never)).toThrow('did you mean "endpoint"?')
  expect(() => soapClient(readShop('shop.wsdl'), { endpoint: 'http://h' })).toThrow('was not found')
})
