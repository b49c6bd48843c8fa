import { parseEnvelope, usernameToken } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { beforeEach, describe, expect, test } from 'vitest'
import { FOR_SIGNATURES, type Identity, issue } from '../testing/certificates.ts'
import { faultIn, post } from '../testing/post.ts'
import { envelope, getCustomer, shop, shopService } from '../testing/shop.ts'
import { authority, client, findOutcome, signAgain, signedMessage, signedService, time } from '../testing/signing.ts'

const start = time.now()
const setTime = (ms: number): void => time.advance(ms - time.now())
beforeEach(() => setTime(start))

const pem = ({ privateKey, certificate }: Identity) => ({ privateKey, certificate })

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

  test('an expired message is rejected before the digests are computed', async () => {
    const xml = signedMessage({ ttlSeconds: 10 }).replace('>42<', '>43<')
    expect(await findOutcome(xml)).toBe('FailedCheck')
    setTime(start + 10_000)
    expect(await findOutcome(xml)).toBe('MessageExpired')
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
      'tokens that are no mechanism',
      () => x509Signature({ ...trust, usernameToken: 'ada' } as object),
      'usernameToken must be a mechanism such as usernameToken()',
    ],
    [
      'an age that is none',
      () => x509Signature({ ...trust, maxAgeSeconds: -1 }),
      'maxAgeSeconds must be an integer of 0 or more',
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
