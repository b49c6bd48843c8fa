import * as crypto from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DEMO_PASSWORD_HASHES, DEMO_USERS, demoPassword } from '../domain/seed/demo-users.ts'
import { createDecoyHash, HASH_ALGORITHM, hashPassword, verifyPassword } from './password.ts'

vi.mock('node:crypto', { spy: true })
afterEach(() => void vi.clearAllMocks())

const cost = (hash: string): string[] => hash.split('$').slice(0, -2)
const salt = (hash: string): string | undefined => hash.split('$').at(-2)

test('verifies the password that was hashed, and no other', async () => {
  const hash = await hashPassword('correct horse battery')
  expect(await verifyPassword('correct horse battery', hash)).toBe(true)
  expect(await verifyPassword('correct horse batterz', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('hashes one password twice with different salts', async () => {
  const [first, second] = await Promise.all([hashPassword('same'), hashPassword('same')])
  expect(first).not.toBe(second)
})

test.each(['', '$', '$argon2id$v=19$m=,t=2,p=1$AA$AA', '$scrypt$r=8$AA$AA', '$md5$AA$AA'])(
  'returns false for %j, which is not a hash',
  async (hash) => expect(await verifyPassword('', hash)).toBe(false),
)

describe('demo users', () => {
  const hashes = DEMO_USERS.flatMap(({ username }) =>
    Object.entries(DEMO_PASSWORD_HASHES[username] ?? {}).map(([algorithm, hash]) => ({ username, algorithm, hash })),
  )

  test('have a hash of each algorithm, each with a salt of its own', () => {
    expect(hashes.map(({ username, algorithm }) => `${username} ${algorithm}`)).toEqual(
      DEMO_USERS.flatMap(({ username }) => [`${username} argon2id`, `${username} scrypt`]),
    )
    expect(new Set(hashes.map(({ hash }) => salt(hash))).size).toBe(hashes.length)
  })

  test.each(hashes.filter(({ algorithm }) => algorithm === 'scrypt' || HASH_ALGORITHM === 'argon2id'))(
    'have hashes of their passwords: $username, $algorithm',
    async ({ username, hash }) => {
      expect(await verifyPassword(demoPassword(username), hash)).toBe(true)
      expect(await verifyPassword(`${demoPassword(username)}!`, hash)).toBe(false)
    },
  )

  test('have hashes that cost as much as new ones', async () => {
    const created = await hashPassword('any')
    for (const { algorithm, hash } of hashes)
      if (algorithm === HASH_ALGORITHM) expect(cost(hash)).toEqual(cost(created))
  })
})

test('returns decoys that cost as much as a hash, with the same lengths', async () => {
  const decoy = createDecoyHash()
  const hash = await hashPassword('any')
  expect(cost(decoy)).toEqual(cost(hash))
  expect(decoy).toHaveLength(hash.length)
  expect(createDecoyHash()).not.toBe(decoy)
  expect(await verifyPassword('any', decoy)).toBe(false)
})

test.runIf(HASH_ALGORITHM === 'argon2id')('derives two hashes at a time, and serves the rest in order', async () => {
  const derive = crypto as unknown as { argon2: (...input: unknown[]) => void }
  const pending: (() => void)[] = []
  const spy = vi.spyOn(derive, 'argon2').mockImplementation((...input) => {
    const done = input[2] as (error: Error | null, tag: Buffer) => void
    pending.push(() => done(null, Buffer.alloc(32)))
  })
  const order: number[] = []
  const all = [1, 2, 3, 4].map((turn) => hashPassword(String(turn)).then(() => order.push(turn)))
  await Promise.resolve()
  expect(spy).toHaveBeenCalledTimes(2)
  for (let turn = 0; turn < 4; turn++) {
    await vi.waitUntil(() => pending.length > 0)
    expect(pending.length).toBeLessThanOrEqual(2)
    pending.shift()?.()
    await Promise.resolve()
  }
  await Promise.all(all)
  expect(order).toEqual([1, 2, 3, 4])
})

test('rejects with the cause if this Node.js cannot verify a hash of Argon2', async () => {
  vi.resetModules()
  vi.doMock('node:crypto', async (importOriginal) => ({
    ...(await importOriginal<typeof crypto>()),
    argon2: undefined,
  }))
  const older: typeof import('./password.ts') = await import('./password.ts')
  const [user] = DEMO_USERS
  const { argon2id = '', scrypt = '' } = DEMO_PASSWORD_HASHES[user?.username ?? ''] ?? {}
  const password = demoPassword(user?.username ?? '')
  expect(older.HASH_ALGORITHM).toBe('scrypt')
  expect(await older.verifyPassword(password, scrypt)).toBe(true)
  await expect(older.verifyPassword(password, argon2id)).rejects.toThrow('needs Node.js 24.7 or later')
})
