import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection, Database, StoredRow } from '../database/connection.ts'
import { openDatabase } from '../database/open.ts'
import { migrations } from '../domain/migrations.ts'
import { type TokenChecker, tokenChecker } from './bearer.ts'
import { type SigningKey, signingKey } from './issuer.ts'

const NOW = Date.UTC(2026, 10, 21, 7, 30)
const MINUTE = 60_000
const issuer = 'http://localhost'
const audience = 'tests'

let database: Database
let key: SigningKey
let published: unknown[]
const keys = createServer((_req, res) => void res.end(JSON.stringify({ keys: published })))

beforeAll(async () => {
  database = await openDatabase({ databaseUrl: undefined, dataDir: undefined }, migrations)
  key = await signingKey(database, undefined)
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => keys.close(resolve))
  await database.close()
})
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }))
afterEach(() => void vi.useRealTimers())

/** A token that was issued and expires so many milliseconds from the start. */
function token({ issued = 0, expires = 15 * MINUTE, subject = 'nobody' } = {}): Promise<string> {
  return new SignJWT({ client_id: subject, scope: 'employees:read' })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setJti('one')
    .setIssuedAt((NOW + issued) / 1000)
    .setExpirationTime((NOW + expires) / 1000)
    .sign(key.privateKey)
}

const checker = (jwks?: string): TokenChecker =>
  tokenChecker(database, { isIssuer: (iss) => iss === issuer, audience, jwks, key })

const users = async (): Promise<number | undefined> => (await database.changes())?.users

const rejected = { status: 401, code: 'INVALID_TOKEN' }

describe('a token', () => {
  test('is known once it was checked, by the checker that did it', async () => {
    const tokens = checker()
    const text = await token()
    expect(tokens.known(text, await users())).toBeUndefined()
    const caller = await tokens.check(text, await users())
    expect(caller).toMatchObject({ subject: 'nobody', userId: undefined, scheme: 'Bearer' })
    expect(tokens.known(text, await users())).toBe(caller)
    expect(tokens.known(await token({ subject: 'somebody' }), await users())).toBeUndefined()
    expect(checker().known(text, await users())).toBeUndefined()
  })

  test.each([
    ['expires', { expires: MINUTE }],
    ['is an hour old, whenever it expires', { issued: -59 * MINUTE, expires: 24 * 60 * MINUTE }],
  ])('is no longer known when it %s', async (_when, times) => {
    const tokens = checker()
    const text = await token(times)
    expect(await tokens.check(text, await users())).toBeDefined()
    vi.setSystemTime(NOW + MINUTE + 4000)
    expect(tokens.known(text, await users())).toBeDefined()
    vi.setSystemTime(NOW + MINUTE + 6000)
    expect(tokens.known(text, await users())).toBeUndefined()
    await expect(tokens.check(text, await users())).rejects.toMatchObject(rejected)
  })

  test('of an issuer elsewhere ends with its key, ten minutes after that was withdrawn', async () => {
    published = [key.publicJwk]
    const tokens = checker(`http://127.0.0.1:${(keys.address() as AddressInfo).port}/`)
    const text = await token()
    expect(await tokens.check(text, await users())).toBeDefined()
    published = []
    vi.setSystemTime(NOW + 10 * MINUTE - 1)
    expect(tokens.known(text, await users())).toBeDefined()
    vi.setSystemTime(NOW + 10 * MINUTE)
    expect(tokens.known(text, await users())).toBeUndefined()
    await expect(tokens.check(text, await users())).rejects.toMatchObject(rejected)
  })

  test('never keeps the older of two answers about its user as the current one', async () => {
    const subject = `user:${'0'.repeat(32)}`
    const answers: ((roles: string[]) => void)[] = []
    const find = (): Promise<StoredRow> =>
      new Promise((resolve) => {
        answers.push((roles) => resolve([subject, 1, 'ada', JSON.stringify(roles), '', null, null]))
      })
    const db: Connection = Object.assign(Object.create(database), { find })
    const tokens = tokenChecker(db, { isIssuer: (iss) => iss === issuer, audience, jwks: undefined, key })
    const text = await token({ subject })
    const first = tokens.check(text, 1)
    await vi.waitUntil(() => answers.length === 1)
    answers[0]?.(['admin'])
    expect(await first).toMatchObject({ roles: ['admin'] })
    const checks = [tokens.check(text, undefined), tokens.check(text, 2)]
    answers[2]?.([])
    expect(await checks[1]).toMatchObject({ roles: [] })
    answers[1]?.(['admin'])
    await checks[0]
    expect(tokens.known(text, 2)).toBeUndefined()
  })

  test.each(['', 'abc.def.ghi', 'a'.repeat(100_000), '__proto__', 'ä'])('is not known for %.20j', async (text) => {
    const tokens = checker()
    expect(tokens.check(text, await users())).toMatchObject(rejected)
    expect(tokens.known(text, await users())).toBeUndefined()
  })
})
