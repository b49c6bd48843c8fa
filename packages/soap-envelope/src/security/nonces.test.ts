import type { NonceStore } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import {
  createdAt,
  digest,
  digestOf,
  good,
  NOW,
  nonceOf,
  outcomeOf,
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
    expect(await outcomeOf(good(), service)).toBe('200 ada')
    expect(await outcomeOf(good(), service)).toBe('FailedAuthentication')
    const other = token(username() + digest(digestOf(NOW, 'ada-demo', 'AAAA')) + nonceOf('AAAA') + createdAt())
    expect(await outcomeOf(other, service)).toBe('200 ada')
  })

  test('count once with any time (UsernameToken profile 1.1, 4)', async () => {
    const service = serviceWith()
    expect(await outcomeOf(good(), service)).toBe('200 ada')
    const later = '2026-11-21T07:30:01Z'
    const again = token(username() + digest(digestOf(later, 'ada-demo')) + nonceOf() + createdAt(later))
    expect(await outcomeOf(again, service)).toBe('FailedAuthentication')
  })

  // A nonce of one byte has four bits that Base64 does not use: `QQ==` and `QR==` are the same nonce.
  test('count once however they are spelt, and whatever spelling of the name the look-up takes', async () => {
    const service = serviceWith({ findUser: (name) => users.get(name.toLowerCase()) })
    const spelt = (nonce: string, name = 'ada'): string =>
      token(username(name) + digest(digestOf(NOW, 'ada-demo', 'QQ==')) + nonceOf(nonce) + createdAt())
    expect(await outcomeOf(spelt('QQ=='), service)).toBe('200 ada')
    expect(await outcomeOf(spelt('QR=='), service)).toBe('FailedAuthentication')
    expect(await outcomeOf(spelt('QQ==', 'ADA'), service)).toBe('FailedAuthentication')
  })

  test('of one user do not use up those of another', async () => {
    const service = serviceWith({ findUser: (name) => ({ password: `${name}-demo`, subject: 1 }) })
    const from = (name: string): string =>
      token(username(name) + digest(digestOf(NOW, `${name}-demo`)) + nonceOf() + createdAt())
    expect(await outcomeOf(from('ada'), service)).toBe('200 ada')
    expect(await outcomeOf(from('eve'), service)).toBe('200 eve')
  })

  test('of eight messages at once exactly one is accepted', async () => {
    const service = serviceWith({ findUser: (name) => Promise.resolve(users.get(name)) })
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(good(), service)))
    expect(outcomes.filter((outcome) => outcome === '200 ada')).toHaveLength(1)
  })

  test('a wrong guess does not use up the nonce of somebody else', async () => {
    const service = serviceWith()
    await outcomeOf(token(username() + digest(digestOf(NOW, 'guess')) + nonceOf() + createdAt()), service)
    expect(await outcomeOf(good(), service)).toBe('200 ada')
  })

  test('a store that is full refuses, and one that fails does too', async () => {
    const full: NonceStore = { add: () => 'full' }
    expect(await outcomeOf(good(), serviceWith({ nonceStore: full }))).toBe('FailedAuthentication')
    const broken: NonceStore = { add: () => Promise.reject(new Error('down')) }
    expect(await outcomeOf(good(), serviceWith({ nonceStore: broken }))).toBe('InternalError')
  })

  test('the store is given keys that hold neither name nor nonce, and how long to keep them', async () => {
    const calls: unknown[] = []
    const store: NonceStore = {
      add: (...args) => {
        calls.push(...args)
        return 'added'
      },
    }
    await outcomeOf(good(), serviceWith({ nonceStore: store, maxAgeSeconds: 100, clockToleranceSeconds: 10 }))
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
