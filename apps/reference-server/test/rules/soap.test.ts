import { expect, test } from 'vitest'
import type { Answer } from '../../../../packages/internal/testing/check.ts'
import { basic, onEveryDatabase } from '../service.ts'

const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'
const V1 = 'http://svc.example/ws/customer/v1'
const PRICE = 'http://svc.example/ws/price/v1'
const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const PLAIN = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText'
const TYPE = 'application/soap+xml; charset=utf-8'

const envelope = (body: string, header = ''): string =>
  `<e:Envelope xmlns:e="${SOAP12}">${header && `<e:Header>${header}</e:Header>`}<e:Body>${body}</e:Body></e:Envelope>`
const getCustomer = (id: string): string =>
  `<GetCustomerRequest xmlns="${V1}"><customerId>${id}</customerId></GetCustomerRequest>`
const event = (type: string): string =>
  `<LogEventRequest xmlns="${V1}"><event>${type}<timestamp>2026-01-02T03:04:05Z</timestamp>` +
  '<source>rules</source><detail>d</detail></event></LogEventRequest>'

interface Message {
  as?: string | undefined
  path?: string
  headers?: Record<string, string>
}

onEveryDatabase('4.2 SOAP', (service) => {
  const post = (body: string, status: number, { as = 'ada', path, headers }: Message = {}): Promise<Answer> => {
    const fields = { 'content-type': TYPE, ...(as !== '' && { authorization: basic(as) }), ...headers }
    return service.check({ method: 'POST', path: path ?? '/ws/customer', headers: fields, body }, { status })
  }
  const wsdl = async (): Promise<string> => (await service.check({ path: '/ws/customer?wsdl' }, { status: 200 })).text
  const fault = (subcode: string): RegExp => new RegExp(`<env:Fault>.*${subcode}`, 's')

  test('1-soap customers have an XML endpoint that a WSDL describes', async () => {
    expect(await wsdl()).toMatch(/<wsdl:definitions/)
    await post(envelope(getCustomer('1')), 200)
  })

  test('1-4 the contract comes first: types, messages, port type, binding and service', async () => {
    const text = await wsdl()
    const parts = ['types', 'message', 'portType', 'binding', 'service'].map((name) => text.indexOf(`<wsdl:${name}`))
    expect(parts.every((at) => at > 0)).toBe(true)
    expect(parts).toEqual([...parts].sort((a, b) => a - b))
    const [, location = ''] = /schemaLocation="([^"]+)"/.exec(text) ?? []
    const path = location.replace(/^https?:\/\/[^/]+/, '').replaceAll('&amp;', '&')
    const schema = await service.check({ path: path.startsWith('/') ? path : `/ws/customer${path}` }, { status: 200 })
    expect(schema.text).toMatch(/<xsd?:schema[^>]*targetNamespace="http:\/\/svc\.example\/ws\/customer\/v1"/s)
  })

  test('2-customer id, name and email in this order, with 64 bits', async () => {
    const id = '9007199254740993'
    const customer = (fields: string): string =>
      envelope(`<CreateCustomerRequest xmlns="${V1}"><customer>${fields}</customer></CreateCustomerRequest>`)
    const all = [`<id>${id}</id>`, '<name>Big &amp; Co</name>', '<email>big.rule@example.com</email>']
    await post(customer(all.join('')), 200)
    const { text } = await post(envelope(getCustomer(id)), 200)
    expect(text.replace(/<(\/?)\w+:/g, '<$1')).toMatch(
      new RegExp(`<id>${id}</id>\\s*<name>Big &amp; Co</name>\\s*<email>big\\.rule@example\\.com</email>`),
    )
    await service.check({ as: 'ada', path: `/customers/${id}` }, { status: 200, body: { id, name: 'Big & Co' } })
    for (const left of [0, 1, 2]) await post(customer(all.filter((_, at) => at !== left).join('')), 400)
    await post(customer([...all].reverse().join('')), 400)
  })

  test('2-price the price has a currency', async () => {
    const body = envelope(`<GetPrice xmlns="${PRICE}"><Item>Laptop</Item><Category>Electronics</Category></GetPrice>`)
    const { text } = await post(body, 200, { path: '/ws/PriceService' })
    expect(text).toMatch(/<(\w+:)?Price currency="EUR">999\.00<\/(\w+:)?Price>\s*<(\w+:)?Availability>IN_STOCK</)
  })

  test('4.2-address messages and the WSDL have one address', async () => {
    const { headers } = await service.check({ path: '/ws/customer?wsdl' }, { status: 200 })
    expect(headers['content-type']).toMatch(/^text\/xml/)
    const [, location = ''] = /<soap12:address location="([^"]+)"/.exec(await wsdl()) ?? []
    expect(new URL(location).pathname).toBe('/ws/customer')
    await service.check({ path: '/ws/customer?WSDL' }, { status: 200 })
  })

  test('4.2-method rejects every method except POST', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      await service.check({ as: 'ada', method, path: '/ws/customer' }, { status: 405, headers: { allow: /POST/ } })
  })

  test('4.2-type requests are application/soap+xml', async () => {
    await post(envelope(getCustomer('1')), 200, { headers: { 'content-type': 'Application/SOAP+XML;charset="UTF-8"' } })
    await post(envelope(getCustomer('1')), 415, { headers: { 'content-type': 'application/json' } })
  })

  test('4.2-response 200, and the same type', async () => {
    const { headers } = await post(envelope(getCustomer('1')), 200)
    expect(headers['content-type']).toMatch(/^application\/soap\+xml; ?charset=utf-8$/)
  })

  test('4.2-envelope of the right namespace, with a Body, with or without a Header', async () => {
    await post(envelope(getCustomer('1')), 200)
    await post(envelope(getCustomer('1'), '<x:a xmlns:x="urn:x"/>'), 200)
    await post(`<e:Envelope xmlns:e="${SOAP12}"></e:Envelope>`, 400)
    const wrong = await post(envelope(getCustomer('1')).replace(SOAP12, 'urn:envelope'), 500)
    expect(wrong.text).toMatch(fault('VersionMismatch'))
  })

  test('4.2-binding document, literal, over HTTP', async () => {
    const text = await wsdl()
    expect(text).toMatch(/<soap12:binding style="document" transport="http:\/\/schemas\.xmlsoap\.org\/soap\/http"\/>/)
    expect(text.match(/use="literal"/g)?.length).toBeGreaterThan(6)
    expect(text).not.toMatch(/use="encoded"|style="rpc"/)
  })

  test('4.2-namespace contains the version, and each version responds in its namespace', async () => {
    expect(await wsdl()).toContain(`targetNamespace="${V1}"`)
    const v2 = V1.replace('v1', 'v2')
    const { text } = await post(envelope(getCustomer('1').replace(V1, v2)), 200)
    expect(text).toContain(v2)
    expect(text).not.toContain(V1)
  })

  test('4.2-structure one part `parameters` in every message; the names of the port, binding and service', async () => {
    const text = await wsdl()
    const messages = text.match(/<wsdl:message .*?<\/wsdl:message>/gs) ?? []
    expect(messages.length).toBeGreaterThan(5)
    for (const message of messages) expect(message.match(/<wsdl:part name="parameters" element="/g)).toHaveLength(1)
    for (const name of ['CustomerPortType', 'CustomerBinding', 'CustomerService', 'CustomerPort'])
      expect(text).toContain(`name="${name}"`)
  })

  test('4.2-getCustomer gives the customer that the resource API has', async () => {
    const { text } = await service.check({ as: 'ada', path: '/customers/3' }, { status: 200 })
    const { name, email } = JSON.parse(text)
    const answer = await post(envelope(getCustomer('3')), 200)
    expect(answer.text).toMatch(/GetCustomerResponse/)
    expect(answer.text).toContain(`>${name}<`)
    expect(answer.text).toContain(`>${email}<`)
    expect((await post(envelope(getCustomer('999999')), 400)).text).toMatch(fault('NotFound'))
  })

  test('4.2-createCustomer takes a customer, once', async () => {
    const customer = '<customer><id>777001</id><name>Soap</name><email>soap.rule@example.com</email></customer>'
    const body = envelope(`<CreateCustomerRequest xmlns="${V1}">${customer}</CreateCustomerRequest>`)
    expect((await post(body, 200)).text).toMatch(/<(\w+:)?customerId>777001<\/(\w+:)?customerId>/)
    expect((await post(body, 400)).text).toMatch(fault('Conflict'))
    await service.check({ as: 'ada', path: '/customers/777001' }, { status: 200, body: { name: 'Soap' } })
  })

  test('4.2-GetPrice has a separate address', async () => {
    await service.check({ path: '/ws/PriceService?wsdl' }, { status: 200, body: /GetPriceResponse/ })
    const body = envelope(`<GetPrice xmlns="${PRICE}"><Item>Unicorn</Item><Category>Electronics</Category></GetPrice>`)
    expect((await post(body, 400, { path: '/ws/PriceService' })).text).toMatch(fault('NotFound'))
  })

  test('4.2-logEvent is stored, and can be read', async () => {
    await post(envelope(event('<type>rule.kept</type>')), 202)
    const { text } = await service.check({ as: 'ada', path: '/soap-events?sort=-id&size=1' }, { status: 200 })
    expect(JSON.parse(text).items[0]).toMatchObject({ type: 'rule.kept', source: 'rules', detail: 'd' })
  })

  test('4.2-sendNotification is stored, and can be read', async () => {
    const body = `<SendNotificationRequest xmlns="${V1}"><message>Rule &lt;1&gt;</message></SendNotificationRequest>`
    await post(envelope(body), 202)
    const { text } = await service.check({ as: 'ada', path: '/notifications?sort=-id&size=1' }, { status: 200 })
    expect(JSON.parse(text).items[0]).toMatchObject({ message: 'Rule <1>' })
  })

  test('4.2-1 the action is the name of the operation; rejects another action', async () => {
    expect(await wsdl()).toMatch(/<soap12:operation soapAction="getCustomer"/)
    const action = (name: string) => ({ headers: { 'content-type': `${TYPE}; action="${name}"` } })
    await post(envelope(getCustomer('1')), 200, action('getCustomer'))
    await post(envelope(getCustomer('1')), 400, action('createCustomer'))
  })

  test('4.2-2 one-way operations return no body', async () => {
    const { text, headers } = await post(envelope(event('<type>rule.quiet</type>')), 202)
    expect(text).toBe('')
    expect(headers['content-length'] ?? '0').toBe('0')
  })

  test('4.2-3 two operations of the port have no output, two have one', async () => {
    const [port = ''] = /<wsdl:portType .*?<\/wsdl:portType>/s.exec(await wsdl()) ?? []
    expect(port.match(/<wsdl:operation /g)).toHaveLength(4)
    expect(port.match(/<wsdl:input /g)).toHaveLength(4)
    expect(port.match(/<wsdl:output /g)).toHaveLength(2)
  })

  test('4.2-4 an event has a type, a time and a source', async () => {
    await post(envelope(event('')), 400)
    await post(envelope(event(`<type>${'x'.repeat(65)}</type>`)), 400)
    await post(envelope(event('<type>a</type>').replace('2026-01-02T03:04:05Z', 'yesterday')), 400)
  })

  test('5-5 a message carries its credentials', async () => {
    const token = (password: string): string =>
      `<w:Security xmlns:w="${WSSE}"><w:UsernameToken><w:Username>ada</w:Username>` +
      `<w:Password Type="${PLAIN}">${password}</w:Password></w:UsernameToken></w:Security>`
    const own = (password: string): string =>
      `<Authentication xmlns="${V1}"><Username>ada</Username><Password>${password}</Password></Authentication>`
    for (const header of [token, own]) {
      await post(envelope(getCustomer('1'), header('ada-demo')), 200, { as: '' })
      await post(envelope(getCustomer('1'), header('wrong')), 400, { as: '' })
    }
    await post(envelope(getCustomer('1')), 400, { as: '' })
    await post(envelope(getCustomer('1')), 400, { as: 'eve' })
  })

  test('7-5 errors are faults without internals', async () => {
    for (const body of ['<a', '{}', envelope('<x:unknown xmlns:x="urn:x"/>'), envelope(getCustomer('x'))]) {
      const { text, headers } = await post(body, 400)
      expect(headers['content-type']).toMatch(/^application\/soap\+xml/)
      expect(text).toMatch(fault('Sender'))
      expect(text).not.toMatch(/node_modules|\.ts\b|saxes|sqlite|postgres/i)
    }
  })
})
