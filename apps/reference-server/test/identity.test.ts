import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Environment } from '../src/config.ts'
import { basic, type Call, emptyDatabase, type Service, startService } from './service.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const GRANT = 'grant_type=client_credentials'
const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'

const directory = mkdtempSync(join(tmpdir(), 'svc-identity-'))
const database = await emptyDatabase()
afterAll(() => rmSync(directory, { recursive: true, force: true }))

type Headers = Record<string, string>

function identity(env: Environment): void {
  const services: Service[] = []
  beforeAll(async () => {
    for (let count = 0; count < 2; count++) services.push(await startService(env))
  })
  afterAll(() => Promise.all(services.map((service) => service.running.stop())))

  const first = (call: Call, status: number) => (services[0] as Service).check(call, { status })
  /** The same of every process. */
  const everywhere = async (call: Call, status: number, headers?: Headers): Promise<void> => {
    for (const service of services) await service.check(call, { status, ...(headers && { headers }) })
  }
  let users = 0
  /**
   * A user of a new name; gives the path, the credentials and a token that every process has seen.
   */
  const createUser = async (username: string, roles = ['customer'], customerId?: number) => {
    const password = `${username} has password ${users++}`
    const json = { username, email: `${username}${users}@example.com`, password, roles, customerId }
    const { headers } = await first({ as: 'ada', method: 'POST', path: '/users', json }, 201)
    const credentials = { authorization: basic(username, password) }
    const call = { method: 'POST', path: '/tokens', headers: { ...FORM, ...credentials }, body: GRANT }
    const token: string = JSON.parse((await first(call, 200)).text).access_token
    const path = headers['location'] ?? ''
    const bearer = { authorization: `Bearer ${token}` }
    await everywhere({ path: '/users/me', headers: bearer }, 302, { location: path })
    return { path, password, credentials, token, bearer }
  }
  const patch = (path: string, json: object) => first({ as: 'ada', method: 'PATCH', path, json }, 200)

  test('a name that another user takes gives nobody the rights of another', async () => {
    const zak = await createUser('zak')
    const note = { items: [{ productId: 1, quantity: 3 }] }
    await first({ method: 'PUT', path: '/cart', json: note, headers: zak.bearer }, 200)
    await first({ method: 'PATCH', path: zak.path, json: { username: 'zak-before' }, headers: zak.bearer }, 200)
    const other = await createUser('zak', ['customer'], 3)
    expect(other.path).not.toBe(zak.path)
    for (const headers of [zak.bearer]) {
      await everywhere({ path: '/users/me', headers }, 302, { location: zak.path })
      await everywhere({ path: zak.path, headers }, 200)
      await everywhere({ path: other.path, headers }, 403)
      await everywhere({ path: '/customers/3/orders', headers }, 403)
    }
    await everywhere({ path: zak.path, headers: other.bearer }, 403)
    await everywhere({ path: '/users/me', headers: other.bearer }, 302, { location: other.path })
    const cart = async (headers: Headers) => JSON.parse((await first({ path: '/cart', headers }, 200)).text).items
    expect(await cart(zak.bearer)).toHaveLength(1)
    expect(await cart(other.bearer)).toHaveLength(0)
    // Passwords are checked by name, and no user has the previous name.
    await everywhere({ path: '/users/me', headers: zak.credentials }, 401)
    await everywhere({ path: '/users/me', headers: { authorization: basic('zak-before', zak.password) } }, 302, {
      location: zak.path,
    })
    expect(decodeJwt(zak.token).sub).not.toBe(decodeJwt(other.token).sub)
  })

  test('the subject of a user stays, whatever the user is called, and is no name', async () => {
    const yan = await createUser('yan')
    const { sub } = decodeJwt(yan.token)
    await patch(yan.path, { username: 'yan-later' })
    const headers = { ...FORM, authorization: basic('yan-later', yan.password) }
    const { text } = await first({ method: 'POST', path: '/tokens', headers, body: GRANT }, 200)
    expect(decodeJwt(JSON.parse(text).access_token).sub).toBe(sub)
    expect(sub).toMatch(/^user:[0-9a-f]{32}$/)
    expect(JSON.parse((await first({ as: 'ada', path: yan.path }, 200)).text).subject).toBe(sub)
    const changed = await first({ as: 'ada', method: 'PATCH', path: yan.path, json: { displayName: 'Y' } }, 200)
    expect(JSON.parse(changed.text).subject).toBe(sub)
    await first({ as: 'ada', method: 'PATCH', path: yan.path, json: { subject: 'user:1' } }, 422)
  })

  test('a user who is deleted has no rights left, nor has the next one of that name', async () => {
    const ben = await createUser('ben', ['admin'])
    await everywhere({ path: '/users', headers: ben.bearer }, 200)
    await everywhere({ path: '/users/me', headers: ben.credentials }, 302)
    await first({ as: 'ada', method: 'DELETE', path: ben.path }, 204)
    await everywhere({ path: '/users', headers: ben.bearer }, 401)
    await everywhere({ path: '/employees/1', headers: ben.bearer }, 401)
    await everywhere({ path: '/users/me', headers: ben.credentials }, 401)
    await createUser('ben')
    await everywhere({ path: '/users', headers: ben.bearer }, 401)
    await everywhere({ path: '/users/me', headers: ben.credentials }, 401)
  })

  test('a role that is taken away ends for tokens and passwords in every process', async () => {
    const eli = await createUser('eli', ['admin', 'reader'])
    for (const headers of [eli.bearer, eli.credentials]) await everywhere({ path: '/accounts/1', headers }, 200)
    await patch(eli.path, { roles: ['reader'] })
    const json = { name: 'New', description: 'x' }
    for (const headers of [eli.bearer, eli.credentials]) {
      await everywhere({ path: '/accounts/1', headers }, 200)
      await everywhere({ method: 'POST', path: '/departments', json, headers }, 403)
    }
    await patch(eli.path, { roles: [] })
    for (const headers of [eli.bearer, eli.credentials]) await everywhere({ path: '/accounts/1', headers }, 403)
  })

  test('who is another customer now sees the orders of that one, with the token of before', async () => {
    const fay = await createUser('fay', ['customer'], 4)
    await everywhere({ path: '/customers/4', headers: fay.bearer }, 200)
    await patch(fay.path, { customerId: 5 })
    await everywhere({ path: '/customers/4', headers: fay.bearer }, 403)
    await everywhere({ path: '/customers/5', headers: fay.bearer }, 200)
  })

  test('keys, operations and secrets for SOAP stay with the user', async () => {
    const gus = await createUser('gus', ['staff'])
    const create = (headers: Headers) => ({
      method: 'POST',
      path: '/departments',
      json: { name: 'Identity' },
      headers: { ...headers, 'idempotency-key': '"identity-1"' },
    })
    const made = await first(create(gus.bearer), 201)
    const exported = { path: '/employees?size=all', headers: { accept: 'text/csv', prefer: 'respond-async' } }
    const { headers } = await first({ ...exported, headers: { ...exported.headers, ...gus.bearer } }, 202)
    const operation = headers['location'] ?? ''
    const secret = { secret: 'a secret for soap' }
    await first({ as: 'ada', method: 'PUT', path: `${gus.path}/soap-secret`, json: secret }, 204)
    await patch(gus.path, { username: 'gus-later' })
    const other = await createUser('gus', ['staff'])

    await everywhere(create(gus.bearer), 201, {
      'idempotent-replayed': 'true',
      location: made.headers['location'] ?? '',
    })
    await first(create(other.bearer), 409)
    await everywhere({ path: operation, headers: gus.bearer }, 200)
    await everywhere({ path: operation, headers: other.bearer }, 403)
    const message = (name: string): string =>
      `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Header><w:Security xmlns:w="${WSSE}">` +
      `<w:UsernameToken><w:Username>${name}</w:Username><w:Password>${secret.secret}</w:Password></w:UsernameToken>` +
      '</w:Security></e:Header><e:Body><GetCustomerRequest xmlns="http://svc.example/ws/customer/v1">' +
      '<customerId>1</customerId></GetCustomerRequest></e:Body></e:Envelope>'
    const soap = { method: 'POST', path: '/ws/customer', headers: { 'content-type': 'application/soap+xml' } }
    await everywhere({ ...soap, body: message('gus-later') }, 200)
    await everywhere({ ...soap, body: message('gus') }, 400)
  })

  test('wrong passwords for a name do not count for the next user of that name', async () => {
    const hal = await createUser('hal')
    const wrong = { path: '/users/me', headers: { authorization: basic('hal', 'wrong') } }
    for (let count = 0; count < 9; count++) await first(wrong, 401)
    await patch(hal.path, { username: 'hal-later' })
    const json = { username: 'hal', email: 'hal@example.com', password: 'another password' }
    await first({ as: 'ada', method: 'POST', path: '/users', json }, 201)
    for (let count = 0; count < 9; count++) await first(wrong, 401)
  })
}

describe('identity on SQLite', () => identity({ SVC_DATA_DIR: directory }))
describe.skipIf(!database)('identity on PostgreSQL (needs PostgreSQL)', () => identity({ DATABASE_URL: database }))
