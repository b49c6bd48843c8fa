import { authenticationHeader, SoapFault, type SoapRequest, usernameToken } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { envelope, getCustomer } from '../testing/shop.ts'
import {
  createDigest,
  createdAt,
  createNonce,
  digest,
  findOutcome,
  findUser,
  good,
  NONCE,
  NOW,
  password,
  security,
  serviceWith,
  time,
  token,
  username,
} from '../testing/tokens.ts'
import { WSSE } from '../xml/names.ts'
import { passwordDigest } from './username-token.ts'
import { writeSecurity, writeUsernameToken } from './write-token.ts'

test.each([
  ['YF6j8V/CAqi+1nRsGLRbuZhi', '2008-04-28T10:02:11Z', 'abcd!1234', '6S3P2EWNP3lQf+9VC3emNoT57oQ='],
  ['2FW1CIo2ZUOJmSjVRcJZlQ==', '2019-02-12T12:34:12.110Z', 'vM3s1hKVMy6zBOn', 'wM9xjA92wCw+QcQI1urjZ6B8+LQ='],
])('the digest of %s, %s, %s is %s (Username Token Profile 3.1)', (nonce, created, secret, expected) => {
  expect(passwordDigest(Buffer.from(nonce, 'base64'), created, secret)).toBe(expected)
})

describe('Security blocks', () => {
  const text = password('ada-demo')
  test.each<[string, string, string]>([
    ['a text password', token(username() + text), '200 ada'],
    ['a text password without a type', token(`${username()}<w:Password>ada-demo</w:Password>`), '200 ada'],
    ['a text password that is verified', token(username('bob') + password('bob-demo')), '200 bob'],
    [
      'markup and letters beyond ASCII',
      token(username('Zoë &amp; &lt;co>') + password('pässwörd &lt;&amp;>')),
      '200 Zoë & <co>',
    ],
    ['a comment inside the name', token(username('a<!-- -->da') + text), '200 ada'],
    ['a comment that would cut the name', token(username('ada<!-- -->x') + text), 'FailedAuthentication'],
    ['a digest', good(), '200 ada'],
    ['a mandatory block', good().replace('<w:Security', '<w:Security env:mustUnderstand="1"'), '200 ada'],
    ['the parts in another order', token(createdAt() + createNonce() + digest(createDigest()) + username()), '200 ada'],
    [
      'a Timestamp beside it',
      good().replace(
        '<w:UsernameToken>',
        `<u:Timestamp>${createdAt()}<u:Expires>2026-11-21T07:31:00Z</u:Expires></u:Timestamp><w:UsernameToken>`,
      ),
      '200 ada',
    ],
    [
      'a nonce that does not name its encoding',
      token(`${username() + digest(createDigest())}<w:Nonce>${NONCE}</w:Nonce>${createdAt()}`),
      '200 ada',
    ],
    [
      'a time in another zone',
      token(
        username() +
          digest(createDigest('2026-11-21T08:30:00.500+01:00')) +
          createNonce() +
          createdAt('2026-11-21T08:30:00.500+01:00'),
      ),
      '200 ada',
    ],
    [
      'the header of the service',
      '<s:Authentication><s:Username>ada</s:Username><s:Password>ada-demo</s:Password></s:Authentication>',
      '200 ada',
    ],

    ['a wrong password', token(username() + password('x')), 'FailedAuthentication'],
    ['an unknown user', token(username('eve') + text), 'FailedAuthentication'],
    ['a user named __proto__', token(username('__proto__') + text), 'FailedAuthentication'],
    ['a user named constructor', token(username('constructor') + text), 'FailedAuthentication'],
    ['an empty password', token(`${username()}<w:Password/>`), 'FailedAuthentication'],
    ['a long password', token(username() + password('x'.repeat(5000))), 'FailedAuthentication'],
    ['a password of another case', token(username() + password('ADA-DEMO')), 'FailedAuthentication'],
    [
      'a wrong digest',
      token(username() + digest(createDigest(NOW, 'x')) + createNonce() + createdAt()),
      'FailedAuthentication',
    ],
    [
      'a digest of an unknown user',
      token(username('eve') + digest(createDigest()) + createNonce() + createdAt()),
      'FailedAuthentication',
    ],
    [
      'a digest of a user without clear password',
      token(username('bob') + digest(createDigest(NOW, 'bob-demo')) + createNonce() + createdAt()),
      'FailedAuthentication',
    ],
    [
      'the password as its digest',
      token(username() + digest('ada-demo') + createNonce() + createdAt()),
      'FailedAuthentication',
    ],
    [
      'a digest of another time',
      token(username() + digest(createDigest('2026-11-21T07:29:00Z')) + createNonce() + createdAt()),
      'FailedAuthentication',
    ],

    ['a digest without nonce', token(username() + digest(createDigest()) + createdAt()), 'InvalidSecurityToken'],
    ['a digest without time', token(username() + digest(createDigest()) + createNonce()), 'InvalidSecurityToken'],
    [
      'a nonce that is not Base64',
      token(username() + digest(createDigest()) + createNonce('%%%') + createdAt()),
      'InvalidSecurityToken',
    ],
    [
      'an empty nonce',
      token(username() + digest(createDigest()) + createNonce('') + createdAt()),
      'InvalidSecurityToken',
    ],
    [
      'a nonce of another encoding',
      token(`${username() + digest(createDigest())}<w:Nonce EncodingType="hex">${NONCE}</w:Nonce>${createdAt()}`),
      'InvalidSecurityToken',
    ],
    ['no password', token(username()), 'InvalidSecurityToken'],
    ['no name', token(text), 'InvalidSecurityToken'],
    ['elements in the name', token(`<w:Username><w:b>ada</w:b></w:Username>${text}`), 'InvalidSecurityToken'],
    ['a password of another kind', token(username() + password('x', 'urn:other')), 'UnsupportedSecurityToken'],

    ['no token', security(''), 'InvalidSecurity'],
    ['two tokens', security(`<w:UsernameToken>${username()}${text}</w:UsernameToken>`.repeat(2)), 'InvalidSecurity'],
    ['two names', token(username() + username('eve') + text), 'InvalidSecurity'],
    ['two passwords', token(username() + text + text), 'InvalidSecurity'],
    ['two blocks', good() + good(), 'InvalidSecurity'],
    [
      'both kinds of header',
      `${good()}<s:Authentication><s:Username>ada</s:Username><s:Password>ada-demo</s:Password></s:Authentication>`,
      'InvalidSecurity',
    ],
    [
      'a signature',
      good().replace('</w:Security>', '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/></w:Security>'),
      'UnsupportedSecurityToken',
    ],
    ['a certificate', security('<w:BinarySecurityToken/>'), 'UnsupportedSecurityToken'],
    [
      'an assertion',
      security('<a:Assertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
      'UnsupportedSecurityToken',
    ],
    ['a salt', token(`${username()}${text}<w11:Salt xmlns:w11="urn:w11"/>`), 'UnsupportedSecurityToken'],
    ['names of another namespace', token(`<Username>ada</Username>${text}`), 'UnsupportedSecurityToken'],
    ['a block of another namespace', good().replace(WSSE, 'urn:other'), 'InvalidSecurity'],
    ['a block for another role', good().replace('<w:Security', '<w:Security env:role="urn:other"'), 'InvalidSecurity'],
    ['a block inside another', `<h xmlns="urn:h">${good()}</h>`, 'InvalidSecurity'],
    ['nothing', '', 'InvalidSecurity'],
    ['an empty header of the service', '<s:Authentication/>', 'InvalidSecurityToken'],
    [
      'a header of the service with two names',
      '<s:Authentication><s:Username>ada</s:Username><s:Username>eve</s:Username><s:Password>ada-demo</s:Password></s:Authentication>',
      'InvalidSecurityToken',
    ],
    [
      'a header of the service with a wrong password',
      '<s:Authentication><s:Username>ada</s:Username><s:Password>x</s:Password></s:Authentication>',
      'FailedAuthentication',
    ],
    [
      'a header of the service in no namespace',
      '<s:Authentication><Username xmlns="">ada</Username><Password xmlns="">ada-demo</Password></s:Authentication>',
      'InvalidSecurityToken',
    ],
  ])('%s', async (_, header, expected) => {
    expect(await findOutcome(header)).toBe(expected)
  })

  test('credentials in the Body are none', async () => {
    const body = Buffer.from(envelope(`<s:NoteRequest><s:text>x</s:text>${good()}</s:NoteRequest>`))
    const answer = await serviceWith().handle({
      method: 'POST',
      contentType: 'application/soap+xml',
      body,
      isSecure: true,
    })
    expect(answer.body).toContain('InvalidSecurity')
  })
})

test('an unknown user and a wrong password get the same answer', async () => {
  const answers = await Promise.all(
    [token(username('eve') + password('x')), token(username() + password('x'))].map(async (header) => {
      const body = Buffer.from(envelope(getCustomer(), header))
      return await serviceWith().handle({ method: 'POST', contentType: 'application/soap+xml', body, isSecure: true })
    }),
  )
  expect(answers[0]).toEqual(answers[1])
})

test('an unknown user is checked against the dummy credentials', async () => {
  const checked: string[] = []
  const dummyCredentials = {
    verify: (secret: string) => {
      checked.push(secret)
      return true
    },
  }
  expect(await findOutcome(token(username('eve') + password('guess')), serviceWith({ dummyCredentials }))).toBe(
    'FailedAuthentication',
  )
  expect(checked).toEqual(['guess'])
})

test('verify gets the request, with what the app knows of it', async () => {
  const contexts: unknown[] = []
  const dummyCredentials = {
    verify: (_secret: string, { context }: SoapRequest) => {
      contexts.push(context)
      return false
    },
  }
  const body = Buffer.from(envelope(getCustomer(), token(username('eve') + password('guess'))))
  const request = { method: 'POST', contentType: 'application/soap+xml', body, isSecure: true, context: '10.0.0.1' }
  expect((await serviceWith({ dummyCredentials }).handle(request)).body).toContain('FailedAuthentication')
  expect(contexts).toEqual(['10.0.0.1'])
})

test('onDigest gets each digest with the request, and rejects one too many', async () => {
  const calls: string[] = []
  const onDigest = (isRight: boolean, { method }: SoapRequest) => {
    calls.push(`${method} ${isRight}`)
    if (calls.length > 4) throw new SoapFault({ code: 'Sender', subcodes: ['RateLimited'], reason: 'Too many.' })
  }
  const service = serviceWith({
    findUser: (name) => (name === 'ada' ? { password: 'ada-demo', subject: 7, onDigest } : undefined),
    dummyCredentials: { password: '', onDigest },
  })
  const tokenOf = (name: string, secret: string, nonce?: string): string =>
    token(username(name) + digest(createDigest(NOW, secret, nonce)) + createNonce(nonce) + createdAt())
  expect(await findOutcome(tokenOf('ada', 'guess'), service)).toBe('FailedAuthentication')
  expect(await findOutcome(tokenOf('eve', ''), service)).toBe('FailedAuthentication')
  expect(await findOutcome(good(), service)).toBe('200 ada')
  expect(await findOutcome(good(), service)).toBe('FailedAuthentication')
  const another = Buffer.from('another').toString('base64')
  // The second message with the right digest is a replay, which says no more than a guess.
  for (const secret of ['guess', 'ada-demo', 'ada-demo'])
    expect(await findOutcome(tokenOf('ada', secret, another), service)).toBe('RateLimited')
  expect(calls).toEqual(['false', 'false', 'true', 'true', 'false', 'true', 'true'].map((right) => `POST ${right}`))
})

test('credentials count over HTTPS and from this machine alone', async () => {
  expect(await findOutcome(good(), serviceWith(), false)).toBe('InvalidSecurity')
  expect(await findOutcome(good(), serviceWith({ requireTls: false }), false)).toBe('200 ada')
  const plain = '<s:Authentication><s:Username>ada</s:Username><s:Password>ada-demo</s:Password></s:Authentication>'
  expect(await findOutcome(plain, serviceWith(), false)).toBe('InvalidSecurity')
})

test('with basicSecurityProfile a nonce must name its encoding (Basic Security Profile R4220)', async () => {
  const bare = token(`${username()}${digest(createDigest())}<w:Nonce>${NONCE}</w:Nonce>${createdAt()}`)
  expect(await findOutcome(bare, serviceWith({ basicSecurityProfile: true }))).toBe('InvalidSecurityToken')
  expect(await findOutcome(good(), serviceWith({ basicSecurityProfile: true }))).toBe('200 ada')
})

test.each(['text', 'digest'] as const)('what the client writes as %s is accepted', async (type) => {
  const header = writeSecurity(
    writeUsernameToken({ username: 'Zoë & <co>', password: 'pässwörd <&>', type }, time.now()),
  )
  expect(await findOutcome(header)).toBe('200 Zoë & <co>')
})

test.each<[string, () => unknown, string]>([
  [
    'no look-up',
    () => usernameToken({} as never),
    'soap-envelope: usernameToken: findUser must be a function, got undefined',
  ],
  ['a typo', () => usernameToken({ findUser, ttl: 3 } as never), 'unknown option "ttl"'],
  [
    'a bad time',
    () => usernameToken({ findUser, maxAgeSeconds: -1 }),
    'maxAgeSeconds must be an integer of 0 or more, got -1',
  ],
  [
    'a bad skew',
    () => usernameToken({ findUser, clockToleranceSeconds: '5' as never }),
    'clockToleranceSeconds must be an integer of 0 or more, got "5"',
  ],
  ['no namespace', () => authenticationHeader({ findUser, namespace: '' }), 'namespace must be a URI, got ""'],
  [
    'no look-up for the header',
    () => authenticationHeader({ namespace: 'urn:x' } as never),
    'findUser must be a function',
  ],
])('%s shows at start', (_, build, message) => {
  expect(build).toThrow(TypeError)
  expect(build).toThrow(message)
})
