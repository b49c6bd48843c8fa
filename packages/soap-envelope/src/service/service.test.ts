import { parseContract, type SoapRequest, type SoapResponse, soapService } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { faultIn, post } from '../testing/post.ts'
import {
  ENV11,
  ENV12,
  envelope,
  getCustomer,
  readShop,
  SHOP,
  shop,
  shopOperations,
  shopService,
} from '../testing/shop.ts'

describe('request and response', () => {
  test('answers in the version of the message', async () => {
    const service = shopService()
    const answer12 = await post(service, envelope(getCustomer('9007199254740993')))
    expect(answer12).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/soap+xml; charset=utf-8', 'Cache-Control': 'no-store' },
    })
    expect(answer12.body).toContain(`<env:Envelope xmlns:env="${ENV12}">`)
    expect(answer12.body).toContain('<t2:id>9007199254740993</t2:id><t2:name>Ada &lt;Lovelace&gt; &amp; Co</t2:name>')
    const answer11 = await post(service, envelope(getCustomer(), '', ENV11), { contentType: 'text/xml' })
    expect(answer11).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/xml; charset=utf-8' } })
    expect(answer11.body).toContain(`<env:Envelope xmlns:env="${ENV11}">`)
  })

  test('a handler is given the decoded message and what goes with it', async () => {
    const seen: unknown[] = []
    const service = shopService(
      {},
      {
        getCustomer: (input: unknown, { operation, version, namespace, user, request }) => {
          seen.push(input, operation, version, namespace, user, request.correlationId)
          return { customer: { id: 1n, name: '', email: '' } }
        },
      },
    )
    await post(service, envelope(getCustomer()), { correlationId: 'c-1' })
    expect(seen).toEqual([{ customerId: 42n }, 'getCustomer', '1.2', SHOP, undefined, 'c-1'])
  })

  test('a one-way operation is answered with 202 and nothing, before its work is done (BP R2714)', async () => {
    let release = (): void => {}
    const faults: string[] = []
    const service = shopService(
      { onFault: (fault) => faults.push(fault.message) },
      {
        note: () =>
          new Promise<never>((_, reject) => {
            release = () => reject(new Error('disk full'))
          }),
      },
    )
    const answer = await post(service, envelope('<s:NoteRequest><s:text>x</s:text></s:NoteRequest>'))
    expect(answer).toMatchObject({ status: 202, body: '' })
    let isIdle = false
    const idle = service.idle().then(() => {
      isIdle = true
    })
    await Promise.resolve()
    expect(isIdle).toBe(false)
    release()
    await idle
    expect(faults).toEqual(['The service could not process the message.'])
    await service.idle()
  })

  test('a one-way message that is not accepted gets a fault', async () => {
    expect(await faultIn(await post(shopService(), envelope('<s:NoteRequest/>')))).toBe('400 Sender/ValidationFailed')
  })

  test('an operation of one element takes no second one, although another operation has two', async () => {
    const part = '<wsdl:part name="parameters" element="s:NoteRequest"/>'
    const second = '<wsdl:part name="customer" element="s:GetCustomerRequest"/>'
    const wsdl = readShop('shop.wsdl').replace(part, part + second)
    const noted: unknown[] = []
    const operations = { ...shopOperations, note: (input: unknown) => void noted.push(input) }
    const service = soapService({ wsdl: parseContract(wsdl, { resolveImport: readShop }), operations })
    const note = '<s:NoteRequest><s:text>x</s:text></s:NoteRequest>'
    expect((await post(service, envelope(note + getCustomer()))).status).toBe(202)
    expect(noted).toEqual([{ parameters: { text: 'x' }, customer: { customerId: 42n } }])
    expect((await post(service, envelope(getCustomer()))).status).toBe(200)
    const fault = '400 Sender/ValidationFailed'
    expect(await faultIn(await post(service, envelope(getCustomer() + note)))).toBe(fault)
    expect(await faultIn(await post(service, envelope(note)))).toBe(fault)
  })

  test('more one-way messages than may be in work get 503', async () => {
    const service = shopService({ maxPendingOneWay: 1 }, { note: () => new Promise(() => {}) })
    const note = envelope('<s:NoteRequest><s:text>x</s:text></s:NoteRequest>')
    expect((await post(service, note)).status).toBe(202)
    const refused = await post(service, note)
    expect(await faultIn(refused)).toBe('503 Receiver/Unavailable')
    expect(refused.headers).toMatchObject({ 'Retry-After': '1' })
  })
})

describe('the action is a hint that must not contradict the Body (RFC 3902 2)', () => {
  const service = shopService()
  test.each<[Partial<SoapRequest>, string]>([
    [{ contentType: 'application/soap+xml; action="getCustomer"' }, '200'],
    [{ contentType: 'application/soap+xml; action=getCustomer' }, '200'],
    [{ contentType: 'application/soap+xml; action=""' }, '200'],
    [{ contentType: 'application/soap+xml', action: '"other"' }, '200'],
    [{ contentType: 'application/soap+xml; action="listOrders"' }, '400 Sender/ActionMismatch'],
    [{ contentType: 'application/soap+xml; action="GETCUSTOMER"' }, '400 Sender/ActionMismatch'],
  ])('SOAP 1.2 %j', async (more, expected) => {
    const answer = await post(service, envelope(getCustomer()), more)
    expect(answer.status === 200 ? '200' : await faultIn(answer)).toBe(expected)
  })

  test.each([
    ['"getCustomer"', 200],
    ['getCustomer', 200],
    ['""', 200],
    [undefined, 200],
    ['"listOrders"', 500],
    ['"toString"', 500],
  ])('SOAPAction %j', async (action, status) => {
    const answer = await post(service, envelope(getCustomer(), '', ENV11), { contentType: 'text/xml', action })
    expect(answer.status).toBe(status)
  })
})

describe('several versions at one address', () => {
  const second = parseContract(readShop('shop.wsdl').replaceAll('urn:test:shop', 'urn:test:shop/v2'), {
    resolveImport: (name) => readShop(name).replaceAll('urn:test:shop', 'urn:test:shop/v2'),
  })
  const customer = (id: bigint) => () => ({ customer: { id, name: '', email: '' } })
  const service = soapService({
    versions: [
      { wsdl: shop, operations: { ...shopOperations, getCustomer: customer(1n) }, name: 'v1' },
      { wsdl: second, operations: { ...shopOperations, getCustomer: customer(2n) } },
    ],
  })

  test('the element in the Body chooses', async () => {
    expect((await post(service, envelope(getCustomer()))).body).toContain('<t2:id>1<')
    expect((await post(service, envelope(getCustomer()).replace(SHOP, 'urn:test:shop/v2'))).body).toContain('<t2:id>2<')
  })

  test('each has its documents, and its own fault', async () => {
    const get = async (query: string): Promise<SoapResponse> =>
      await service.handle({ method: 'GET', query, publicUrl: 'https://h/ws' })
    expect((await get('wsdl')).body).toContain('targetNamespace="urn:test:shop"')
    expect((await get('wsdl=v1')).body).toContain('targetNamespace="urn:test:shop"')
    expect((await get('wsdl=v2')).body).toContain('targetNamespace="urn:test:shop/v2"')
    // Both import shop.xsd, which is not the same.
    for (const [version, namespace] of [
      ['v1', 'urn:test:shop'],
      ['v2', 'urn:test:shop/v2'],
    ]) {
      const link = (await get(`wsdl=${version}`)).body.match(/"https:\/\/h\/ws[?]([^"]*xsd=shop.xsd)"/)?.[1] ?? ''
      const schema = (await get(link.replaceAll('&amp;', '&'))).body
      expect(schema).toContain(`targetNamespace="${namespace}"`)
      expect(schema).toContain(`"https://h/ws?${link.replace('shop.xsd', 'common%2Fcommon.xsd')}"`)
    }
    expect((await get('wsdl=v9&xsd=shop.xsd')).status).toBe(404)
    const invalid = envelope(getCustomer('x')).replace(SHOP, 'urn:test:shop/v2')
    expect((await post(service, invalid)).body).toContain('ServiceFault xmlns:t="urn:test:shop/v2"')
  })
})
