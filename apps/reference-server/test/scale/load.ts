import { setTimeout as pause } from 'node:timers/promises'
import { type Call, send, toLiteral } from '../service.ts'

/** URLs of processes. Requests go to any of them, as a load balancer would choose. */
export type Targets = readonly string[]

/** Record of a load client: references that got a 2xx response, and the number of retries. */
export interface Ledger {
  answered: Map<string, number>
  retries: number
}

// Two minutes: on a loaded machine a server takes long to start again.
const PATIENCE = 2400
const PAUSE_MS = 50

/**
 * Sends one transfer of a cent with its own key, to the targets in turn, until one of them accepts
 * it. A careful client retries like this, regardless of which process dies in between.
 */
export async function transferCent(
  targets: () => Targets,
  reference: string,
  [fromAccountId, toAccountId]: readonly [number, number],
  ledger: Ledger,
): Promise<void> {
  const amount = { amount: '0.01', currency: 'EUR' }
  const json = { fromAccountId, toAccountId, amount, reference }
  const call: Call = { as: 'ada', method: 'POST', path: '/transfers', json, headers: { 'idempotency-key': reference } }
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const urls = targets()
    const url = urls[(Number(reference.replace(/\D/g, '')) + attempt) % urls.length]
    const answer = url === undefined ? undefined : await send(url, toLiteral(call)).catch(() => undefined)
    if (answer?.status === 201) return void ledger.answered.set(reference, JSON.parse(answer.text).id)
    // 409: the first attempt is still in progress. 503: that process is stopping.
    if (answer && answer.status !== 409 && answer.status !== 503)
      throw new Error(`${reference} returned ${answer.status} ${answer.text}`)
    ledger.retries++
    await pause(PAUSE_MS)
  }
  throw new Error(`${reference} got no response`)
}

/** Runs the jobs, so many at a time. */
export async function inParallel(width: number, jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...jobs]
  const worker = async (): Promise<void> => {
    for (let job = left.shift(); job; job = left.shift()) await job()
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Every item of a collection. */
export async function everyItem<T>(url: string, path: string): Promise<T[]> {
  const items: T[] = []
  for (let page = 0; ; page++) {
    const separator = path.includes('?') ? '&' : '?'
    const call = toLiteral({ as: 'ada', path: `${path}${separator}size=100&page=${page}` })
    const answer = await send(url, call)
    if (answer.status !== 200) throw new Error(`${path} returned ${answer.status} ${answer.text}`)
    const body = JSON.parse(answer.text) as { items: T[]; page: { totalPages: number } }
    items.push(...body.items)
    if (page + 1 >= body.page.totalPages) return items
  }
}

export interface Account {
  id: number
  currency: string
  balance: { amount: string }
}

/** Balances in cents by the id of their account. */
export async function balances(url: string): Promise<Map<number, number>> {
  const accounts = await everyItem<Account>(url, '/accounts')
  return new Map(accounts.map(({ id, balance }) => [id, Math.round(Number(balance.amount) * 100)]))
}
