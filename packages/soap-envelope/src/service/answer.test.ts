import { parseEnvelope, SoapFault, type SoapRequest } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { faultIn, post, TYPE_12 } from '../testing/post.ts'
import { ENV11, envelope, getCustomer, shop, shopService } from '../testing/shop.ts'
import { toStream } from '../testing/stream-of.ts'

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
    expect(errors).toEqual([
      new TypeError('soap-envelope: GetCustomerResponse.customer.id is not a long'),
      'getCustomer',
    ])
  })

  test.each<[string, (error: unknown) => unknown, string, unknown]>([
    ['another error', () => Object.assign(new Error('Later'), { status: 503 }), '503 Receiver/Unavailable', 'Later'],
    ['nothing', () => undefined, '500 Receiver/InternalError', 'down'],
    ['a promise', () => Promise.reject(new Error('late')), '500 Receiver/InternalError', 'down'],
  ])('mapError returns %s for what a handler threw', async (_, mapError, expected, message) => {
    const errors: unknown[] = []
    const failing = shopService(
      { mapError, onFault: (_fault, { error }) => errors.push(error) },
      { getCustomer: () => Promise.reject(new Error('down')) },
    )
    expect(await faultIn(await post(failing, envelope(getCustomer())))).toBe(expected)
    expect(errors).toMatchObject([{ message }])
  })

  test('an error that mapError throws is used', async () => {
    const mapError = (): never => {
      throw Object.assign(new Error('Taken.'), { status: 409 })
    }
    expect((await post(shopService({ mapError }), '<x/>')).body).toContain('f:Conflict')
  })

  test('the log is told all but the message, which may hold a password', async () => {
    const seen: object[] = []
    await post(shopService({ onFault: (_, { request }) => seen.push(request) }), '<secret/>', { correlationId: 'c-3' })
    expect(seen).toEqual([{ method: 'POST', contentType: TYPE_12, path: '/ws', correlationId: 'c-3' }])
  })

  test.each<[string, () => void | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('log')
      },
    ],
    ['rejects', () => Promise.reject(new Error('log'))],
  ])('a log that %s does not take the answer, or the process, with it', async (_, onFault) => {
    expect((await post(shopService({ onFault }), 'x')).status).toBe(400)
  })

  test('reasons come in the language that is asked for (RFC 4647, 3.4)', async () => {
    const reason = { en: 'No', de: 'Nein', fr: 'Non' }
    const failing = shopService({}, { getCustomer: () => Promise.reject(new SoapFault({ code: 'Sender', reason })) })
    const first = async (acceptLanguage: string): Promise<string | undefined> =>
      (await post(failing, envelope(getCustomer()), { acceptLanguage })).body.match(/lang="(\w+)"/)?.[1]
    expect([await first('fr;q=0.5, de'), await first('es'), await first('de;q=0, *')]).toEqual(['de', 'en', 'en'])
    expect([await first('de-CH, en;q=0.5'), await first('d'), await first('DE-Latn-CH, fr')]).toEqual([
      'de',
      'en',
      'de',
    ])
  })

  test('a reason of a region comes before that of its language', async () => {
    const reason = { en: 'No', 'de-CH': 'Nei', de: 'Nein', 'fr-CA': 'Non' }
    const failing = shopService({}, { getCustomer: () => Promise.reject(new SoapFault({ code: 'Sender', reason })) })
    const first = async (acceptLanguage: string): Promise<string | undefined> =>
      (await post(failing, envelope(getCustomer()), { acceptLanguage })).body.match(/lang="([\w-]+)"/)?.[1]
    expect([await first('de-CH'), await first('de'), await first('fr')]).toEqual(['de-CH', 'de', 'fr-CA'])
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

  test.each(['soap', 'http'] as const)('a fault that came with 200 is one, with statusMode %s', async (statusMode) => {
    const upstream = new SoapFault({ code: 'Receiver', reason: 'x', status: 200, httpStatus: 200 })
    const failing = shopService({ statusMode }, { getCustomer: () => Promise.reject(upstream) })
    expect(await faultIn(await post(failing, envelope(getCustomer())))).toBe('500 Receiver')
  })

  test('an error of what stands in front becomes a fault of the version that is spoken', () => {
    const error = Object.assign(new Error('Slow down.'), { status: 429, expose: true, headers: { 'Retry-After': '5' } })
    const answer = service.fault(error, { method: 'POST', contentType: 'text/xml' })
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '5', 'Content-Type': 'text/xml; charset=utf-8' },
    })
    expect(answer.body).toContain('<faultcode>env:Server</faultcode><faultstring>Slow down.</faultstring>')
  })

  test.each([
    ['text/xml', 'text/xml; charset=utf-8'],
    ['application/soap+xml', 'application/soap+xml; charset=utf-8'],
  ])('such an error has the version of the message in a multipart one: %s', (startInfo, type) => {
    const contentType = `multipart/related; boundary=b; type="application/xop+xml"; start-info="${startInfo}"`
    const answer = service.fault(Object.assign(new Error('Slow down.'), { status: 429 }), {
      method: 'POST',
      contentType,
    })
    expect(answer.headers['Content-Type']).toBe(type)
  })

  test('a stream that breaks is the fault of the sender', async () => {
    const broken = (function* (): Iterable<Uint8Array> {
      yield Buffer.from('<')
      throw new Error('ECONNRESET')
    })()
    expect(await faultIn(await service.handle({ method: 'POST', contentType: TYPE_12, body: toStream(broken) }))).toBe(
      '400 Sender/MalformedXml',
    )
  })
})

test('SOAP 1.1 can be switched off', async () => {
  const service = shopService({ acceptSoap11: false })
  const answer = await post(service, envelope(getCustomer(), '', ENV11), { contentType: 'text/xml' })
  expect(answer.status).toBe(415)
  expect((await post(service, '<Envelope xmlns="urn:x"/>')).body).not.toContain('s11:Envelope')
})

test('the namespace of the subcodes can be that of the service', async () => {
  const service = shopService({ faultNamespace: 'urn:mine' })
  expect((await post(service, envelope('<x/>'))).body).toContain('xmlns:f="urn:mine">f:UnknownOperation')
})
