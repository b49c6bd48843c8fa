import { authenticationHeader, type SecurityMechanism, usernameToken } from '@svc/soap-envelope'
import { x509Signature } from '@svc/soap-envelope/signature'
import { describe, expect, test, vi } from 'vitest'
import { FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { faultIn, post } from '../testing/post.ts'
import { ENV12, envelope, getCustomer, SHOP, shopService } from '../testing/shop.ts'
import { authority } from '../testing/signing.ts'

const header = { uri: 'urn:h', local: 'Who' }
const who = '<Who xmlns="urn:h">ada</Who>'
const findUser = () => ({ password: 'p', subject: 1 })
const server = issue('/CN=Server', { extensions: FOR_SIGNATURES, issuer: authority })
const sign = { privateKey: server.privateKey, certificate: server.certificate }
const ada = { name: 'ada', subject: 1 }
const sam = { name: 'sam', subject: 2 }

describe.each<[string, () => SecurityMechanism]>([
  ['usernameToken()', () => usernameToken({ findUser })],
  ['authenticationHeader()', () => authenticationHeader({ findUser, namespace: SHOP })],
  ['x509Signature()', () => x509Signature({ trustedAuthorities: [authority.certificate], sign })],
  ['a mechanism of the app', () => ({ header, authenticate: () => ada, protect: () => 'protected' })],
])('a message without credentials for %s', (_, create) => {
  describe.each<[string, string]>([
    ['no Header', envelope(getCustomer())],
    ['an empty Header', envelope(getCustomer(), ' ')],
    ['another header block', envelope(getCustomer(), '<o:other xmlns:o="urn:other"/>')],
    ['a header block for another role', envelope(getCustomer(), who.replace('>', ' env:role="urn:other">'))],
  ])('with %s', (_, xml) => {
    const serve = (publicOperations: readonly string[] = []) => {
      const getCustomer = vi.fn(() => ({ customer: { id: 1n, name: 'n', email: '' } }))
      const authorize = vi.fn(({ name }: { name: string }) => name !== 'sam')
      const security = [create()]
      return {
        service: shopService({ security, authorize, publicOperations }, { getCustomer }),
        authorize,
        getCustomer,
      }
    }

    test('is rejected, and the operation does not run', async () => {
      const { service, authorize, getCustomer } = serve()
      expect(await faultIn(await post(service, xml, { isSecure: true }))).toBe('400 Sender/InvalidSecurity')
      expect(authorize).not.toHaveBeenCalled()
      expect(getCustomer).not.toHaveBeenCalled()
    })

    test('is permitted or rejected by the user of HTTP', async () => {
      const { service, authorize, getCustomer } = serve()
      expect((await post(service, xml, { user: ada })).status).toBe(200)
      expect(getCustomer).toHaveBeenCalledTimes(1)
      expect(await faultIn(await post(service, xml, { user: sam }))).toBe('400 Sender/NotPermitted')
      expect(getCustomer).toHaveBeenCalledTimes(1)
      expect(authorize.mock.calls).toEqual([
        [ada, 'getCustomer'],
        [sam, 'getCustomer'],
      ])
    })

    test('gets a response without protection', async () => {
      const { service } = serve(['getCustomer'])
      for (const user of [undefined, ada]) {
        const { status, body } = await post(service, xml, { user })
        expect(status).toBe(200)
        expect(body).toContain(`<env:Envelope xmlns:env="${ENV12}"><env:Body>`)
      }
    })
  })
})

test('a mechanism authenticates a message with its header block, and protects the response', async () => {
  const authenticate = vi.fn(() => ada)
  const service = shopService({ security: [{ header, authenticate, protect: () => 'protected' }] })
  expect((await post(service, envelope(getCustomer()), { user: ada })).body).not.toBe('protected')
  expect(authenticate).not.toHaveBeenCalled()
  expect((await post(service, envelope(getCustomer(), who))).body).toBe('protected')
  expect(await faultIn(await post(service, envelope(getCustomer(), who), { user: sam }))).toBe(
    '400 Sender/InvalidSecurity',
  )
  expect(authenticate).toHaveBeenCalledTimes(2)
})
