import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type ServerProcess, startProcess } from '../process.ts'
import { emptyDatabase, send, toLiteral } from '../service.ts'
import { balances, everyItem, inParallel, type Ledger, transferCent } from './load.ts'

type Started = ServerProcess & { url: string }

const ROUNDS = 3
const TRANSFERS = 90
// The guard against hanging, for each start of the server.
vi.setConfig({ testTimeout: (ROUNDS + 1) * 120_000 })
const folder = mkdtempSync(join(tmpdir(), 'svc-crash-'))
afterAll(() => rmSync(folder, { recursive: true }))

const postgres = await emptyDatabase()
const databases: [string, Record<string, string> | undefined][] = [
  ['SQLite', { SVC_DATA_DIR: join(folder, 'data') }],
  ['PostgreSQL (needs PostgreSQL)', postgres === undefined ? undefined : { DATABASE_URL: postgres }],
]

describe.each(databases)('kill -9 under load on %s', (_name, env) => {
  test.skipIf(env === undefined)('loses nothing that was answered and doubles nothing, again and again', async () => {
    let server: Started = await startProcess({ ...env })
    const before = await balances(server.url)
    const total = sum(before)
    const orders = await newOrders(server.url, ROUNDS * 10)
    const transfers: Ledger = { answered: new Map(), retries: 0 }
    const payments = new Map<number, number>()

    for (let round = 0; round < ROUNDS; round++) {
      let isDead = false
      const targets = (): string[] => (isDead ? [] : [server.url])
      const restart = async (): Promise<void> => {
        server.child.kill('SIGKILL')
        isDead = true
        await server.exited
        server = await startProcess({ ...env })
        isDead = false
      }
      let restarted: Promise<void> | undefined
      const jobs = Array.from({ length: TRANSFERS }, (_, at) => async () => {
        if (at === TRANSFERS / 3) restarted = restart()
        if (at % 9 === 0) await pay(() => server.url, orders[round * 10 + at / 9], payments)
        await transferCent(targets, `crash-${round * TRANSFERS + at}`, at % 2 ? [1, 2] : [2, 3], transfers)
      })
      await inParallel(8, jobs)
      await restarted
    }

    const kept = (await everyItem<{ id: number; reference?: string }>(server.url, '/transfers')).filter(
      ({ reference }) => reference?.startsWith('crash-'),
    )
    expect(transfers.answered.size).toBe(ROUNDS * TRANSFERS)
    expect(transfers.retries).toBeGreaterThan(0)
    expect(kept).toHaveLength(ROUNDS * TRANSFERS)
    expect(new Map(kept.map(({ id, reference = '' }) => [reference, id]))).toEqual(transfers.answered)

    const after = await balances(server.url)
    const half = (ROUNDS * TRANSFERS) / 2
    expect(sum(after)).toBe(total)
    expect([1, 2, 3].map((id) => (after.get(id) ?? 0) - (before.get(id) ?? 0))).toEqual([-half, 0, half])

    expect(payments.size).toBe(ROUNDS * 10)
    for (const [order, payment] of payments) {
      const paid = await everyItem<{ id: number; status: string }>(server.url, `/payments?orderId=${order}`)
      expect(paid).toMatchObject([{ id: payment, status: 'SUCCEEDED' }])
      const { text } = await send(server.url, toLiteral({ as: 'ada', path: `/orders/${order}` }))
      expect(JSON.parse(text).status).toBe('PAID')
    }
    const sold = JSON.parse((await send(server.url, toLiteral({ as: 'ada', path: `/products/${PRODUCT}` }))).text)
    expect(STOCK - sold.stock).toBe(ROUNDS * 10)
    server.child.kill('SIGTERM')
    expect((await server.exited).code).toBe(0)
  })
})

const PRODUCT = 7
const STOCK = 1000
const TOTAL_TRIES = 2000

async function newOrders(url: string, count: number): Promise<{ id: number; total: object }[]> {
  const stocked = toLiteral({ as: 'ada', method: 'PATCH', path: `/products/${PRODUCT}`, json: { stock: STOCK } })
  expect((await send(url, stocked)).status).toBe(200)
  const json = { customerId: 1, items: [{ productId: PRODUCT, quantity: 1 }] }
  const orders = Array.from({ length: count }, () =>
    send(url, toLiteral({ as: 'ada', method: 'POST', path: '/orders', json })),
  )
  return (await Promise.all(orders)).map(({ text }) => JSON.parse(text))
}

/** Pays an order, with one key, until it gets a response. */
async function pay(
  url: () => string,
  order: { id: number; total: object } | undefined,
  paid: Map<number, number>,
): Promise<void> {
  if (!order) throw new TypeError('there are not enough orders')
  const json = { orderId: order.id, amount: order.total, method: 'CARD' }
  const headers = { 'idempotency-key': `pay-${order.id}` }
  const call = toLiteral({ as: 'ada', method: 'POST', path: '/payments', json, headers })
  for (let attempt = 0; attempt < TOTAL_TRIES; attempt++) {
    const answer = await send(url(), call).catch(() => undefined)
    if (answer?.status === 201) return void paid.set(order.id, JSON.parse(answer.text).id)
    if (answer && answer.status !== 409)
      throw new Error(`order ${order.id} was answered ${answer.status} ${answer.text}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`order ${order.id} was never paid`)
}

function sum(amounts: Map<number, number>): number {
  return [...amounts.values()].reduce((total, amount) => total + amount, 0)
}
