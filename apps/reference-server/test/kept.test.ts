import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../../packages/internal/testing/check.ts'
import {
  basic,
  type Call,
  createShorthands,
  emptyDatabase,
  onEveryDatabase,
  type Service,
  serviceFor,
  startService,
} from './service.ts'

// A preference that changes nothing: a response to it is never one that was kept.
const NEVER_KEPT = { prefer: 'handling=strict' }

const facts = ({ status, headers, text }: Answer): object => {
  const { date: _, 'x-correlation-id': __, ...rest } = headers
  return status < 400 ? { status, headers: rest, text } : { status }
}

/**
 * Reads a path three times, so that the third response may be a kept one, and compares all with one
 * that is not.
 */
async function readCurrent(service: Service, call: Call): Promise<string> {
  const responses = [await service.check(call, {}), await service.check(call, {}), await service.check(call, {})]
  const fresh = await service.check({ ...call, headers: { ...call.headers, ...NEVER_KEPT } }, {})
  for (const response of responses) expect(facts(response)).toEqual(facts(fresh))
  return fresh.text
}

/** Reads a customer over SOAP, so often that a kept one would be used. */
async function readOverSoap(service: Service, id: number, as = 'ada'): Promise<string> {
  const body = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><GetCustomerRequest xmlns="http://svc.example/ws/customer/v2"><customerId>${id}</customerId></GetCustomerRequest></e:Body></e:Envelope>`
  const headers = { 'content-type': 'application/soap+xml; charset=utf-8' }
  const call = { as, method: 'POST', path: '/ws/customer', headers, body }
  const [first, second, third] = [
    await service.check(call, {}),
    await service.check(call, {}),
    await service.check(call, {}),
  ]
  expect([second.status, third.status]).toEqual([first.status, first.status])
  if (first.status === 200) expect([second.text, third.text]).toEqual([first.text, first.text])
  return third.text
}

let names = 0
const newName = (): string => `Name ${names++}`

const PATHS = ['/employees/2', '/employees', '/employees?page=1&size=5', '/employees?fields=name', '/v2/employees/2']
const ACCEPT = ['application/json', 'application/hal+json', 'application/prs.hal-forms+json', 'application/xml']

onEveryDatabase('a response that was kept', (service) => {
  const { create } = createShorthands(service)
  const readAll = async (): Promise<string[]> => {
    const texts: string[] = []
    for (const path of PATHS) texts.push(await readCurrent(service, { as: 'ada', path }))
    return texts
  }
  const patch = (path: string, json: object, headers = {}) => {
    const type = { 'content-type': 'application/merge-patch+json', ...headers }
    return service.check({ as: 'ada', method: 'PATCH', path, json, headers: type }, { status: 200 })
  }

  test('shows what HTTP has written, in every version and selection', async () => {
    await readAll()
    const name = newName()
    await patch('/employees/2', { name })
    for (const text of (await readAll()).filter((_, index) => index !== 2)) expect(text).toContain(name)
    const path = await create('/employees', { name: newName(), department: 'Engineering', salary: 1 })
    await readCurrent(service, { as: 'ada', path })
    await readAll()
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    await service.check({ as: 'ada', path }, { status: 404 })
    await readAll()
  })

  test('shows what SOAP has written', async () => {
    const page = { as: 'ada', path: '/customers?sort=-id&size=2' }
    await readCurrent(service, page)
    const content = '<id>990001</id><name>Soap Customer</name><email>soap.customer@example.com</email>'
    const body = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><CreateCustomerRequest xmlns="http://svc.example/ws/customer/v1"><customer>${content}</customer></CreateCustomerRequest></e:Body></e:Envelope>`
    const headers = { 'content-type': 'application/soap+xml; charset=utf-8' }
    await service.check({ as: 'ada', method: 'POST', path: '/ws/customer', headers, body }, { status: 200 })
    expect(await readCurrent(service, page)).toContain('Soap Customer')
    expect(await readCurrent(service, { as: 'ada', path: '/customers/990001' })).toContain('Soap Customer')
  })

  test('over SOAP shows what HTTP has written, and nothing to a caller who may not call', async () => {
    await readOverSoap(service, 1)
    const name = newName()
    await patch('/customers/1', { name })
    expect(await readOverSoap(service, 1)).toContain(name)
    expect(await readOverSoap(service, 1, 'eve')).not.toContain(name)
    await patch('/customers/1', { name: 'Rolled Back' }, { prefer: 'tx=rollback' })
    expect(await readOverSoap(service, 1)).toContain(name)
    const path = await create('/customers', { name: newName(), email: 'short.lived@example.com' })
    const id = Number(path.split('/').at(-1))
    expect(await readOverSoap(service, id)).toContain('short.lived')
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    expect(await readOverSoap(service, id)).toContain('There is no customer with this id.')
  })

  test('shows what a job has written', async () => {
    const page = { as: 'ada', path: '/transfers?sort=-id&size=1' }
    const before = await readCurrent(service, page)
    const json = { fromAccountId: 1, toAccountId: 2, amount: { amount: '1.23', currency: 'EUR' } }
    const headers = { prefer: 'respond-async', 'idempotency-key': `"kept-${process.pid}-${names++}"` }
    await service.check({ as: 'ada', method: 'POST', path: '/transfers', json, headers }, { status: 202 })
    await expect.poll(() => readCurrent(service, page)).not.toBe(before)
    expect(await readCurrent(service, page)).toContain('1.23')
  })

  test('shows nothing of what is undone', async () => {
    const before = await readAll()
    await patch('/employees/2', { name: 'Rolled Back' }, { prefer: 'tx=rollback' })
    expect(await readAll()).toEqual(before)
    const { database } = service.running
    const reads: Promise<Answer>[] = []
    const undone = database.transaction(async (tx) => {
      await tx.run(`update "employees" set "name" = 'Undone' where "id" = 2`)
      for (const path of PATHS) reads.push(service.check({ as: 'ada', path }, { status: 200 }))
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    for (const answer of await Promise.all(reads)) expect(answer.text).not.toContain('Undone')
    expect(await readAll()).toEqual(before)
  })

  test('shows what other rows change: computed fields, embedded items, and links that depend on them', async () => {
    const path = await create('/employees', { name: newName(), department: 'Engineering', salary: 1 })
    expect(await readCurrent(service, { as: 'ada', path })).toContain('"delete"')
    const id = Number(path.split('/').at(-1))
    await patch('/employees/3', { managerId: id })
    expect(await readCurrent(service, { as: 'ada', path })).not.toContain('"delete"')
    const embedding = { as: 'ada', path: '/employees/3?embed=manager' }
    await readCurrent(service, embedding)
    const name = newName()
    await patch(path, { name })
    expect(await readCurrent(service, embedding)).toContain(name)
  })

  test('shows each caller what they may see, and a role that was taken away no longer', async () => {
    const user = {
      username: 'keeper',
      displayName: 'Keeper',
      email: 'keeper@example.com',
      roles: ['admin'],
      password: 'a long password',
    }
    const path = await create('/users', user)
    const headers = { authorization: basic('keeper', 'a long password') }
    const token = JSON.parse(
      (
        await service.check(
          {
            method: 'POST',
            path: '/tokens',
            headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
            body: 'grant_type=client_credentials',
          },
          { status: 200 },
        )
      ).text,
    ).access_token
    const bearer = { headers: { authorization: `Bearer ${token}` }, path: '/employees/2' }
    expect(await readCurrent(service, bearer)).toContain('"update"')
    expect(await readCurrent(service, { as: 'eve', path: '/employees/2' })).not.toContain('"update"')
    await patch(path, { roles: ['reader'] })
    expect(await readCurrent(service, bearer)).not.toContain('"update"')
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    await service.check(bearer, { status: 401 })
    await service.check({ path: '/employees/2' }, { status: 401 })
  })

  test.each(ACCEPT)('is the same as %s, and by conditions and encodings', async (accept) => {
    for (const path of ['/employees/2', '/employees', '/products/1', '/products', '/v2/employees?size=3']) {
      const call = { as: 'ada', path, headers: { accept } }
      await readCurrent(service, call)
      await readCurrent(service, { ...call, method: 'HEAD' })
      await readCurrent(service, { path, headers: { accept } })
      await readCurrent(service, { ...call, headers: { accept, 'accept-encoding': 'gzip' } })
      const { headers } = await service.check(call, { status: 200 })
      const again = { accept, 'if-none-match': headers['etag'] ?? '' }
      await service.check({ ...call, headers: again }, { status: 304, headers: { etag: headers['etag'] } })
      await readCurrent(service, { ...call, headers: { accept, 'if-match': '"other"' } })
    }
  })

  test('is of the version that the request names, by whatever means, one after the other', async () => {
    const requests: [headers: Record<string, string>, version: string, path?: string][] = [
      [{}, '1'],
      [{ 'api-version': '2' }, '2'],
      [{ 'accept-version': '2' }, '2'],
      [{ accept: 'application/vnd.svc.v2+json' }, '2'],
      [{}, '2', '/v2/employees/2'],
      [{ accept: 'application/json' }, '1'],
    ]
    for (let round = 0; round < 3; round++) {
      for (const [headers, version, path = '/employees/2'] of requests) {
        const expected = { status: 200, headers: { 'api-version': version } }
        const { text } = await service.check({ as: 'ada', path, headers }, expected)
        expect(typeof JSON.parse(text).salary).toBe(version === '1' ? 'number' : 'object')
      }
    }
  })

  test('shows the item of its target, whichever was requested before', async () => {
    const target = fc.record({
      root: fc.constantFrom('', '/v2'),
      path: fc.constantFrom('/employees/', '/departments/', '/products/'),
      id: fc.integer({ min: 1, max: 5 }),
      query: fc.constantFrom('', '?fields=id', '?fields=id&fields=id,name'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(target, { minLength: 4, maxLength: 20 }), async (targets) => {
        for (const { root, path, id, query } of targets) {
          const { text } = await service.check({ as: 'ada', path: root + path + id + query }, { status: 200 })
          expect(JSON.parse(text)).toMatchObject({ id, _links: { self: { href: `${root}${path}${id}` } } })
        }
        await service.check({ as: 'ada', path: '/employees/5?x=/5' }, { status: 400 })
        await service.check({ as: 'ada', path: '/employees/999999' }, { status: 404 })
        await service.check({ as: 'ada', path: '/employees/{id}' }, { status: 404 })
      }),
      { numRuns: 20 },
    )
  })

  test('has the headers of its own item and collection, although items share theirs', async () => {
    for (const id of [7, 8, 9]) {
      for (const path of [`/employees/${id}`, `/products/${id}`, `/v2/products/${id}`, `/customers/${id}`]) {
        await readCurrent(service, { as: 'ada', path })
        await readCurrent(service, { path })
      }
    }
  })

  test('shows every random series of reads and writes as a server that keeps nothing', async () => {
    const id = fc.integer({ min: 2, max: 6 })
    const read = fc.record({
      as: fc.constantFrom('ada', 'eve', undefined),
      path: fc.oneof(
        id.map((each) => `/employees/${each}`),
        id.map((each) => `/v2/employees/${each}?fields=name,salary`),
        fc.constantFrom('/employees?size=7', '/employees?sort=-salary&size=3', '/departments', '/departments/1'),
      ),
      accept: fc.constantFrom(...ACCEPT),
    })
    const write = fc.oneof(
      fc.record({
        path: id.map((each) => `/employees/${each}`),
        json: fc.record({ salary: fc.integer({ min: 1, max: 9 }) }),
      }),
      fc.record({
        path: id.map((each) => `/employees/${each}`),
        json: fc.record({ department: fc.constantFrom('Engineering', 'Support') }),
      }),
      fc.record({
        path: fc.constant('/departments/1'),
        json: fc.record({ description: fc.string({ minLength: 1, unit: 'grapheme-ascii' }) }),
      }),
    )
    const step = fc.oneof({ arbitrary: read, weight: 3 }, { arbitrary: write, weight: 1 })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        for (const each of steps) {
          if ('json' in each) await service.check({ as: 'ada', method: 'PATCH', ...each }, {})
          else {
            const { as, path, accept } = each
            await readCurrent(service, { path, headers: { accept }, ...(as !== undefined && { as }) })
          }
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a response of a deprecated version', () => {
  const service = serviceFor(() => ({ SVC_DEPRECATED_VERSIONS: '1=2026-01-01/2030-01-01' }))

  test('links to its own item in the next version', async () => {
    for (const id of [2, 3, 2, 3]) {
      const path = `/employees/${id}`
      const { headers } = await service.check({ as: 'ada', path }, { status: 200 })
      expect(headers['link']).toContain(`/v2${path}>; rel="successor-version"`)
      await readCurrent(service, { as: 'ada', path })
    }
  })
})

describe('a response that was kept, on the embedded database', () => {
  const service = serviceFor()

  test('shows what a trigger has written, although no revision counts it', async () => {
    const { database } = service.running
    await database.run(`create trigger "kept_test" after update on "departments" begin
      update "employees" set "city" = 'Triggered' where "id" = 4; end`)
    const call = { as: 'ada', path: '/employees/4' }
    await readCurrent(service, call)
    await database.run(`update "departments" set "description" = 'x' where "id" = 1`)
    expect(await readCurrent(service, call)).toContain('Triggered')
  })
})

const databaseUrl = await emptyDatabase()

describe.skipIf(!databaseUrl)('a response that was kept, on PostgreSQL (needs PostgreSQL)', () => {
  const service = serviceFor(async () => ({ DATABASE_URL: await emptyDatabase() }))

  test.each(['/employees/2', '/employees?size=3', '/products/1'])('takes one statement: %s', async (path) => {
    const { native } = service.running.database
    let statements = 0
    if ('pool' in native) native.pool.on('acquire', () => void statements++)
    const counts: number[] = []
    for (let sent = 0; sent < 20; sent++) {
      statements = 0
      await service.check({ as: 'ada', path }, { status: 200 })
      counts.push(statements)
    }
    // A poll of a background job may fall into a request.
    expect(Math.min(...counts)).toBe(1)
  })
})

const dataDir = mkdtempSync(join(tmpdir(), 'svc-kept-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

function runInFile(sql: string): void {
  const file = new DatabaseSync(join(dataDir, 'svc.db'))
  file.exec(`pragma busy_timeout = 5000; ${sql}`)
  file.close()
}

async function runInPostgres(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

describe.each([
  ['a file', { SVC_DATA_DIR: dataDir }, runInFile],
  ['PostgreSQL (needs PostgreSQL)', databaseUrl ? { DATABASE_URL: databaseUrl } : undefined, runInPostgres],
])('a response that was kept, on %s that another process writes', (_name, env, run) => {
  let service: Service
  let other: Service
  beforeAll(async () => {
    if (env) [service, other] = [await startService(env), await startService(env)]
  })
  beforeEach((context) => void (env ?? context.skip('PostgreSQL is not installed')))
  afterAll(() => Promise.all([service?.running.stop(), other?.running.stop()]))

  test('shows what another server and another connection have written', async () => {
    const page = { as: 'ada', path: '/employees?size=3' }
    await readCurrent(service, page)
    const name = newName()
    const headers = { 'content-type': 'application/merge-patch+json' }
    const call = { as: 'ada', method: 'PATCH', path: '/employees/2', json: { name }, headers }
    await other.check(call, { status: 200 })
    expect(await readCurrent(service, page)).toContain(name)
    expect(await readCurrent(service, { as: 'ada', path: '/employees/2' })).toContain(name)
    await run(`update "employees" set "city" = 'Elsewhere' where "id" = 2`)
    expect(await readCurrent(service, page)).toContain('Elsewhere')
    expect(await readCurrent(service, { as: 'ada', path: '/employees/2' })).toContain('Elsewhere')
    await readOverSoap(service, 1)
    await run(`update "customers" set "name" = 'Elsewhere' where "id" = 1`)
    expect(await readOverSoap(service, 1)).toContain('Elsewhere')
  })

  test('knows no user any more whom another process has deleted', async () => {
    const { create } = createShorthands(other)
    const path = await create('/users', {
      username: 'gone',
      displayName: 'G',
      email: 'gone@example.com',
      roles: ['admin'],
      password: 'a long password',
    })
    const call = { path: '/employees/2', headers: { authorization: basic('gone', 'a long password') } }
    await readCurrent(service, call)
    await other.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    await service.check(call, { status: 401 })
  })
})
