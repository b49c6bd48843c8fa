import { describe, expect, test } from 'vitest'
import {
  createDigest,
  createdAt,
  createNonce,
  digest,
  findOutcome,
  good,
  NOW,
  password,
  token,
  username,
} from '../testing/tokens.ts'

describe('times (300 s back, 60 s ahead)', () => {
  test.each<[string, string]>([
    ['2026-11-21T07:25:00Z', '200 ada'],
    ['2026-11-21T07:24:59Z', 'MessageExpired'],
    ['2026-11-21T07:31:00Z', '200 ada'],
    ['2026-11-21T07:31:01Z', 'MessageExpired'],
    ['2026-11-21T07:30:00', 'InvalidSecurityToken'],
    ['21.11.2026', 'InvalidSecurityToken'],
    ['99999-01-01T00:00:00Z', 'MessageExpired'],
    ['999999999-01-01T00:00:00Z', 'MessageExpired'],
    ['-0001-01-01T00:00:00Z', 'MessageExpired'],
    [`2026-11-21T07:30:00.${'0'.repeat(5000)}Z`, 'InvalidSecurityToken'],
    ['', 'InvalidSecurityToken'],
  ])('%.40s in a digest and beside a text password', async (created, expected) => {
    const digested = token(username() + digest(createDigest(created)) + createNonce() + createdAt(created))
    expect(await findOutcome(digested)).toBe(expected)
    expect(await findOutcome(token(username() + password('ada-demo') + createdAt(created)))).toBe(expected)
  })

  test.each<[string, string]>([
    [`<u:Expires>${NOW}</u:Expires>`, 'MessageExpired'],
    ['<u:Expires>2026-11-21T07:30:01Z</u:Expires>', '200 ada'],
    ['<u:Created>2026-11-21T07:32:00Z</u:Created>', 'InvalidSecurity'],
    [`${createdAt()}${createdAt()}`, 'InvalidSecurity'],
    ['<u:Other/>', 'UnsupportedSecurityToken'],
    ['<u:Expires>x</u:Expires>', 'InvalidSecurityToken'],
  ])('a Timestamp with %.60s', async (inner, expected) => {
    const header = good().replace('<w:UsernameToken>', `<u:Timestamp>${inner}</u:Timestamp><w:UsernameToken>`)
    expect(await findOutcome(header)).toBe(expected)
  })
})
