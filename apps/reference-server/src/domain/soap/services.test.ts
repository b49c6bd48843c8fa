import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../../../../packages/internal/testing/hosts.ts'
import { contractsOf, customerService, type LoggedEvent, priceService, type SoapCustomer } from './services.ts'

const NS = 'http://svc.example/ws/customer/'
const [customerV1, customerV2] = contractsOf('customer') as [Contract, Contract]
const [priceV1, priceV2] = contractsOf('price') as [Contract, Contract]

const kept = new Map<bigint, SoapCustomer>()
const events: [LoggedEvent, string | undefined][] = []
const notifications: [string, string | undefined][] = []

const findUser = (name: string) => (name === 'ada' ? { password: 'ada-demo' } : undefined)
const settings = {
  security: [
    usernameToken({ findUser }),
    ...['v1', 'v2'].map((version) => authenticationHeader({ namespace: NS + version, findUser })),
  ],
}
const customers = customerService(
  {
    find: (id) => kept.get(id),
    create: (customer) => {
      if (kept.has(customer.id)) throw Object.assign(new Error('The id is taken.'), { status: 409 })
      kept.set(customer.id, customer)
    },
  },
  {
    event: (event, { user }) => void events.push([event, user?.name]),
    notification: (message, { user }) => void notifications.push([message, user?.name]),
  },
  settings,
)
const prices = priceService(
  {
    find: (item, category) =>
      item === 'Laptop' && category === 'Electronics'
        ? { amount: '999.00', currency: 'EUR', availability: 'IN_STOCK' }
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
    writeFileSync(name, payload)
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
