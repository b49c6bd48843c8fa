import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../../packages/internal/testing/check.ts'
import type { Environment } from '../src/config.ts'
import { insertRows } from '../src/database/connection.ts'
import { findUser } from '../src/security/users.ts'
import { startProcess } from './process.ts'
import {
  basic,
  type Call,
  emptyDatabase,
  onEveryDatabase,
  record,
  type Service,
  send,
  startService,
  toLiteral,
} from './service.ts'

let keys = 0
const deferred = (call: Call): Call => {
  const headers = { prefer: 'respond-async', 'idempotency-key': `"job-${process.pid}-${keys++}"`, ...call.headers }
  return { as: 'ada', ...call, headers }
}
const transfer = (amount: string, from = 1, to = 2): Call => {
  const json = { fromAccountId: from, toAccountId: to, amount: { amount, currency: 'EUR' } }
  return deferred({ method: 'POST', path: '/transfers', json })
}

const FAR = `'9999-01-01T00:00:00.000Z'`
const LEASE_NEW_JOBS = {
  sqlite: [
    `create trigger "lease" after insert on "operations" begin
      update "operations" set "leaseUntil" = ${FAR} where "id" = new."id"; end`,
    'drop trigger "lease"',
  ],
  postgres: [
    `alter table "operations" alter column "leaseUntil" set default ${FAR}`,
    'alter table "operations" alter column "leaseUntil" drop default',
  ],
} as const

const AMOUNT = { pointer: '/amount', location: 'body', field: 'amount', code: 'INSUFFICIENT_FUNDS' }

type Ask = (call: Call) => Promise<Answer>

/** Asks until the operation is over, as a client does. */
async function outcome(ask: Ask, path: string, as = 'ada'): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = await ask({ as, path })
    const operation = JSON.parse(answer.text)
    if (!['PENDING', 'RUNNING'].includes(operation.status)) return operation
    expect(answer.headers['retry-after']).toBe('1')
    await setTimeout(20)
  }
}

const linkOf = (operation: Record<string, unknown>, rel: string): string | undefined =>
  (operation['_links'] as Record<string, { href: string }>)[rel]?.href

async function balanceOf(ask: Ask, id: number): Promise<number> {
  return Math.round(Number(JSON.parse((await ask({ as: 'ada', path: `/accounts/${id}` })).text).balance.amount) * 100)
}

onEveryDatabase('work after the answer', (service: Service) => {
  const ask: Ask = (call) => service.check(call, {})

  test('a client that waits gets the result itself, also when it asks again', async () => {
    const before = await balanceOf(ask, 1)
    const { headers, ...call } = transfer('1.25')
    const waiting = { ...call, headers: { ...headers, prefer: 'respond-async, wait=10' } }
    const expected = {
      status: 201,
      headers: { location: /^\/transfers\/\d+$/, 'preference-applied': 'wait=10', 'retry-after': undefined },
      body: { status: 'COMPLETED', amount: { amount: '1.25', currency: 'EUR' } },
    }
    const first = await service.check(waiting, expected)
    const again = await service.check(waiting, expected)
    expect(again.headers['location']).toBe(first.headers['location'])
    expect(await balanceOf(ask, 1)).toBe(before - 125)
  })

  test('a client that waits gets an export itself', async () => {
    const headers = { accept: 'text/csv', prefer: 'respond-async, wait=60' }
    const applied = { 'content-type': /^text\/csv/, 'preference-applied': 'wait=10', etag: /./ }
    const { text } = await service.check(
      { as: 'ada', path: '/departments', headers },
      { status: 200, headers: applied },
    )
    expect(text).toContain('Engineering')
  })

  test.each([
    ['INSUFFICIENT_FUNDS', '/transfers', { fromAccountId: 1, toAccountId: 2 }, '99999999.00'],
    ['AMOUNT_MISMATCH', '/v2/payments', { orderId: 3, method: 'CARD' }, '0.01'],
    ['ILLEGAL_TRANSITION', '/payments', { orderId: 1, method: 'CARD' }, '0.01'],
  ])('a client that waits gets the error itself, in its language: %s', async (code, path, values, amount) => {
    const json = { ...values, amount: { amount, currency: 'EUR' } }
    const { headers, ...call } = deferred({ method: 'POST', path, json })
    // The second one is a retry with the same key.
    for (const language of ['en', 'de']) {
      const read = async (more: Call['headers']): Promise<object> => {
        const { text } = await ask({ ...call, headers: { 'accept-language': language, ...more } })
        return { ...JSON.parse(text), timestamp: '' }
      }
      const now = await read({ 'idempotency-key': `now-${keys++}` })
      expect(now).toMatchObject({ code, path })
      expect(await read({ ...headers, prefer: 'respond-async, wait=10' })).toEqual(now)
    }
  })

  test('an operation that failed has the error, without what translates it', async () => {
    const { headers } = await service.check(transfer('99999999.00'), { status: 202 })
    const { status, error } = await outcome(ask, String(headers['location']))
    expect(status).toBe('FAILED')
    expect(error).toEqual({
      ...record(422, 'INSUFFICIENT_FUNDS', '/transfers'),
      message: expect.stringMatching(/^\/amount .+\.$/),
      errors: [{ ...AMOUNT, detail: expect.any(String) }],
    })
  })

  test('an operation shows its error as the direct response, in the language of its reader', async () => {
    const call = { ...transfer('99999999.00'), path: '/v2/transfers' }
    const operation = String((await service.check(call, { status: 202 })).headers['location'])
    await outcome(ask, operation)
    const tags = new Set<string | undefined>()
    for (const language of ['en', 'de', 'fr', 'es']) {
      const now = { ...call, headers: { 'accept-language': language, 'idempotency-key': `now-${keys++}` } }
      const { timestamp: _, ...expected } = JSON.parse((await ask(now)).text)
      const read = await ask({ as: 'ada', path: operation, headers: { 'accept-language': language } })
      expect(JSON.parse(read.text).error).toEqual({ timestamp: expect.any(String), ...expected })
      tags.add(read.headers['etag'])
    }
    expect(tags.size).toBe(4)
  })

  test('a client that waits gets 202 if the work takes longer', async () => {
    const { database } = service.running
    const { headers, ...call } = transfer('1.25')
    const waiting = { ...call, headers: { ...headers, prefer: 'respond-async, wait=1' } }
    // No worker takes a job that is leased, here by a process that does not exist.
    const [lease, undo] = LEASE_NEW_JOBS[database.dialect]
    await database.run(lease)
    try {
      const applied = { 'preference-applied': 'respond-async, wait=1', location: /^\/operations\//, 'retry-after': '1' }
      const { text } = await service.check(waiting, { status: 202, headers: applied })
      expect(JSON.parse(text).status).toBe('PENDING')
      await service.check({ as: 'ada', method: 'DELETE', path: `/operations/${JSON.parse(text).id}` }, { status: 204 })
    } finally {
      await database.run(undo)
    }
  })

  test('a transfer is accepted, done and linked', async () => {
    const before = await balanceOf(ask, 1)
    const accepted = await service.check(transfer('1.25'), {
      status: 202,
      headers: {
        location: /^\/operations\/[0-9a-f-]{36}$/,
        'preference-applied': 'respond-async',
        'retry-after': '1',
        'cache-control': 'no-store',
      },
      body: { status: 'PENDING', percent: 0 },
    })
    const operation = await outcome(ask, String(accepted.headers['location']))
    expect(operation).toMatchObject({ status: 'SUCCEEDED', percent: 100 })
    const made = await service.check({ as: 'ada', path: linkOf(operation, 'result') ?? '' }, { status: 200 })
    expect(JSON.parse(made.text)).toMatchObject({ status: 'COMPLETED', amount: { amount: '1.25', currency: 'EUR' } })
    expect(await balanceOf(ask, 1)).toBe(before - 125)
  })

  test('what is wrong with the request is said at once, and nothing is kept', async () => {
    await service.check(transfer('-1'), { status: 422 })
    const wrong = deferred({ method: 'POST', path: '/transfers', json: { fromAccountId: 1 } })
    await service.check(wrong, { status: 400, body: { code: 'VALIDATION_FAILED' } })
  })

  test('what breaks a rule of the business fails, with its record', async () => {
    const { headers } = await service.check(transfer('99999999.00'), { status: 202 })
    const operation = await outcome(ask, String(headers['location']))
    expect(operation).toMatchObject({ status: 'FAILED', error: { status: 422, code: 'INSUFFICIENT_FUNDS' } })
    expect(linkOf(operation, 'result')).toBeUndefined()
  })

  test('a retry with the same key gets the same operation, and the money moves once', async () => {
    const call = transfer('2.00')
    const before = await balanceOf(ask, 1)
    const first = await service.check(call, { status: 202 })
    const again = await service.check(call, { status: 202, headers: { 'idempotent-replayed': 'true' } })
    expect(again.headers['location']).toBe(first.headers['location'])
    await outcome(ask, String(first.headers['location']))
    await service.check(call, { status: 202, headers: { location: String(first.headers['location']) } })
    expect(await balanceOf(ask, 1)).toBe(before - 200)
  })

  test('a payment can be deferred', async () => {
    const order = JSON.parse((await ask({ as: 'ada', path: '/orders/3' })).text)
    const json = { orderId: 3, amount: order.total, method: 'CARD' }
    const { headers } = await service.check(deferred({ method: 'POST', path: '/payments', json }), { status: 202 })
    expect(await outcome(ask, String(headers['location']))).toMatchObject({ status: 'SUCCEEDED' })
    await service.check({ as: 'ada', path: '/orders/3' }, { body: { status: 'PAID' } })
  })

  test('a whole collection is exported as CSV, and an invoice as PDF', async () => {
    const csv = await service.check(
      deferred({ as: 'bob', path: '/employees?size=all&sort=-id', headers: { accept: 'text/csv' } }),
      { status: 202, headers: { 'content-type': /^application\/json/ } },
    )
    const operation = await outcome(ask, String(csv.headers['location']), 'bob')
    const file = await service.check(
      { as: 'bob', path: linkOf(operation, 'result') ?? '' },
      { status: 200, headers: { 'content-type': /^text\/csv/, 'content-disposition': /filename="employees\.csv"/ } },
    )
    const part = { range: 'bytes=0-9', 'if-range': file.headers['etag'] ?? '' }
    const whole = { status: 200, headers: { 'accept-ranges': 'none', 'content-range': undefined }, body: file.text }
    await service.check({ as: 'bob', path: linkOf(operation, 'result') ?? '', headers: part }, whole)
    const total = JSON.parse((await ask({ as: 'eve', path: '/employees?size=1' })).text).page.totalElements
    expect(file.text.trim().split('\r\n')).toHaveLength(total + 1)
    const pdf = await service.check(deferred({ path: '/orders/1/invoice', headers: { accept: 'application/pdf' } }), {
      status: 202,
    })
    const done = await outcome(ask, String(pdf.headers['location']))
    await service.check({ as: 'ada', path: linkOf(done, 'result') ?? '' }, { status: 200, body: /^%PDF-1\.7/ })
  })

  test('exports while no transaction is open', async () => {
    const { database } = service.running
    let turns = 0
    let isDone = false
    const watched = (async () => {
      for (; !isDone; turns++) {
        if (database.dialect === 'sqlite') expect(database.changes()).toBeDefined()
        await setImmediate()
      }
    })()
    const csv = deferred({ path: '/employees?size=all', headers: { accept: 'text/csv' } })
    // An export may be done before its result is asked for the first time, within a few turns.
    for (let exported = 0; turns <= 10; exported++) {
      expect(exported).toBeLessThan(100)
      const { headers } = await service.check(csv, { status: 202 })
      expect(await outcome(ask, String(headers['location']))).toMatchObject({ status: 'SUCCEEDED' })
    }
    isDone = true
    await watched
  })

  test('no other process takes an export that lasts long (needs PostgreSQL)', async (context) => {
    const { database } = service.running
    if (database.dialect !== 'postgres') return context.skip('SQLite has no lock of a table')
    const lease = async (id: string): Promise<number> => {
      const sql = 'select "leaseUntil" from "operations" where "id" = ?'
      const { leaseUntil } = (await database.get<{ leaseUntil: string | null }>(sql, [id])) ?? {}
      return Date.parse(leaseUntil ?? '')
    }
    const path = await database.transaction(async (tx) => {
      await tx.run('lock table "employees" in access exclusive mode')
      const csv = deferred({ path: '/employees?size=all', headers: { accept: 'text/csv' } })
      const { headers } = await service.check(csv, { status: 202 })
      const path = String(headers['location'])
      const id = path.slice('/operations/'.length)
      await expect.poll(() => lease(id)).toBeGreaterThan(0)
      const taken = await lease(id)
      await expect.poll(() => lease(id), { timeout: 10_000 }).toBeGreaterThan(taken)
      return path
    })
    expect(await outcome(ask, path)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('an export that is wrong is refused at once', async () => {
    const headers = { accept: 'text/csv' }
    const unknown = { status: 400, body: record(400, 'UNKNOWN_PARAMETER') }
    await service.check(deferred({ path: '/employees?size=all&nope=1', headers }), unknown)
    await service.check(deferred({ path: '/employees/99999/projects', headers }), { status: 404 })
    await service.check(deferred({ as: 'eve', path: '/employees?size=all', headers }), { status: 403 })
  })

  test('where nothing can be deferred the preference is overlooked', async () => {
    await service.check(deferred({ path: '/employees/1' }), { status: 200 })
    await service.check(deferred({ path: '/employees', headers: { accept: 'application/json' } }), { status: 200 })
  })

  test('HEAD is never deferred', async () => {
    const head = { as: 'bob', method: 'HEAD', path: '/employees?size=all', headers: { accept: 'text/csv' } }
    const headers = { 'content-type': /^text\/csv/, 'preference-applied': undefined, location: undefined }
    await service.check(deferred(head), { status: 200, headers })
  })

  test('an operation is for who started it and for admins', async () => {
    const csv = deferred({ as: 'eve', path: '/employees', headers: { accept: 'text/csv' } })
    const path = String((await service.check(csv, { status: 202 })).headers['location'])
    await service.check({ as: 'carl', path }, { status: 403, body: { code: 'FORBIDDEN' } })
    await service.check({ as: 'ada', path }, { status: 200 })
    await service.check({ path }, { status: 401 })
    await service.check({ as: 'ada', path: '/operations/__proto__' }, { status: 404, body: { code: 'NOT_FOUND' } })
    await service.check({ as: 'carl', path: `${path}/result` }, { status: 403 })
  })

  test('what is over cannot be cancelled; what was cancelled never happens', async () => {
    const done = String((await service.check(transfer('0.10'), { status: 202 })).headers['location'])
    await outcome(ask, done)
    const refused = { status: 409, body: { code: 'ILLEGAL_TRANSITION' } }
    await service.check({ as: 'ada', method: 'DELETE', path: done }, refused)
    const before = await balanceOf(ask, 1)
    // The worker is held back by jobs in front, so that some of these are cancelled before their
    // turn.
    const paths = await Promise.all(
      Array.from({ length: 12 }, async () => String((await ask(transfer('0.01'))).headers['location'])),
    )
    const cancelled = await Promise.all(
      paths.reverse().map(async (path) => (await ask({ as: 'ada', method: 'DELETE', path })).status === 204),
    )
    const ends = await Promise.all(paths.map(async (path) => (await outcome(ask, path))['status']))
    expect(ends).toEqual(cancelled.map((isCancelled) => (isCancelled ? 'CANCELLED' : 'SUCCEEDED')))
    expect(await balanceOf(ask, 1)).toBe(before - ends.filter((end) => end === 'SUCCEEDED').length)
    for (const path of paths.filter((_, at) => cancelled[at]))
      await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
  })
})

test('what nobody is at work on can be cancelled, by those who may and know its state', async () => {
  const service = await startService()
  const { database } = service.running
  // A process that took these jobs has ended. No other process takes them within this test.
  const leaseUntil = new Date(Date.now() + 3_600_000).toISOString()
  const start = async (as: string): Promise<string> => {
    const kept = { kind: 'GET /x', status: 'RUNNING', attempts: 1, leaseUntil, input: '{}' }
    const id = `gone-${as}`
    const now = new Date().toISOString()
    const user = await findUser(database, as)
    const row = { ...kept, id, subject: user?.subject ?? '', createdAt: now, updatedAt: now }
    await insertRows(database, 'operations', [row])
    return `/operations/${id}`
  }
  for (const as of ['bob', 'carl']) {
    const path = await start(as)
    const { headers, text } = await service.check({ as, path }, { status: 200, body: { status: 'RUNNING' } })
    expect(JSON.parse(text)._links.cancel.href).toBe(path)
    const cancel = { as, method: 'DELETE', path }
    await service.check({ ...cancel, headers: { 'if-match': '"old"' } }, { status: 412 })
    await service.check({ ...cancel, headers: { 'if-match': headers['etag'] ?? '' } }, { status: 204 })
    const after = await service.check({ as, path }, { status: 200, body: { status: 'CANCELLED' } })
    expect(after.headers['etag']).not.toBe(headers['etag'])
    expect(JSON.parse(after.text)._links).toEqual({ self: { href: path } })
  }
  const path = await start('eve')
  expect(JSON.parse((await service.check({ as: 'eve', path }, { status: 200 })).text)._links).not.toHaveProperty(
    'cancel',
  )
  await service.check({ as: 'eve', method: 'DELETE', path }, { status: 403 })
  await service.running.stop()
})

test('an export costs ten requests, also by HEAD', async () => {
  const service = await startService({ SVC_RATE_LIMIT: '35/1m' })
  const remaining = async (call: Call): Promise<unknown> =>
    (await service.check(call, {})).headers['x-ratelimit-remaining']
  const asCsv = { path: '/employees', headers: { accept: 'text/csv' } }
  const whole = { as: 'ada', ...asCsv, path: '/employees?size=all' }
  expect(await remaining({ as: 'ada', ...asCsv })).toBe('34')
  expect(await remaining(deferred(asCsv))).toBe('24')
  expect(await remaining(whole)).toBe('14')
  expect(await remaining({ ...whole, method: 'HEAD' })).toBe('4')
  const json = { as: 'ada', path: '/products/1', headers: { accept: 'application/json', prefer: 'respond-async' } }
  expect(await remaining(json)).toBe('3')
  await service.check(deferred(asCsv), { status: 429 })
  await service.running.stop()
})

const folder = mkdtempSync(join(tmpdir(), 'svc-jobs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const postgres = await emptyDatabase()

describe.each([
  ['SQLite', () => ({ SVC_DATA_DIR: join(folder, 'data') })],
  ['PostgreSQL (needs PostgreSQL)', () => (postgres === undefined ? undefined : { DATABASE_URL: postgres })],
] as [string, () => Environment | undefined][])('a process that is killed, on %s', (_name, environment) => {
  test.skipIf(environment() === undefined)('does every transfer that it accepted, once', async () => {
    const env = environment() ?? {}
    const first = await startProcess(env)
    const paths: string[] = []
    const before = JSON.parse((await send(first.url, toLiteral({ as: 'ada', path: '/accounts/1' }))).text).balance
    const create = async (): Promise<void> => {
      for (;;) {
        const answer = await send(first.url, toLiteral(transfer('0.01'))).catch(() => undefined)
        if (!answer) return
        expect(answer.status).toBe(202)
        paths.push(String(answer.headers['location']))
        if (paths.length === 40) first.child.kill('SIGKILL')
      }
    }
    await Promise.all([create(), create(), create()])
    expect((await first.exited).signal).toBe('SIGKILL')
    // Two processes find what the first one left; on PostgreSQL both take of it.
    const isShared = 'DATABASE_URL' in env
    const others = await Promise.all([startProcess(env), ...(isShared ? [startProcess(env)] : [])])
    const ask: Ask = (call) =>
      send(others[0]?.url ?? '', toLiteral({ ...call, headers: { authorization: basic('ada') } }))
    const ends = await Promise.all(paths.map(async (path) => (await outcome(ask, path))['status']))
    expect(new Set(ends)).toEqual(new Set(['SUCCEEDED']))
    const moved = Math.round(Number(before.amount) * 100) - (await balanceOf(ask, 1))
    // Transfers may also be committed without a response: at most one per client.
    expect(moved - paths.length).toBeGreaterThanOrEqual(0)
    expect(moved - paths.length).toBeLessThanOrEqual(3)
    for (const other of others) {
      other.child.kill('SIGTERM')
      await other.exited
    }
  })
})
