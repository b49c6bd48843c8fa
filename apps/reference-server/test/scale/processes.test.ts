import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../../../packages/internal/testing/check.ts'
import { startRedis, type TestServer } from '../../../../packages/internal/testing/servers.ts'
import { type ServerProcess, startProcess } from '../process.ts'
import { basic, type Call, emptyDatabase, send, toLiteral } from '../service.ts'
import { balances, everyItem, inParallel, type Ledger, transferCent } from './load.ts'

type Started = ServerProcess & { url: string }

const redis: TestServer | undefined = await startRedis()
const database = await emptyDatabase()
const isMissing = !redis || database === undefined
const LIMIT = 100

describe.skipIf(isMissing)('three processes on one database (needs PostgreSQL and redis-server)', () => {
  const processes: Started[] = []
  beforeAll(async () => {
    const env = {
      DATABASE_URL: database,
      REDIS_URL: redis?.url,
      SVC_DEMO: 'on',
      LOG_LEVEL: 'info',
      // An hour, so that none comes back while the test runs.
      SVC_RATE_LIMIT_ANONYMOUS: `${LIMIT}/1h`,
    }
    processes.push(...(await Promise.all([startProcess(env), startProcess(env), startProcess(env)])))
  })
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ exited }) => exited))
    await redis?.stop()
  })

  let turn = 0
  const urls = (): string[] => processes.map(({ url }) => url)
  const ask = (call: Call): Promise<Answer> => send(urls()[turn++ % processes.length] ?? '', toLiteral(call))
  const statuses = (answers: readonly Answer[], wanted: number): number =>
    answers.filter(({ status }) => status === wanted).length
  const newOrder = async (productId: number): Promise<{ id: number; total: object }> => {
    const json = { customerId: 1, items: [{ productId, quantity: 1 }] }
    const { status, text } = await ask({ as: 'ada', method: 'POST', path: '/orders', json })
    expect(status, text).toBe(201)
    return JSON.parse(text)
  }

  test('they make the tables and the demo data once, though they start together', async () => {
    for (const path of ['/employees', '/departments', '/customers']) {
      const totals = await Promise.all(
        urls().map(
          async (url) => JSON.parse((await send(url, toLiteral({ as: 'ada', path }))).text).page.totalElements,
        ),
      )
      expect(new Set(totals).size).toBe(1)
    }
    expect(await everyItem(urls()[0] ?? '', '/employees')).toHaveLength(137)
  })

  test(`of ${LIMIT + 50} parallel requests exactly ${LIMIT} are within the limit`, async () => {
    const answers: Answer[] = []
    // Three bursts: a process that is stalled for longer than Redis may take counts for itself.
    for (let burst = 0; burst < 3; burst++)
      answers.push(...(await Promise.all(Array.from({ length: (LIMIT + 50) / 3 }, () => ask({ path: '/products/1' })))))
    expect(statuses(answers, 200)).toBe(LIMIT)
    expect(statuses(answers, 429)).toBe(50)
    // Separate counters would return each number three times. A request that was allowed because
    // Redis took too long has no number.
    const told = answers.flatMap(({ status, headers }) => (status === 200 && headers['x-ratelimit-remaining']) || [])
    expect(new Set(told).size).toBe(told.length)
    expect(told.length).toBeGreaterThan(LIMIT / 2)
  })

  test('maintenance is one switch for all of them', async () => {
    const [first, second] = processes.map(({ output }) => /"adminUrl":"([^"]+)"/.exec(output().stdout)?.[1] ?? '')
    const all = (): Promise<number[]> =>
      Promise.all(urls().map(async (url) => (await send(url, toLiteral({ as: 'ada', path: '/cart' }))).status))
    await send(first ?? '', { method: 'PUT', path: '/maintenance' })
    await expect.poll(all).toEqual([503, 503, 503])
    await send(second ?? '', { method: 'DELETE', path: '/maintenance' })
    await expect.poll(all).toEqual([200, 200, 200])
  })

  test('of 15 attempts to get a token exactly 10 are within the limit, and the token is good everywhere', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const call = { as: 'eve', method: 'POST', path: '/tokens', headers, body: 'grant_type=client_credentials' }
    const answers = await Promise.all(Array.from({ length: 15 }, () => ask(call)))
    expect(statuses(answers, 200)).toBe(10)
    expect(statuses(answers, 429)).toBe(5)
    const { access_token: token } = JSON.parse(answers.find(({ status }) => status === 200)?.text ?? '')
    for (let at = 0; at < processes.length; at++) {
      const { status } = await ask({ path: '/employees/1', headers: { authorization: `Bearer ${token}` } })
      expect(status).toBe(200)
    }
  })

  test('wrong passwords are counted together, and at once', async () => {
    const guess = (at: number): Call => ({
      path: '/employees/1',
      headers: { authorization: basic('adam', `wrong-${at}`) },
    })
    const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => ask(guess(at))))
    expect(statuses(answers, 401)).toBe(10)
    expect(statuses(answers, 429)).toBe(5)
  })

  test('a payment that is sent nine times at once happens once', async () => {
    const product = { as: 'ada', method: 'PATCH', path: '/products/2', json: { stock: 9 } }
    expect((await ask(product)).status).toBe(200)
    const { id, total } = await newOrder(2)
    const json = { orderId: id, amount: total, method: 'CARD' }
    const headers = { 'idempotency-key': `scale-${id}` }
    const call = { as: 'ada', method: 'POST', path: '/payments', json, headers }
    const answers = await Promise.all(Array.from({ length: 9 }, () => ask(call)))
    for (const { status, text } of answers) expect([201, 409], text).toContain(status)
    const paid = answers.filter(({ status }) => status === 201).map(({ headers }) => headers['location'])
    expect(new Set(paid).size).toBe(1)
    const again = await Promise.all(Array.from({ length: 3 }, () => ask(call)))
    for (const answer of again)
      expect(answer).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true', location: paid[0] } })
    expect(await everyItem(urls()[0] ?? '', `/payments?orderId=${id}`)).toHaveLength(1)
  })

  test('of twelve writers with the same tag exactly one wins', async () => {
    for (const path of ['/employees/3', '/departments/2', '/customers/5']) {
      const { headers } = await ask({ as: 'ada', path })
      const { name } = JSON.parse((await ask({ as: 'ada', path })).text)
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => {
          const json = { name: `${name} ${at}` }
          return ask({ as: 'ada', method: 'PATCH', path, json, headers: { 'if-match': headers['etag'] ?? '' } })
        }),
      )
      expect(statuses(answers, 200), path).toBe(1)
      expect(statuses(answers, 412), path).toBe(11)
      const won = JSON.parse(answers.find(({ status }) => status === 200)?.text ?? '').name
      expect(JSON.parse((await ask({ as: 'ada', path })).text).name).toBe(won)
    }
  })

  test('what is in stock five times is sold five times', async () => {
    const price = { amount: '1.00', currency: 'EUR' }
    const product = { sku: 'SCALE-5', name: 'Scarce', price, stock: 5 }
    const created = await ask({ as: 'ada', method: 'POST', path: '/products', json: product })
    const { id } = JSON.parse(created.text)
    const orders = await Promise.all(Array.from({ length: 12 }, () => newOrder(id)))
    const answers = await Promise.all(
      orders.map((order) => {
        const json = { orderId: order.id, amount: order.total, method: 'WALLET' }
        const headers = { 'idempotency-key': `scarce-${order.id}` }
        return ask({ as: 'ada', method: 'POST', path: '/payments', json, headers })
      }),
    )
    expect(statuses(answers, 201)).toBe(5)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(JSON.parse(answer.text)).toMatchObject({ status: 422, code: 'OUT_OF_STOCK' })
    const left = JSON.parse((await ask({ as: 'ada', path: `/products/${id}` })).text)
    expect(left).toMatchObject({ stock: 0, availability: 'OUT_OF_STOCK' })
  })

  test('an operation that is processed later is taken by one process', async () => {
    const before = await balances(urls()[0] ?? '')
    const amount = { amount: '0.01', currency: 'EUR' }
    const accepted = await Promise.all(
      Array.from({ length: 24 }, (_, at) => {
        const json = { fromAccountId: 1, toAccountId: 2, amount, reference: `job-${at}` }
        const headers = { prefer: 'respond-async', 'idempotency-key': `job-${at}` }
        return ask({ as: 'ada', method: 'POST', path: '/transfers', json, headers })
      }),
    )
    expect(statuses(accepted, 202)).toBe(24)
    for (const { headers } of accepted) {
      const path = headers['location'] ?? ''
      const status = async (): Promise<string> => JSON.parse((await ask({ as: 'ada', path })).text).status
      await expect.poll(status).toBe('SUCCEEDED')
    }
    const after = await balances(urls()[0] ?? '')
    expect((before.get(1) ?? 0) - (after.get(1) ?? 0)).toBe(24)
    expect((after.get(2) ?? 0) - (before.get(2) ?? 0)).toBe(24)
  })

  // The last one, since a process ends here.
  test('one that is killed under load loses nothing that was answered, and doubles nothing', async () => {
    const before = await balances(urls()[0] ?? '')
    const ledger: Ledger = { answered: new Map(), retries: 0 }
    const [victim, ...others] = processes
    const targets = (): string[] =>
      ((victim?.child.exitCode ?? victim?.child.signalCode) ? others : processes).map(({ url }) => url)
    const jobs = Array.from({ length: 240 }, (_, at) => async () => {
      if (at === 80) victim?.child.kill('SIGKILL')
      const pair = [[1, 2] as const, [3, 4] as const, [5, 6] as const][at % 3] ?? [1, 2]
      await transferCent(targets, `kill-${at}`, pair, ledger)
    })
    await inParallel(12, jobs)
    processes.shift()
    expect(ledger.answered.size).toBe(240)
    expect(ledger.retries).toBeGreaterThan(0)
    const transfers = await everyItem<{ id: number; reference?: string }>(urls()[0] ?? '', '/transfers')
    const kept = transfers.filter(({ reference }) => reference?.startsWith('kill-'))
    expect(Object.fromEntries(kept.map(({ id, reference }) => [reference, id]))).toEqual(
      Object.fromEntries(ledger.answered),
    )
    expect(kept).toHaveLength(240)
    const after = await balances(urls()[0] ?? '')
    for (const from of [1, 3, 5]) {
      expect((before.get(from) ?? 0) - (after.get(from) ?? 0)).toBe(80)
      expect((after.get(from + 1) ?? 0) - (before.get(from + 1) ?? 0)).toBe(80)
    }
  })
})
