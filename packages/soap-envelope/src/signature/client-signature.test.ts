import { soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { type ClientSignatureOptions, clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { describe, expect, test } from 'vitest'
import { FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { post } from '../testing/post.ts'
import { shop, shopOperations, shopService } from '../testing/shop.ts'
import { authority, client, findElement, findOutcome, parse, signedService, time } from '../testing/signing.ts'

const minimalEcho = {
  string: '',
  long: 1n,
  int: 1,
  unsignedByte: 1,
  decimal: '1',
  double: 1,
  boolean: true,
  dateTime: '2026-01-01T00:00:00Z',
  base64: new Uint8Array(0),
  nillable: null,
  party: { $type: 'Customer', id: 1n, name: 'n', email: 'e' },
  left: 'l',
}

describe('the client', () => {
  const server = issue('/CN=Server', { extensions: FOR_SIGNATURES, issuer: authority })
  const sign = { privateKey: client.privateKey, certificate: client.certificate, now: time.now }
  const verify = { trustedCertificates: [server.certificate], now: time.now }
  const signsBack = { sign: { privateKey: server.key, certificate: server.certificate, now: time.now } }

  function callWith(options: ClientSignatureOptions, service = signedService(signsBack), edit = (xml: string) => xml) {
    return soapClient(shop, {
      endpoint: 'http://localhost/ws',
      security: clientSignature(options),
      fetch: async (_, init) => {
        const { body, headers, status } = await post(service, String(init?.body), { isSecure: true })
        return new Response(edit(body), { status, headers })
      },
    })
  }

  test('signs requests and verifies responses', async () => {
    const reply = await callWith({ sign, verify }).call('getCustomer', { customerId: 5n })
    expect(reply).toMatchObject({ customer: { id: 5n } })
  })

  test('rejects a response that is not signed, changed, or signed by somebody else', async () => {
    const call = (service = signedService(signsBack), edit = (xml: string) => xml, options = { sign, verify }) =>
      callWith(options, service, edit).call('getCustomer', { customerId: 5n })
    await expect(call(signedService())).rejects.toThrow('The response is not signed.')
    await expect(call(undefined, (xml) => xml.replace('>5<', '>6<'))).rejects.toThrow('is not what was signed')
    const byOther = { sign, verify: { ...verify, trustedCertificates: [client.certificate] } }
    await expect(call(undefined, undefined, byOther)).rejects.toThrow('not trusted')
  })

  test('signs the prefixes of xsi:type in what it sends', async () => {
    const calling = callWith({ sign, verify })
    expect(await calling.call('echo', minimalEcho)).toMatchObject({ party: { $type: 'Customer', name: 'n' } })
  })

  test('gets signed faults of messages that were verified, and takes no others for true', async () => {
    const failing = (options: object) =>
      soapService({
        wsdl: shop,
        operations: {
          ...shopOperations,
          getCustomer: () => Promise.reject(Object.assign(new Error('Gone.'), { status: 404, expose: true })),
        },
        security: [x509Signature({ trustedAuthorities: [authority.certificate], now: time.now, ...options })],
      })
    const call = (service: ReturnType<typeof failing>) =>
      callWith({ sign, verify }, service).call('getCustomer', { customerId: 5n })
    await expect(call(failing(signsBack))).rejects.toThrow('Gone.')
    await expect(call(failing({}))).rejects.toThrow('The response is not signed.')
  })

  test('signs binary values that go as attachments, as the Base64 that they stand for', async () => {
    const contentTypes: unknown[] = []
    const service = shopService({
      attachments: {},
      security: [x509Signature({ trustedAuthorities: [authority.certificate], now: time.now, ...signsBack })],
    })
    const calling = soapClient(shop, {
      endpoint: 'http://localhost/ws',
      mtom: true,
      security: clientSignature({ sign, verify }),
      fetch: async (_, init) => {
        const contentType = new Headers(init?.headers).get('content-type') ?? ''
        contentTypes.push(contentType)
        const answer = await service.handle({
          method: 'POST',
          contentType,
          body: init?.body as Uint8Array,
          isSecure: true,
        })
        const pieces: Buffer[] = []
        for await (const piece of answer.pieces ?? [answer.body]) pieces.push(Buffer.from(piece as string))
        const bytes = Buffer.concat(pieces)
        return new Response(bytes, { status: answer.status, headers: answer.headers })
      },
    })
    const input = { ...minimalEcho, base64: new Uint8Array(5000).fill(7) }
    const reply = await calling.call('echo', input)
    expect(contentTypes[0]).toContain('multipart/related')
    expect(reply).toMatchObject({ base64: input.base64 })
  })

  test('signs header blocks, and gives each an id of its own', async () => {
    const bodies: string[] = []
    const block = '<t:trace xmlns:t="urn:t" env:mustUnderstand="0"> a &gt; b </t:trace>'
    const calling = soapClient(shop, {
      endpoint: 'http://localhost/ws',
      addressing: true,
      security: clientSignature({ sign }),
      fetch: async (_, init) => {
        bodies.push(String(init?.body))
        const { body, headers, status } = await post(shopWithAddressing, String(init?.body), { isSecure: true })
        return new Response(body, { status, headers })
      },
    })
    const shopWithAddressing = shopService({
      addressing: true,
      security: [x509Signature({ trustedAuthorities: [authority.certificate], now: time.now })],
    })
    await calling.call('getCustomer', { customerId: 5n }, { headerBlocks: [block] })
    const xml = bodies[0] ?? ''
    expect(xml.match(/<ds:Reference /g)).toHaveLength(8)
    expect(findElement(parse(xml), 'trace')?.text).toBe(' a > b ')
    expect(await findOutcome(xml.replace(' a ', ' b '), shopWithAddressing)).toBe('FailedCheck')
  })
})
