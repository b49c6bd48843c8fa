import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { parseEnvelope, soapService, usernameToken } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { type ClientSignatureOptions, clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { beforeEach, describe, expect, test } from 'vitest'
import { FOR_AUTHORITIES, FOR_SIGNATURES, type Identity, issue } from '../testing/certificates.ts'
import { faultIn, post } from '../testing/post.ts'
import { envelope, getCustomer, shop, shopOperations, shopService } from '../testing/shop.ts'
import {
  authority,
  client,
  findElement,
  findOutcome,
  parse,
  signAgain,
  signedMessage,
  signedService,
  time,
} from '../testing/signing.ts'

const start = time.now()
const setTime = (ms: number): void => time.advance(ms - time.now())
beforeEach(() => setTime(start))

const pem = ({ privateKey, certificate }: Identity) => ({ privateKey, certificate })
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

describe('signed messages', () => {
  test.each(['rsa:2048', 'rsa:3072', 'P-256', 'P-384', 'P-521'])('with a key of %s are accepted', async (algorithm) => {
    const identity = issue('/CN=Ada/O=Partner', { algorithm, extensions: FOR_SIGNATURES, issuer: authority })
    expect(await findOutcome(signedMessage({ identity }))).toMatch(/^200 42 (O=Partner, CN=Ada|CN=Ada, O=Partner)$/)
  })

  test('are accepted in SOAP 1.1 too', async () => {
    const xml = signedMessage().replaceAll(
      'http://www.w3.org/2003/05/soap-envelope',
      'http://schemas.xmlsoap.org/soap/envelope/',
    )
    const answer = await post(signedService(), signAgain(xml), { contentType: 'text/xml' })
    expect(answer.status, answer.body).toBe(200)
  })

  test('name their user by findUser, which may reject a certificate', async () => {
    const findUser = (certificate: { serialNumber: string }) =>
      certificate.serialNumber === '07' ? { name: 'ada', subject: 1 } : undefined
    expect(await findOutcome(signedMessage(), signedService({ findUser }))).toBe('200 42 ada')
    expect(await findOutcome(signedMessage(), signedService({ findUser: () => undefined }))).toBe(
      'FailedAuthentication',
    )
  })

  test('are the only ones that a service with the mechanism accepts', async () => {
    expect(await findOutcome(envelope(getCustomer()))).toBe('InvalidSecurity')
  })

  test('stand beside user names and passwords', async () => {
    const findUser = () => ({ password: 'p', subject: 1 })
    const service = shopService({
      security: [
        usernameToken({ findUser }),
        x509Signature({ trustedAuthorities: [authority.certificate], now: time.now }),
      ],
    })
    const token = `<w:Security xmlns:w="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"><w:UsernameToken><w:Username>u</w:Username><w:Password>p</w:Password></w:UsernameToken></w:Security>`
    expect(await findOutcome(envelope(getCustomer(), token), service)).toMatch(/^200/)
    expect(await findOutcome(signedMessage(), service)).toMatch(/^200/)
  })

  test('may carry a UsernameToken, if it is signed and the option accepts it', async () => {
    const users = usernameToken({ findUser: (name) => (name === 'ada' ? { password: 'p', subject: 1 } : undefined) })
    const bodies: string[] = []
    const send = (password: string, options = {}) => {
      const service = signedService(options)
      return soapClient(shop, {
        endpoint: 'http://localhost/ws',
        credentials: { username: 'ada', password },
        security: clientSignature({ sign: { ...pem(client), now: time.now } }),
        fetch: async (_, init) => {
          bodies.push(String(init?.body))
          const { body, headers, status } = await post(service, String(init?.body), { isSecure: true })
          return new Response(body, { status, headers })
        },
      }).call('getCustomer', { customerId: 1n })
    }
    expect(await send('p', { usernameToken: users })).toMatchObject({ customer: { name: 'ada' } })
    await expect(send('x', { usernameToken: users })).rejects.toThrow('could not be authenticated')
    await expect(send('p')).rejects.toThrow('not supported')
    const unsigned = bodies[0]?.replace(/<ds:Reference URI="#UT-.*?<\/ds:Reference>/, '') ?? ''
    expect(await findOutcome(signAgain(unsigned), signedService({ usernameToken: users }))).toBe('FailedCheck')
  })
})

describe('certificates', () => {
  const at = (days: number) => start + days * 86_400_000
  const extensions = FOR_SIGNATURES
  const other = issue('/CN=Test authority', { extensions: FOR_AUTHORITIES })
  const between = issue('/CN=Between', { extensions: FOR_AUTHORITIES, issuer: authority })
  const below = issue('/CN=Ada/O=Partner', { extensions, issuer: between })

  test.each([
    ['of an unknown authority', issue('/CN=Eve', { extensions, issuer: other })],
    ['that are self-signed', issue('/CN=Eve', { extensions })],
    ['that are self-signed with the name of the authority', issue('/CN=Test authority', { extensions })],
    ['that are issued by a client, which is no authority', issue('/CN=Eve', { extensions, issuer: client })],
    ['below an authority that the options do not have', below],
    [
      'for something else than signatures',
      issue('/CN=Eve', { extensions: ['keyUsage=critical,keyEncipherment'], issuer: authority }),
    ],
  ])('%s are rejected', async (_, identity) => {
    expect(await findOutcome(signedMessage({ identity }))).toBe('FailedAuthentication')
  })

  test('with a weak key are rejected', async () => {
    const weak = issue('/CN=Weak', { algorithm: 'rsa:1024', extensions, issuer: authority })
    const token = weak.certificate.replace(/-----.*-----|\n/g, '')
    const xml = signedMessage().replace(/(BinarySecurityToken E[^>]*>)[^<]*/, `$1${token}`)
    expect(await findOutcome(signAgain(xml, weak.key))).toBe('FailedAuthentication')
  })

  test('that have expired, or are not valid yet, are rejected', async () => {
    for (const days of [-2, 31]) {
      setTime(at(days))
      expect(await findOutcome(signedMessage())).toBe('FailedAuthentication')
    }
  })

  test('below an authority of intermediateCertificates are accepted', async () => {
    const service = signedService({ intermediateCertificates: [between.certificate] })
    expect(await findOutcome(signedMessage({ identity: below }), service)).toMatch(/^200/)
  })

  test('of trustedCertificates are accepted themselves, and no others', async () => {
    const own = issue('/CN=Own/O=Own', { extensions })
    const service = signedService({ trustedAuthorities: [], trustedCertificates: [own.certificate] })
    expect(await findOutcome(signedMessage({ identity: own }), service)).toMatch(/^200/)
    expect(await findOutcome(signedMessage(), service)).toBe('FailedAuthentication')
  })

  const token = client.certificate.replace(/-----.*-----|\n/g, '')
  const wsse = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0'
  const thumbprint = Buffer.from(
    new X509Certificate(client.certificate).fingerprint.replaceAll(':', ''),
    'hex',
  ).toString('base64')
  test.each([
    [
      'X509IssuerSerial',
      '<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>7</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>',
      true,
    ],
    [
      'an unknown X509IssuerSerial',
      '<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>8</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>',
      false,
    ],
    ['X509Certificate', `<ds:X509Data><ds:X509Certificate>${token}</ds:X509Certificate></ds:X509Data>`, true],
    [
      'a thumbprint',
      `<wsse:KeyIdentifier ValueType="http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#ThumbprintSHA1">${thumbprint}</wsse:KeyIdentifier>`,
      true,
    ],
    [
      'a KeyIdentifier with the certificate',
      `<wsse:KeyIdentifier ValueType="${wsse}#X509v3">${token}</wsse:KeyIdentifier>`,
      true,
    ],
    [
      'a KeyIdentifier of another kind',
      `<wsse:KeyIdentifier ValueType="${wsse}#X509PKIPathv1">${token}</wsse:KeyIdentifier>`,
      false,
    ],
    ['a key name', '<ds:KeyName>ada</ds:KeyName>', false],
  ])('named by %s', async (_, reference, isAccepted) => {
    const service = signedService({ trustedCertificates: [client.certificate] })
    const xml = signedMessage().replace(/<wsse:Reference [^>]*>/, reference)
    expect(await findOutcome(xml, service)).toMatch(
      isAccepted ? /^200/ : /^(UnsupportedSecurityToken|SecurityTokenUnavailable)$/,
    )
  })

  test('named by a key identifier', async () => {
    const identity = issue('/CN=Key', { extensions: [...extensions, 'subjectKeyIdentifier=hash'] })
    const text = execFileSync('openssl', ['x509', '-noout', '-ext', 'subjectKeyIdentifier'], {
      input: identity.certificate,
    })
    const id = Buffer.from(
      String(text)
        .match(/[\dA-F]{2}(:[\dA-F]{2}){19}/)?.[0]
        .replaceAll(':', '') ?? '',
      'hex',
    ).toString('base64')
    const service = signedService({ trustedCertificates: [identity.certificate] })
    const reference = `<wsse:KeyIdentifier ValueType="${wsse}#X509SubjectKeyIdentifier">${id}</wsse:KeyIdentifier>`
    expect(
      await findOutcome(signedMessage({ identity }).replace(/<wsse:Reference [^>]*>/, reference), service),
    ).toMatch(/^200/)
  })
})

describe('times', () => {
  test.each([
    [300, '200'],
    [301, 'MessageExpired'],
    [-60, '200'],
    [-61, 'InvalidSecurity'],
  ])('a message of %i s ago', async (seconds, expected) => {
    const xml = signedMessage({ ttlSeconds: 3600 })
    setTime(start + seconds * 1000)
    expect(await findOutcome(xml)).toContain(expected)
  })

  test('a message counts until it expires', async () => {
    const xml = signedMessage({ ttlSeconds: 10 })
    setTime(start + 10_000)
    expect(await findOutcome(xml)).toBe('MessageExpired')
  })
})

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
          getCustomer: () => Promise.reject(Object.assign(new Error('Gone.'), { status: 404 })),
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

describe('mistakes show at start', () => {
  const trust = { trustedAuthorities: [authority.certificate] }
  test.each<[string, () => unknown, string]>([
    [
      'no trusted certificate',
      () => x509Signature({}),
      'trustedCertificates or trustedAuthorities must have a certificate',
    ],
    [
      'no certificate',
      () => x509Signature({ trustedAuthorities: ['x'] }),
      'trustedAuthorities must be a certificate as PEM or DER',
    ],
    [
      'broken PEM',
      () => x509Signature({ trustedAuthorities: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'] }),
      'must be a certificate',
    ],
    [
      'a client as authority',
      () => x509Signature({ trustedAuthorities: [client.certificate] }),
      'is not an authority; set it in trustedCertificates',
    ],
    ['a typo', () => x509Signature({ ...trust, trusted: [] } as object), 'unknown option "trusted"'],
    [
      'an age that is none',
      () => x509Signature({ ...trust, maxAgeSeconds: -1 }),
      'maxAgeSeconds must be a number of seconds',
    ],
    [
      'names that are none',
      () => x509Signature({ ...trust, signedHeaders: 'some' as 'all' }),
      "signedHeaders must be 'all' or an array",
    ],
    [
      'a key of somebody else',
      () => clientSignature({ sign: { ...pem(client), privateKey: authority.privateKey } }),
      'certificate must be the certificate of privateKey',
    ],
    [
      'a key that is none',
      () => clientSignature({ sign: { ...pem(client), privateKey: 'secret' } }),
      'privateKey must be a private key as PEM, or a KeyObject',
    ],
    [
      'a weak key',
      () => clientSignature({ sign: pem(issue('/CN=w', { algorithm: 'rsa:1024' })) }),
      'privateKey must not be an RSA key of 1024 bits',
    ],
    [
      'a key of another type',
      () => clientSignature({ sign: pem(issue('/CN=w', { algorithm: 'secp256k1' })) }),
      'privateKey must not be the curve secp256k1',
    ],
  ])('%s', (_, build, message) => {
    expect(build).toThrow(TypeError)
    expect(build).toThrow(message)
  })

  test('without showing the key', () => {
    expect(() => clientSignature({ sign: { ...pem(client), privateKey: 'secret' } })).toThrow(/^(?!.*secret)/)
  })
})

test('the envelope that a service writes is valid for a reader of SOAP', async () => {
  const server = issue('/CN=Server', { extensions: FOR_SIGNATURES, issuer: authority })
  const service = signedService({ sign: { ...pem(server), now: time.now } })
  const { body } = await post(service, signedMessage(), { isSecure: true })
  const { headers } = await parseEnvelope(Buffer.from(body), { understoodHeaders: () => true })
  expect(headers.map(({ element }) => element.local)).toEqual(['Security'])
  expect(await faultIn(await post(service, 'x'))).toBe('400 Sender/MalformedXml')
})
