import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  authenticationHeader,
  type Contract,
  parseEnvelope,
  type SoapFault,
  type SoapService,
  soap,
  usernameToken,
} from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { writeTypes } from '@svc/soap-envelope/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../../../../packages/internal/testing/hosts.ts'
import type { Customer, CustomerPortType, Event } from './customer-v2.ts'
import type { PricePortType } from './price-v2.ts'
import { customerService, priceService, readContracts } from './services.ts'

const NS = 'http://svc.example/ws/customer/'
const [customerV1, customerV2] = readContracts('customer')
const [priceV1, priceV2] = readContracts('price')

const kept = new Map<bigint, Customer>()
const events: [Event, string | undefined][] = []
const notifications: [string, string | undefined][] = []

const findUser = (name: string) => (name === 'ada' ? { password: 'ada-demo', subject: { name } } : undefined)
const settings = {
  attachments: {},
  security: [
    usernameToken({ findUser }),
    ...['v1', 'v2'].map((version) => authenticationHeader({ namespace: NS + version, findUser })),
  ],
}
const PDF = Buffer.from(`%PDF-1.7\n${'x'.repeat(2000)}`)
const customers = customerService(
  {
    customers: {
      find: (id) => kept.get(id),
      create: (customer) => {
        if (kept.has(customer.id)) return Promise.reject(Object.assign(new Error('The id is taken.'), { status: 409 }))
        kept.set(customer.id, customer)
        return Promise.resolve()
      },
    },
    documents: {
      find: (orderId) => {
        const file = { fileName: 'invoice-1.pdf', issuedAt: '2026-01-06T15:00:00.000Z', bytes: PDF }
        return Promise.resolve(orderId === 1n ? file : orderId === 3n ? { orderStatus: 'CREATED' } : undefined)
      },
    },
    log: {
      event: async (event, { caller }) => void events.push([event, caller?.name]),
      notification: async (message, { caller }) => void notifications.push([message, caller?.name]),
    },
  },
  settings,
)
const prices = priceService(
  {
    find: async (item, category) =>
      item === 'Laptop' && category === 'Electronics'
        ? { amount: '999.00', currency: 'EUR', availability: 'IN_STOCK', stock: 5 }
        : undefined,
  },
  settings,
)

let host: RunningHost
const answers: string[] = []
beforeAll(async () => {
  const recorded = (service: SoapService): SoapService => ({
    ...service,
    handle: async (request) => {
      const answer = await service.handle(request)
      if (answer.body.includes('<env:Envelope')) answers.push(answer.body)
      return answer
    },
  })
  const [atCustomer, atPrice] = [soap(recorded(customers)), soap(recorded(prices))]
  host = await listen((req, res) => {
    const middleware = req.url?.startsWith('/ws/PriceService') ? atPrice : atCustomer
    middleware(req, res, () => res.end())
  })
})
afterAll(() => host.close())
beforeEach(() => {
  kept.clear()
  kept.set(1n, { id: 1n, name: 'Ada', email: 'ada@example.com', phone: '+43 1' })
})

const credentials = { username: 'ada', password: 'ada-demo' }
const client = (contract: Contract, path = '/ws/customer', version: '1.1' | '1.2' = '1.2') =>
  soapClient(contract, { endpoint: host.url + path, version, credentials })

const toFault = (call: Promise<unknown>): Promise<SoapFault> =>
  call.then(
    () => expect.fail('no fault'),
    (error) => error,
  )

describe.each(['1.2', '1.1'] as const)('/ws/customer in SOAP %s', (version) => {
  const call = (contract: Contract, name: string, input: unknown): Promise<unknown> =>
    client(contract, '/ws/customer', version).call(name, input)

  test('getCustomer gives a customer, in version 2 with its phone', async () => {
    const customer = { id: 1n, name: 'Ada', email: 'ada@example.com' }
    expect(await call(customerV1, 'getCustomer', { customerId: 1n })).toEqual({ customer })
    expect(await call(customerV2, 'getCustomer', { customerId: 1n })).toEqual({
      customer: { ...customer, phone: '+43 1' },
    })
  })

  test('createCustomer keeps all 64 bits of the id', async () => {
    const customer = { id: 9007199254740993n, name: 'Bob <&>', email: 'b@example.com' }
    expect(await call(customerV1, 'createCustomer', { customer })).toEqual({ customerId: 9007199254740993n })
    expect(kept.get(9007199254740993n)).toEqual(customer)
  })

  test.each([' ', 'x'.repeat(201)])('the contract says how long a name is: %j does not fit', async (name) => {
    const customer = { id: 5n, name, email: 'y' }
    await expect(call(customerV1, 'createCustomer', { customer })).rejects.toThrow('customer.name is')
  })

  test.each<[string, unknown, string, number]>([
    ['getCustomer', { customerId: 404n }, 'NotFound', 404],
    ['createCustomer', { customer: { id: 1n, name: 'x', email: 'y' } }, 'Conflict', 409],
    ['createCustomer', { customer: { id: 0n, name: 'x', email: 'y' } }, 'InvalidValue', 422],
  ])('%s refuses %o with %s', async (name, input, subcode, status) => {
    const fault = await toFault(call(customerV1, name, input))
    expect(fault.code).toBe('Sender')
    expect(fault.httpStatus).toBe(version === '1.2' ? 400 : 500)
    if (version === '1.2') expect(fault.subcodes[0]?.local).toBe(subcode)
    expect(fault.declared).toMatchObject({ name: 'ServiceFault', value: { status } })
  })

  test('logEvent and sendNotification answer nothing and keep what was sent, and by whom', async () => {
    const event = { type: 'login', timestamp: '2026-11-21T07:30:00.123456+01:00', source: 'web' }
    expect(await call(customerV1, 'logEvent', { event })).toBeUndefined()
    expect(await call(customerV2, 'sendNotification', { message: ' hello ' })).toBeUndefined()
    await customers.idle()
    expect(events.at(-1)).toEqual([event, 'ada'])
    expect(notifications.at(-1)).toEqual([' hello ', 'ada'])
  })
})

describe.each(['1.2', '1.1'] as const)('version 2 in SOAP %s', (version) => {
  const inputHeaders = { clientContext: { application: 'test', requestId: 'r-1' } }
  const options = { version, credentials }

  describe.each([false, true])('customers, with MTOM %s', (mtom) => {
    const caller = () =>
      soapClient<CustomerPortType>(customerV2, { ...options, mtom, endpoint: `${host.url}/ws/customer` })
    const rejection = async (orderId: bigint) => {
      const error = await toFault(caller().call('getOrderDocument', { orderId }, { inputHeaders }))
      return caller().declaredFault('getOrderDocument', error)
    }

    test('getOrderDocument returns the file, and a receipt in the Header', async () => {
      const { output, outputHeaders, httpHeaders } = await caller().send(
        'getOrderDocument',
        { orderId: 1n },
        { inputHeaders },
      )
      expect(output).toEqual({
        fileName: 'invoice-1.pdf',
        mediaType: 'application/pdf',
        document: new Uint8Array(PDF),
      })
      const sha256 = new Uint8Array(createHash('sha256').update(output.document).digest())
      expect(outputHeaders.receipt).toEqual({ requestId: 'r-1', issuedAt: '2026-01-06T15:00:00.000Z', sha256 })
      expect(httpHeaders.get('content-type')?.startsWith('multipart/related')).toBe(mtom)
    })

    test('verifyOrderDocument compares the bytes of a file', async () => {
      const verify = (document: Uint8Array) =>
        caller().call('verifyOrderDocument', { orderId: 1n, document }, { inputHeaders })
      expect(await verify(PDF)).toEqual({ isGenuine: true })
      expect(await verify(PDF.subarray(1))).toEqual({ isGenuine: false })
    })

    test('the faults of getOrderDocument are objects with their own type', async () => {
      expect(await rejection(404n)).toEqual({ name: 'OrderNotFound', value: { orderId: 404n } })
      const fault = await rejection(3n)
      if (fault?.name !== 'DocumentNotAvailable') return expect.fail('another fault')
      // The compiler knows the value by the name.
      const { orderId, orderStatus }: { orderId: bigint; orderStatus: string } = fault.value
      expect([orderId, orderStatus]).toEqual([3n, 'CREATED'])
    })

    const context = (requestId: string): string =>
      `<ClientContext xmlns="${NS}v2"><application>test</application><requestId>${requestId}</requestId></ClientContext>`
    test.each([
      ['none', '', 'The Header lacks ClientContext.'],
      ['one that does not fit', context('not an id'), expect.stringContaining('requestId')],
      ['two', context('a') + context('b'), 'The Header contains ClientContext more than once.'],
    ])('a request with %s of its header block is rejected', async (_, block, reason) => {
      const headerBlocks = block === '' ? [] : [block]
      const fault = await toFault(caller().call('getOrderDocument', { orderId: 1n }, { headerBlocks }))
      expect(fault.message).toEqual(reason)
      expect(caller().declaredFault('getOrderDocument', fault)).toBeUndefined()
    })

    test('a header block that does not fit is not sent', async () => {
      const inputHeaders = { clientContext: { application: 'test', requestId: 'not an id' } }
      const call = caller().call('getOrderDocument', { orderId: 1n }, { inputHeaders })
      await expect(call).rejects.toThrow(TypeError)
    })
  })

  test('GetQuote returns a total, and until when it is valid in the Header', async () => {
    const caller = soapClient<PricePortType>(priceV2, { ...options, endpoint: `${host.url}/ws/PriceService` })
    const quote = { Item: 'Laptop', Category: 'Electronics', Quantity: 3 }
    const { output, outputHeaders } = await caller.send('GetQuote', quote, { inputHeaders })
    expect(output.Total).toEqual({ value: '2997.00', '@currency': 'EUR' })
    expect(outputHeaders.validity?.requestId).toBe('r-1')
    expect(Date.parse(outputHeaders.validity?.validUntil ?? '')).toBeGreaterThan(Date.now())
    const rejection = async (input: typeof quote) =>
      caller.declaredFault('GetQuote', await toFault(caller.call('GetQuote', input, { inputHeaders })))
    expect(await rejection({ ...quote, Quantity: 6 })).toEqual({
      name: 'InsufficientStock',
      value: { Item: 'Laptop', Available: 5 },
    })
    expect(await rejection({ ...quote, Category: 'Food' })).toEqual({
      name: 'ItemNotFound',
      value: { Item: 'Laptop', Category: 'Food' },
    })
  })
})

test.each(['customer', 'price'] as const)('the types of %s are those of its contract', (name) => {
  const [, v2] = readContracts(name)
  const [file, written] = [readFileSync(new URL(`${name}-v2.ts`, import.meta.url), 'utf8'), writeTypes(v2)]
  // The formatter breaks long lines.
  const plain = (text: string): string => text.replace(/[\s;]/g, '')
  expect(plain(file)).toBe(plain(written))
})

test.each([
  ['customer-v1.wsdl', '618ab9ffae50428b5ca7b94091b58eaa978201264a941db67b3a05184655ffb4'],
  ['customer-v1.xsd', '3e7dbaffafeb9c0a7f7f1dc727d3cfce474da95a5160ed109d343d1eb1d22a2d'],
  ['price-v1.wsdl', 'e304ce5e262805844d469c8921bd76cd1bac44e6fc80b6049bc5c4c2fafc32db'],
  ['price-v1.xsd', '061ede8dc8deeb6e1d8a47b2fff7ae132bcd128273a21980f280938fbc946774'],
])('%s of version 1 never changes', (name, digest) => {
  const bytes = readFileSync(new URL(name, import.meta.url))
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest)
})

test('GetPrice gives amount, currency and availability', async () => {
  for (const contract of [priceV1, priceV2]) {
    const answer = await client(contract, '/ws/PriceService').call('GetPrice', {
      Item: 'Laptop',
      Category: 'Electronics',
    })
    expect(answer).toEqual({ Price: { value: '999.00', '@currency': 'EUR' }, Availability: 'IN_STOCK' })
  }
  const missing = client(priceV1, '/ws/PriceService').call('GetPrice', { Item: 'Laptop', Category: 'Food' })
  expect((await toFault(missing)).subcodes[0]?.local).toBe('NotFound')
})

test('no operation can be called without credentials', async () => {
  for (const contract of [customerV1, customerV2, priceV1, priceV2]) {
    const path = contract.service === 'PriceService' ? '/ws/PriceService' : '/ws/customer'
    for (const { input } of contract.operations.values()) {
      const { uri, local } = input.element ?? { uri: '', local: '' }
      const xml = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><${local} xmlns="${uri}"/></e:Body></e:Envelope>`
      const answer = await fetch(host.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/soap+xml' },
        body: xml,
      })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('f:InvalidSecurity<')])
    }
  }
})

test('the Authentication header works in both versions', async () => {
  for (const contract of [customerV1, customerV2]) {
    const block = contract.schema.encode(
      { uri: contract.targetNamespace, local: 'Authentication' },
      {
        Username: 'ada',
        Password: 'ada-demo',
      },
    )
    const plain = soapClient(contract, { endpoint: `${host.url}/ws/customer` })
    expect(await plain.call('getCustomer', { customerId: 1n }, { headerBlocks: [block] })).toHaveProperty('customer')
  }
})

describe('documents', () => {
  test.each([
    ['/ws/customer?wsdl', 'CustomerPortType', 'v1'],
    ['/ws/customer?wsdl=v2', 'CustomerPortType', 'v2'],
    ['/ws/PriceService?wsdl', 'PricePortType', 'v1'],
    ['/ws/PriceService?wsdl=v2', 'PricePortType', 'v2'],
  ])('%s names its address and its schema', async (path, portType, version) => {
    const text = await (await fetch(host.url + path)).text()
    expect(text).toContain(`<wsdl:portType name="${portType}">`)
    expect(text).toMatch(new RegExp(`targetNamespace="[^"]*/${version}"`))
    const address = host.url + path.replace(/\?.*/, '')
    expect(text.match(/address location="([^"]*)"/g)).toEqual([
      `address location="${address}"`,
      `address location="${address}"`,
    ])
    const schema = text.match(/schemaLocation="([^"]*)"/)?.[1] ?? ''
    expect((await fetch(schema)).status).toBe(200)
  })

  test('soapAction is the name of the operation in every binding', () => {
    for (const contract of [customerV1, customerV2, priceV1, priceV2]) {
      for (const { name, action } of contract.operations.values()) expect(action).toBe(name)
    }
  })
})

test('every answer is valid against the schema of its contract', async (context) => {
  const hasXmllint = (() => {
    try {
      return execFileSync('xmllint', ['--version'], { stdio: 'pipe' }) !== undefined
    } catch {
      return false
    }
  })()
  if (!hasXmllint && process.env['CI'])
    throw new Error('xmllint is not installed, and with CI set no test may be skipped')
  if (!hasXmllint) return context.skip('xmllint is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'svc-soap-'))
  expect(answers.length).toBeGreaterThan(20)
  const files = new Map<string, string[]>()
  for (const [at, answer] of answers.entries()) {
    const { body } = await parseEnvelope(Buffer.from(answer))
    const payload = answer.match(/<t:(?:ServiceFault|\w+Response)\b[^]*<\/t:(?:ServiceFault|\w+Response)>/)?.[0]
    if (!payload) {
      expect(body?.local).toBe('Fault')
      continue
    }
    const [, kind, version] = payload.match(/svc\.example\/ws\/(\w+)\/(v\d)/) ?? []
    const name = join(folder, `${at}.xml`)
    // A Base64 value replaces the attachment.
    writeFileSync(name, payload.replace(/<xop:Include [^>]*>/, 'JVBERi0='))
    const schema = `${kind}-${version}.xsd`
    files.set(schema, [...(files.get(schema) ?? []), name])
  }
  expect([...files.keys()].sort()).toEqual(['customer-v1.xsd', 'customer-v2.xsd', 'price-v1.xsd', 'price-v2.xsd'])
  for (const [schema, names] of files) {
    const path = fileURLToPath(new URL(schema, import.meta.url))
    execFileSync('xmllint', ['--noout', '--nonet', '--schema', path, ...names], { stdio: 'pipe' })
  }
  rmSync(folder, { recursive: true })
})
