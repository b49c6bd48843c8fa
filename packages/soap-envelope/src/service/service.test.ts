import {
  authenticationHeader,
  type Principal,
  parseEnvelope,
  readContract,
  SoapFault,
  type SoapRequest,
  type SoapResponse,
  type SoapService,
  soapService,
} from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
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
import { streamOf } from '../testing/stream-of.ts'

const TYPE_12 = 'application/soap+xml; charset=utf-8'

function post(service: SoapService, xml: string, more: Partial<SoapRequest> = {}): Promise<SoapResponse> {
  return service.handle({ method: 'POST', contentType: TYPE_12, path: '/ws', body: Buffer.from(xml), ...more })
}

/** Code and subcode of the fault in an answer, with its HTTP status. */
async function faultIn(answer: SoapResponse): Promise<string> {
  const { body } = await parseEnvelope(Buffer.from(answer.body))
  expect(body?.local, answer.body).toBe('Fault')
  const values = [...answer.body.matchAll(/<(?:env:Value|faultcode)[^>]*>[^:<]*:?([^<]*)</g)].map(([, name]) => name)
  return `${answer.status} ${values.join('/')}`
}

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
        getCustomer: (input: unknown, { operation, version, namespace, principal, request }) => {
          seen.push(input, operation, version, namespace, principal, request.correlationId)
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

  test('more one-way messages than may be in work get 503', async () => {
    const service = shopService({ maxPending: 1 }, { note: () => new Promise(() => {}) })
    const note = envelope('<s:NoteRequest><s:text>x</s:text></s:NoteRequest>')
    expect((await post(service, note)).status).toBe(202)
    const refused = await post(service, note)
    expect(await faultIn(refused)).toBe('503 Receiver/Unavailable')
    expect(refused.headers).toMatchObject({ 'Retry-After': '1' })
  })
})

describe('faults', () => {
  const service = shopService()
  test.each<[string, string, Partial<SoapRequest>, string]>([
    ['an unknown operation', envelope('<s:None/>'), {}, '400 Sender/UnknownOperation'],
    [
      'an operation of another namespace',
      envelope('<GetCustomerRequest xmlns="urn:v9"/>'),
      {},
      '400 Sender/UnknownOperation',
    ],
    ['the name of an operation', envelope('<s:getCustomer/>'), {}, '400 Sender/UnknownOperation'],
    ['a property as operation', envelope('<constructor/>'), {}, '400 Sender/UnknownOperation'],
    ['__proto__ as operation', envelope('<__proto__ xmlns=""/>'), {}, '400 Sender/UnknownOperation'],
    ['a response as request', envelope('<s:GetCustomerResponse/>'), {}, '400 Sender/UnknownOperation'],
    ['a fault as request (T33)', envelope('<env:Fault/>'), {}, '400 Sender/UnknownOperation'],
    ['an empty Body', envelope(''), {}, '400 Sender/UnknownOperation'],
    ['an invalid message', envelope(getCustomer('x')), {}, '400 Sender/ValidationFailed'],
    ['an envelope of another version', '<Envelope xmlns="urn:x"/>', {}, '500 VersionMismatch'],
    ['a mandatory header block', envelope(getCustomer(), '<s:h env:mustUnderstand="1"/>'), {}, '500 MustUnderstand'],
    ['an encoding', envelope('<s:x env:encodingStyle="urn:x"/>'), {}, '500 DataEncodingUnknown'],
    ['not XML', '{}', {}, '400 Sender/MalformedXml'],
    ['JSON', '{}', { contentType: 'application/json' }, '415 Sender/UnsupportedMediaType'],
    ['no Content-Type', envelope(getCustomer()), { contentType: undefined }, '415 Sender/UnsupportedMediaType'],
    [
      'MTOM',
      envelope(getCustomer()),
      { contentType: 'multipart/related; type="application/xop+xml"' },
      '415 Sender/UnsupportedMediaType',
    ],
    ['a form', 'a=b', { contentType: 'application/x-www-form-urlencoded' }, '415 Sender/UnsupportedMediaType'],
    [
      'a charset',
      envelope(getCustomer()),
      { contentType: 'application/soap+xml; charset=x' },
      '415 Sender/UnsupportedMediaType',
    ],
    ['no message', '', {}, '400 Sender/MalformedXml'],
    ['1.1: an invalid message', envelope(getCustomer('x'), '', ENV11), { contentType: 'text/xml' }, '500 Client'],
    ['1.1: a 1.2 envelope', envelope(getCustomer()), { contentType: 'text/xml' }, '500 Client'],
    ['1.1: another version', '<Envelope xmlns="urn:x"/>', { contentType: 'text/xml' }, '500 VersionMismatch'],
    [
      '1.1: a mandatory block',
      envelope(getCustomer(), '<s:h env:mustUnderstand="1"/>', ENV11),
      { contentType: 'text/xml' },
      '500 MustUnderstand',
    ],
  ])('%s', async (_, xml, more, expected) => {
    expect(await faultIn(await post(service, xml, more))).toBe(expected)
  })

  test('every one but those of header blocks carries the Error record', async () => {
    const answer = await post(service, envelope(getCustomer('secret')), { correlationId: 'c-7' })
    const { body } = await parseEnvelope(Buffer.from(answer.body))
    const detail = body?.children.find(({ local }) => local === 'Detail')?.children[0]
    expect(detail && shop.schema.decode(detail)).toMatchObject({
      status: 400,
      error: 'Bad Request',
      message: '/Envelope/Body/GetCustomerRequest/customerId is not a long.',
      path: '/ws',
      correlationId: 'c-7',
    })
    expect(answer.body).not.toContain('secret')
    const mandatory = await post(service, envelope(getCustomer(), '<s:h env:mustUnderstand="1"/>'))
    expect(mandatory.body).not.toContain('Detail')
  })

  test('an unknown operation is told the namespaces that are served', async () => {
    const answer = await post(service, envelope('<x xmlns="urn:v9"/>'))
    expect(answer.body).toMatch(
      /<f:SupportedNamespace xmlns:f="[^"]*">urn:test:shop<\/f:SupportedNamespace><\/env:Detail>/,
    )
  })

  test('a handler may throw a fault, an HTTP error or anything else', async () => {
    const thrown = [
      new SoapFault({ code: 'Sender', subcodes: [{ uri: 'urn:own', local: 'Own' }], reason: 'x', detail: '<own/>' }),
      Object.assign(new Error('Taken.'), { status: 409 }),
      new Error('at /srv/app.js:1'),
      'text',
    ]
    const answers = []
    for (const error of thrown) {
      const failing = shopService({}, { getCustomer: () => Promise.reject(error) })
      answers.push(await faultIn(await post(failing, envelope(getCustomer()))))
    }
    expect(answers).toEqual([
      '400 Sender/Own',
      '400 Sender/Conflict',
      '500 Receiver/InternalError',
      '500 Receiver/InternalError',
    ])
  })

  test('an answer that breaks the contract is a bug, which the log sees and the client does not', async () => {
    const errors: unknown[] = []
    const failing = shopService(
      { onFault: (_, { error, operation }) => errors.push(error, operation) },
      { getCustomer: () => ({ customer: { id: 'secret', name: '', email: '' } }) },
    )
    const answer = await post(failing, envelope(getCustomer()))
    expect(await faultIn(answer)).toBe('500 Receiver/InternalError')
    expect(answer.body).not.toMatch(/secret|long/)
    expect(errors).toEqual([new TypeError('GetCustomerResponse.customer.id is not a long'), 'getCustomer'])
  })

  test('the log is told all but the message, which may hold a password', async () => {
    const seen: object[] = []
    await post(shopService({ onFault: (_, { request }) => seen.push(request) }), '<secret/>', { correlationId: 'c-3' })
    expect(seen).toEqual([{ method: 'POST', contentType: TYPE_12, path: '/ws', correlationId: 'c-3' }])
  })

  test('a log that throws does not take the answer with it', async () => {
    const failing = shopService({
      onFault: () => {
        throw new Error('log')
      },
    })
    expect((await post(failing, 'x')).status).toBe(400)
  })

  test('reasons come in the language that is asked for', async () => {
    const reason = { en: 'No', de: 'Nein', fr: 'Non' }
    const failing = shopService({}, { getCustomer: () => Promise.reject(new SoapFault({ code: 'Sender', reason })) })
    const first = async (acceptLanguage: string): Promise<string | undefined> =>
      (await post(failing, envelope(getCustomer()), { acceptLanguage })).body.match(/lang="(\w+)"/)?.[1]
    expect([await first('fr;q=0.5, de'), await first('es'), await first('de;q=0, *')]).toEqual(['de', 'en', 'en'])
  })

  test("statusMode 'http' gives the status of the error, for gateways", async () => {
    const failing = shopService(
      { statusMode: 'http' },
      {
        getCustomer: () => Promise.reject(Object.assign(new Error('x'), { status: 409 })),
      },
    )
    expect((await post(failing, envelope(getCustomer()))).status).toBe(409)
    expect((await post(failing, envelope(getCustomer(), '', ENV11), { contentType: 'text/xml' })).status).toBe(409)
  })

  test('an error of what stands in front becomes a fault of the version that is spoken', () => {
    const error = Object.assign(new Error('Slow down.'), { status: 429, headers: { 'Retry-After': '5' } })
    const answer = service.fault(error, { method: 'POST', contentType: 'text/xml' })
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '5', 'Content-Type': 'text/xml; charset=utf-8' },
    })
    expect(answer.body).toContain('<faultcode>env:Server</faultcode><faultstring>Slow down.</faultstring>')
  })

  test('a stream that breaks is the fault of the sender', async () => {
    const broken = (function* (): Iterable<Uint8Array> {
      yield Buffer.from('<')
      throw new Error('ECONNRESET')
    })()
    expect(await faultIn(await service.handle({ method: 'POST', contentType: TYPE_12, body: streamOf(broken) }))).toBe(
      '400 Sender/MalformedXml',
    )
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

describe('documents', () => {
  const service = shopService()
  const get = (query: string, more: Partial<SoapRequest> = {}): Promise<SoapResponse> =>
    service.handle({ method: 'GET', query, publicUrl: 'https://h/ws', ...more })

  test.each([
    ['wsdl', 200],
    ['WSDL', 200],
    ['wsdl=', 200],
    ['a=b&wsdl', 200],
    ['wsdl=urn:test:shop', 200],
    ['xsd', 200],
    ['xsd=shop.xsd', 200],
    ['xsd=common%2Fmoney.xsd', 200],
    ['xsd=../../../etc/passwd', 404],
    ['xsd=__proto__', 404],
    ['wsdl=v9', 404],
    ['', 405],
    ['page', 405],
    ['%', 405],
  ])('GET ?%s is answered with %i', async (query, status) => {
    const answer = await get(query)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.headers['Content-Type']).toBe('text/xml; charset=utf-8')
    if (status === 405) expect(answer.headers['Allow']).toBe('GET, HEAD, OPTIONS, POST')
  })

  test('have a tag that answers 304', async () => {
    const { headers, body } = await get('wsdl')
    expect(body).toContain('location="https://h/ws"')
    for (const ifNoneMatch of [headers['ETag'], `W/${headers['ETag']}`, `"x", ${headers['ETag']}`, '*'])
      expect(await get('wsdl', { ifNoneMatch })).toMatchObject({ status: 304, body: '' })
    expect((await get('wsdl', { ifNoneMatch: '"x"' })).status).toBe(200)
    expect((await get('wsdl', { publicUrl: 'https://other/ws' })).headers['ETag']).not.toBe(headers['ETag'])
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'post'])('%s is not allowed', async (method) => {
    expect(await faultIn(await service.handle({ method }))).toBe('405 Sender/MethodNotAllowed')
  })

  test('OPTIONS says what is', async () => {
    expect(await service.handle({ method: 'OPTIONS' })).toMatchObject({
      status: 204,
      headers: { Allow: 'GET, HEAD, OPTIONS, POST' },
    })
  })
})

describe('several versions at one address', () => {
  const second = readContract(readShop('shop.wsdl').replaceAll('urn:test:shop', 'urn:test:shop/v2'), {
    resolve: (name) => readShop(name).replaceAll('urn:test:shop', 'urn:test:shop/v2'),
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
    const get = (query: string): Promise<SoapResponse> => service.handle({ method: 'GET', query })
    expect((await get('wsdl')).body).toContain('targetNamespace="urn:test:shop"')
    expect((await get('wsdl=v1')).body).toContain('targetNamespace="urn:test:shop"')
    expect((await get('wsdl=v2')).body).toContain('targetNamespace="urn:test:shop/v2"')
    const invalid = envelope(getCustomer('x')).replace(SHOP, 'urn:test:shop/v2')
    expect((await post(service, invalid)).body).toContain('ServiceFault xmlns:t="urn:test:shop/v2"')
  })
})

describe('who may call', () => {
  const header = { uri: 'urn:h', local: 'Who' }
  const mechanism = {
    header,
    authenticate: ({ element }: { element: { text: string } }): Principal => ({
      name: element.text,
      subject: undefined,
    }),
  }
  const who = (name: string, more = ''): string => `<Who xmlns="urn:h"${more}>${name}</Who>`

  test.each<[string, string, Partial<SoapRequest>, string]>([
    ['nobody', '', {}, '400 Sender/InvalidSecurity'],
    ['a header block', who('ada'), {}, '200 ada'],
    ['a mandatory header block', who('ada', ' env:mustUnderstand="1"'), {}, '200 ada'],
    ['a header block for another role', who('ada', ' env:role="urn:x"'), {}, '400 Sender/InvalidSecurity'],
    ['two header blocks', who('ada') + who('ada'), {}, '400 Sender/InvalidSecurity'],
    ['HTTP', '', { principal: { name: 'ada', subject: 1 } }, '200 ada'],
    ['HTTP and a header block that agree', who('ada'), { principal: { name: 'ada', subject: 1 } }, '200 ada'],
    [
      'HTTP and a header block that differ',
      who('eve'),
      { principal: { name: 'ada', subject: 1 } },
      '400 Sender/InvalidSecurity',
    ],
    ['a user who may not', who('sam'), {}, '400 Sender/NotPermitted'],
  ])('%s', async (_, block, more, expected) => {
    const service = shopService(
      { security: [mechanism], authorize: ({ name }) => name !== 'sam' },
      { getCustomer: (_input: unknown, { principal }) => ({ customer: { id: 1n, name: principal?.name, email: '' } }) },
    )
    const answer = await post(service, envelope(getCustomer(), block), more)
    const name = answer.body.match(/<t2:name>([^<]*)/)?.[1]
    expect(answer.status === 200 ? `200 ${name}` : await faultIn(answer)).toBe(expected)
  })

  test('credentials are looked at before the message is decoded, and the operation does not run', async () => {
    let ran = false
    const service = shopService(
      { security: [] },
      {
        getCustomer: () => {
          ran = true
          return {}
        },
      },
    )
    expect(await faultIn(await post(service, envelope(getCustomer('x'))))).toBe('400 Sender/InvalidSecurity')
    expect(ran).toBe(false)
  })

  test('an operation may be open to all, and wrong credentials are refused there too', async () => {
    const lookup = (): undefined => undefined
    const service = shopService({
      security: [authenticationHeader({ namespace: SHOP, lookup })],
      anonymous: ['getCustomer'],
    })
    expect((await post(service, envelope(getCustomer()), { secure: true })).status).toBe(200)
    const wrong = '<s:Authentication><s:Username>a</s:Username><s:Password>b</s:Password></s:Authentication>'
    expect(await faultIn(await post(service, envelope(getCustomer(), wrong), { secure: true }))).toBe(
      '400 Sender/FailedAuthentication',
    )
  })

  test('who is known is given to an open operation and not asked for a permission', async () => {
    const seen: unknown[] = []
    const service = shopService(
      { security: [mechanism], anonymous: ['note'], authorize: () => false },
      { note: (_input: unknown, { principal }) => void seen.push(principal?.name) },
    )
    const note = '<s:NoteRequest><s:text>x</s:text></s:NoteRequest>'
    expect((await post(service, envelope(note, who('sam')))).status).toBe(202)
    expect((await post(service, envelope(note))).status).toBe(202)
    expect(seen).toEqual(['sam', undefined])
  })

  test('asking for a permission alone needs credentials too', async () => {
    const service = shopService({ authorize: ({ name }) => name === 'ada' })
    expect(await faultIn(await post(service, envelope(getCustomer())))).toBe('400 Sender/InvalidSecurity')
    expect((await post(service, envelope(getCustomer()), { principal: { name: 'ada', subject: 1 } })).status).toBe(200)
  })

  test('header blocks may be declared as understood', async () => {
    const mandatory = envelope(getCustomer(), '<h xmlns="urn:h" env:mustUnderstand="1"/>')
    const names = shopService({ understands: [{ uri: 'urn:h', local: 'h' }] })
    const byFunction = shopService({ understands: ({ element }) => element.uri === 'urn:h' })
    expect((await post(names, mandatory)).status).toBe(200)
    expect((await post(byFunction, mandatory)).status).toBe(200)
    expect((await post(shopService(), mandatory)).status).toBe(500)
  })
})

describe('mistakes of the programmer show at start', () => {
  const { note: _, ...incomplete } = shopOperations
  test.each<[string, () => unknown, string]>([
    [
      'a handler too few',
      () => soapService({ wsdl: shop, operations: incomplete }),
      'the operation note of ShopPortType needs a handler',
    ],
    ['a handler too many', () => shopService({}, { more: () => {} }), 'ShopPortType has no operation "more"'],
    ['a handler that is none', () => shopService({}, { note: 'x' as never }), 'needs a handler, got "x"'],
    [
      'an inherited handler',
      () => soapService({ wsdl: shop, operations: Object.create(shopOperations) }),
      'needs a handler',
    ],
    ['a typo', () => shopService({ onFalt: () => {} } as object), 'unknown option "onFalt", did you mean "onFault"?'],
    ['a bad limit', () => shopService({ limits: { depth: -1 } }), 'limits.depth must be a positive integer, got -1'],
    ['a bad bound', () => shopService({ maxPending: 0 }), 'maxPending must be a positive integer, got 0'],
    ['a bad mode', () => shopService({ statusMode: 'x' as never }), 'statusMode must be "soap" or "http", got "x"'],
    [
      'an open operation that is none',
      () => shopService({ anonymous: ['nope'] }),
      'anonymous names "nope", which is no operation',
    ],
    ['no version', () => soapService({ versions: [] }), 'versions must not be empty'],
    [
      'the same version twice',
      () => soapService({ versions: [1, 2].map(() => ({ wsdl: shop, operations: shopOperations })) }),
      'two versions answer to {urn:test:shop}EchoRequest',
    ],
  ])('%s', (_name, build, message) => {
    expect(build).toThrow(TypeError)
    expect(build).toThrow(message)
  })
})

test('SOAP 1.1 can be switched off', async () => {
  const service = shopService({ soap11: false })
  const answer = await post(service, envelope(getCustomer(), '', ENV11), { contentType: 'text/xml' })
  expect(answer.status).toBe(415)
  expect((await post(service, '<Envelope xmlns="urn:x"/>')).body).not.toContain('s11:Envelope')
})

test('the namespace of the subcodes can be that of the service', async () => {
  const service = shopService({ faultNamespace: 'urn:mine' })
  expect((await post(service, envelope('<x/>'))).body).toContain('xmlns:f="urn:mine">f:UnknownOperation')
})
