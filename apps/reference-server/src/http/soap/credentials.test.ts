import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { soapSecrets } from './credentials.ts'

const key = randomBytes(32)
const secrets = soapSecrets(key)

test('a secret is read back as it was, and looks different every time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (username, secret) => {
      fc.pre(username.isWellFormed() && secret.isWellFormed())
      const sealed = secrets.seal(username, secret)
      expect(secrets.open(username, sealed)).toBe(secret)
      expect(secrets.seal(username, secret)).not.toBe(sealed)
      expect(soapSecrets(key).open(username, sealed)).toBe(secret)
    }),
  )
})

test('another user, another key and another text give nothing', () => {
  const sealed = secrets.seal('ada', 'correct horse')
  expect(secrets.open('adam', sealed)).toBeUndefined()
  expect(soapSecrets(randomBytes(32)).open('ada', sealed)).toBeUndefined()
  const bytes = Buffer.from(sealed, 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(secrets.open('ada', changed.toString('base64'))).toBeUndefined()
  }
  for (const text of ['', 'x', '__proto__', 'A'.repeat(37)]) expect(secrets.open('ada', text)).toBeUndefined()
})
