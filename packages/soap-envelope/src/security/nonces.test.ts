import type { NonceStore } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import {
  createDigest,
  createdAt,
  createNonce,
  digest,
  findOutcome,
  good,
  NOW,
  serviceWith,
  time,
  token,
  username,
  users,
} from '../testing/tokens.ts'
import { memoryNonceStore } from './nonce-store.ts'

describe('nonces', () => {
  test('count once', async () => {
    const service = serviceWith()
    expect(await findOutcome(good(), service)).toBe('200 ada')
    expect(await findOutcome(good(), service)).toBe('FailedAuthentication')
    const other = token(username() + digest(createDigest(NOW, 'ada-demo', 'AAAA')) + createNonce('AAAA') + createdAt())
    expect(await findOutcome(other, service)).toBe('200 ada')
  })

  test('count once with any time (UsernameToken profile 1.1, 4)', async () => {
    const service = serviceWith()
    expect(await findOutcome(good(), service)).toBe('200 ada')
    const later = '2026-11-21T07:30:01Z'
    const again = token(username() + digest(createDigest(later, 'ada-demo')) + createNonce() + createdAt(later))
    expect(await findOutcome(again, service)).toBe('FailedAuthentication')
  })

  // A nonce of one byte has four bits that Base64 does not use: `QQ==` and `QR==` are the same
  // nonce.
  test('count once however they are spelt, and whatever spelling of the name the look-up takes', async () => {
    const service = serviceWith({ findUser: (name) => users.get(name.toLowerCase()) })
    const spelt = (nonce: string, name = 'ada'): string =>
      token(username(name) + digest(createDigest(NOW, 'ada-demo', 'QQ==')) + createNonce(nonce) + createdAt())
    expect(await findOutcome(spelt('QQ=='), service)).toBe('200 ada')
    expect(await findOutcome(spelt('QR=='), service)).toBe('FailedAuthentication')
    expect(await findOutcome(spelt('QQ==', 'ADA'), service)).toBe('FailedAuthentication')
  })

  test('of one user do not use up those of another', async () => {
    const service = serviceWith({ findUser: (name) => ({ password: `${name}-demo`, subject: 1 }) })
    const from = (name: string): string =>
      token(username(name) + digest(createDigest(NOW, `${name}-demo`)) + createNonce() + createdAt())
    expect(await findOutcome(from('ada'), service)).toBe('200 ada')
    expect(await findOutcome(from('eve'), service)).toBe('200 eve')
  })

  test('of eight messages at once exactly one is accepted', async () => {
    const service = serviceWith({ findUser: (name) => Promise.resolve(users.get(name)) })
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => findOutcome(good(), service)))
    expect(outcomes.filter((outcome) => outcome === '200 ada')).toHaveLength(1)
  })

  test('a wrong guess does not use up the nonce of somebody else', async () => {
    const service = serviceWith()
    await findOutcome(token(username() + digest(createDigest(NOW, 'guess')) + createNonce() + createdAt()), service)
    expect(await findOutcome(good(), service)).toBe('200 ada')
  })

  test('a store that is full refuses, and one that fails does too', async () => {
    const full: NonceStore = { add: () => 'full' }
    expect(await findOutcome(good(), serviceWith({ nonceStore: full }))).toBe('FailedAuthentication')
    const broken: NonceStore = { add: () => Promise.reject(new Error('down')) }
    expect(await findOutcome(good(), serviceWith({ nonceStore: broken }))).toBe('InternalError')
  })

  test('the store is given keys that hold neither name nor nonce, and how long to keep them', async () => {
    const calls: unknown[] = []
    const store: NonceStore = {
      add: (...args) => {
        calls.push(...args)
        return 'added'
      },
    }
    await findOutcome(good(), serviceWith({ nonceStore: store, maxAgeSeconds: 100, clockToleranceSeconds: 10 }))
    const call = [expect.stringMatching(/^[\w+/]{43}=$/), time.now() + 110_000, time.now()]
    expect(calls).toEqual([...call, ...call])
  })

  test('the store in memory forgets what has ended, and is bounded', () => {
    const store = memoryNonceStore({ maxKeys: 2 })
    expect(store.add('a', 60_000, 0)).toBe('added')
    expect(store.add('a', 60_000, 0)).toBe('seen')
    expect(store.add('b', 300_000, 0)).toBe('added')
    expect(store.add('c', 300_000, 0)).toBe('full')
    expect(store.add('c', 300_000, 119_999)).toBe('full')
    expect(store.add('c', 300_000, 120_000)).toBe('added')
    expect(store.add('b', 300_000, 120_000)).toBe('seen')
  })
})
