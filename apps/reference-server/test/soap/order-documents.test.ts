import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { soapClient } from '@svc/soap-envelope/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collections, documents } from '../../src/domain/collections.ts'
import type { CustomerPortType } from '../../src/domain/soap/customer-v2.ts'
import { orderDocuments } from '../../src/domain/soap/customers.ts'
import type { PricePortType } from '../../src/domain/soap/price-v2.ts'
import { readContracts } from '../../src/domain/soap/services.ts'
import { apiVersions } from '../../src/domain/versions.ts'
import { compileCollections, getCollection } from '../../src/engine/compiled-collection.ts'
import { cursors } from '../../src/engine/cursor.ts'
import { createUserCaller } from '../../src/security/caller.ts'
import { type Service, startService } from '../service.ts'

const [, customerV2] = readContracts('customer')
const [, priceV2] = readContracts('price')
const inputHeaders = { clientContext: { application: 'test', requestId: 'r-1' } }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.running.stop())

const clientFor = (options: object) =>
  soapClient<CustomerPortType>(customerV2, { endpoint: `${service.url}/ws/customer`, mtom: true, ...options })
const asUser = (username: string) =>
  clientFor({ credentials: { username, password: `${username}-demo`, type: 'digest' } })

/** A token of a user with fewer scopes. */
async function tokenFor(as: string, scope: string): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `grant_type=client_credentials&scope=${encodeURIComponent(scope)}`
  const { text } = await service.check({ method: 'POST', path: '/tokens', as, headers, body }, { status: 200 })
  return { Authorization: `Bearer ${JSON.parse(text).access_token}` }
}

const rejection = (client: ReturnType<typeof clientFor>, orderId: bigint) =>
  client.call('getOrderDocument', { orderId }, { inputHeaders }).then(
    () => expect.fail('no fault'),
    (error: unknown) => error,
  )

describe('getOrderDocument', () => {
  test('returns the PDF of the resource API as an attachment, with a receipt', async () => {
    const { output, outputHeaders, httpHeaders } = await asUser('bob').send(
      'getOrderDocument',
      { orderId: 1n },
      { inputHeaders },
    )
    const pdf = { as: 'bob', path: '/orders/1/invoice', headers: { accept: 'application/pdf' } }
    const { body } = await service.check(pdf, { status: 200 })
    expect(Buffer.from(output.document).equals(body)).toBe(true)
    expect(output).toMatchObject({ fileName: expect.stringMatching(/^invoice-\d{4}-000001\.pdf$/) })
    expect(Buffer.from(outputHeaders.receipt?.sha256 ?? []).toString('hex')).toBe(
      createHash('sha256').update(body).digest('hex'),
    )
    expect(httpHeaders.get('content-type')).toContain('application/xop+xml')
  })

  test.each([
    ['an order that does not exist', 404404n, { name: 'OrderNotFound', value: { orderId: 404404n } }],
    ['an id that no order can have', 2n ** 63n - 1n, { name: 'OrderNotFound', value: { orderId: 2n ** 63n - 1n } }],
    ['no positive id', -1n, { name: 'OrderNotFound', value: { orderId: -1n } }],
    ['an order that is not paid', 3n, { name: 'DocumentNotAvailable', value: { orderId: 3n, orderStatus: 'CREATED' } }],
  ])('%s is a declared fault', async (_, orderId, declared) => {
    const client = asUser('bob')
    expect(client.declaredFault('getOrderDocument', await rejection(client, orderId))).toEqual(declared)
  })

  test.each(['carl', 'eve', 'sam'])('%s may not call SOAP, even for an own order', async (user) => {
    const client = asUser(user)
    const fault = await rejection(client, 1n)
    expect(fault).toMatchObject({ subcodes: [{ local: 'NotPermitted' }] })
    expect(client.declaredFault('getOrderDocument', fault)).toMatchObject({
      name: 'ServiceFault',
      value: { status: 403 },
    })
  })

  test('a caller who is confined to own orders gets the document of no other', async () => {
    const { database } = service.running
    const dialect = database.dialect
    const shapes = compileCollections({
      collections,
      documents,
      versions: apiVersions,
      dialect,
      cursors: cursors('key'),
    })
    const { find } = orderDocuments(getCollection(shapes, 'orders'), database, () =>
      Promise.resolve(Buffer.from('%PDF')),
    )
    const { customerId } = JSON.parse((await service.check({ as: 'ada', path: '/orders/1' }, { status: 200 })).text)
    const readAs = (owner: number | undefined) => {
      const record = { id: 9, subject: 'user:x', username: 'x', passwordHash: '', soapSecret: undefined }
      const caller = createUserCaller({ ...record, roles: ['customer'], customerId: owner })
      return find(1n, { caller, changes: undefined, beforeCommit: () => {} })
    }
    expect(await readAs(customerId)).toMatchObject({ bytes: Buffer.from('%PDF') })
    await expect(async () => await readAs(customerId + 1)).rejects.toMatchObject({ status: 403 })
    await expect(async () => await readAs(undefined)).rejects.toMatchObject({ status: 403 })
    await expect(
      async () => await find(1n, { caller: undefined, changes: undefined, beforeCommit: () => {} }),
    ).rejects.toMatchObject({
      status: 401,
    })
  })

  test('a token without orders:read gets no document, whatever else its user may do', async () => {
    const denied = clientFor({ headers: await tokenFor('ada', 'soap:call customers:read') })
    expect(await rejection(denied, 1n)).toMatchObject({ subcodes: [{ local: 'NotPermitted' }] })
    const allowed = clientFor({ headers: await tokenFor('ada', 'soap:call orders:read') })
    expect(await allowed.call('getOrderDocument', { orderId: 1n }, { inputHeaders })).toHaveProperty('document')
  })

  test('a request without credentials gets no document', async () => {
    expect(await rejection(clientFor({}), 1n)).toMatchObject({ subcodes: [{ local: 'InvalidSecurity' }] })
  })
})

describe('verifyOrderDocument', () => {
  const verify = (document: Uint8Array, mtom: boolean) =>
    clientFor({ mtom, credentials: { username: 'bob', password: 'bob-demo' } }).call(
      'verifyOrderDocument',
      { orderId: 1n, document },
      { inputHeaders },
    )

  test.each([true, false])('knows the document of the service, with MTOM %s', async (mtom) => {
    const { document } = await asUser('bob').call('getOrderDocument', { orderId: 1n }, { inputHeaders })
    expect(await verify(document, mtom)).toEqual({ isGenuine: true })
    expect(await verify(document.with(9, 0), mtom)).toEqual({ isGenuine: false })
  })

  test('rejects an attachment that is too large', async () => {
    const fault = await verify(new Uint8Array(1_048_577), true).catch((error: unknown) => error)
    expect(fault).toMatchObject({ status: 413, subcodes: [{ local: 'LimitExceeded' }] })
  })
})

test('GetQuote knows price and stock of the products', async () => {
  const endpoint = `${service.url}/ws/PriceService`
  const client = soapClient<PricePortType>(priceV2, {
    endpoint,
    credentials: { username: 'bob', password: 'bob-demo' },
  })
  const quote = (Quantity: number) =>
    client.call('GetQuote', { Item: 'Laptop', Category: 'Electronics', Quantity }, { inputHeaders })
  expect(await quote(2)).toMatchObject({ Total: { value: '1998.00', '@currency': 'EUR' } })
  const fault = await quote(1000).catch((error: unknown) => error)
  expect(client.declaredFault('GetQuote', fault)).toMatchObject({ name: 'InsufficientStock' })
})

test('GetQuote of a total with too many digits is a fault of the sender', async () => {
  const price = { amount: '9999999999999.99', currency: 'EUR' }
  const json = { sku: 'DEAR-1', name: 'Dear', categoryId: 1, price, stock: 10 }
  await service.check({ as: 'ada', method: 'POST', path: '/products', json }, { status: 201 })
  const { text } = await service.check({ path: '/categories/1' }, { status: 200 })
  const client = soapClient<PricePortType>(priceV2, {
    endpoint: `${service.url}/ws/PriceService`,
    credentials: { username: 'bob', password: 'bob-demo' },
  })
  const quote = (Quantity: number) =>
    client.call('GetQuote', { Item: 'Dear', Category: JSON.parse(text).name, Quantity }, { inputHeaders })
  expect(await quote(1)).toMatchObject({ Total: { value: '9999999999999.99' } })
  const fault = await quote(10).catch((error: unknown) => error)
  expect(fault).toMatchObject({ code: 'Sender', httpStatus: 400, subcodes: [{ local: 'InvalidValue' }] })
  const message = 'The body adds up to an amount with too many digits.'
  expect(client.declaredFault('GetQuote', fault)).toMatchObject({
    name: 'ServiceFault',
    value: { status: 422, message },
  })
})

test.each([
  ['/ws/customer', 'customer-v1'],
  ['/ws/PriceService', 'price-v1'],
])('?wsdl of %s is version 1, byte for byte but for its addresses', async (path, name) => {
  const { text } = await service.check({ path: `${path}?wsdl` }, { status: 200 })
  const file = readFileSync(new URL(`../../src/domain/soap/${name}.wsdl`, import.meta.url), 'utf8')
  const expected = file
    .replace(`schemaLocation="${name}.xsd"`, `schemaLocation="${service.url}${path}?xsd=${name}.xsd"`)
    .replaceAll(/location="http:\/\/localhost:3000[^"]*"/g, `location="${service.url}${path}"`)
  expect(text).toBe(expected)
})
