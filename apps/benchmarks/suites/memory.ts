import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Effort } from '../measure.ts'
import type { Table } from '../report.ts'

export const title = 'Memory and pauses of stores'

interface Filled {
  bytesPerKey: number
  /** CPU milliseconds of the costliest 200 insertions. */
  worstFill: number
  /** The longest time that the event loop stood still when the window had ended. */
  worstEnd: number
}

const LIMITERS = ['express-rate-limit', 'rate-limiter-flexible', 'hono-rate-limiter', '@svc/ratelimit']
const KEEPERS = ['express-idempotency', '@node-idempotency/core', '@svc/idempotency']

/** Each store fills in a process of its own, so that no garbage of another is in the figures. */
export async function* tables({ rounds }: Effort): AsyncIterable<Table> {
  const keys = rounds < 10 ? 100_000 : 1_000_000
  const answers = rounds < 10 ? 2000 : 20_000
  yield await limiters(100_000)
  if (keys > 100_000) yield await limiters(keys)
  yield await keepers(answers)
}

async function limiters(keys: number): Promise<Table> {
  const filled = new Map<string, Filled>()
  for (const name of LIMITERS) filled.set(name, await fill(name, keys))
  const ours = filled.get('@svc/ratelimit') as Filled
  const peer = filled.get('express-rate-limit') as Filled
  return {
    table: `a rate limit with ${keys.toLocaleString('en')} IPv4 keys`,
    note: 'Heap, external memory and array buffers after a collection; CPU of the costliest 200 of all insertions; the longest stand-still of the event loop in the two seconds around the end of the window.',
    head: ['', 'bytes a key', 'worst 200 insertions', 'worst pause at the end of the window'],
    rows: [...filled].map(([name, { bytesPerKey, worstFill, worstEnd }]) => [
      name,
      bytesPerKey.toFixed(0),
      `${worstFill.toFixed(1)} ms`,
      `${worstEnd.toFixed(1)} ms`,
    ]),
    goals:
      keys < 1_000_000
        ? []
        : [
            limit('L1', 'bytes a key', ours.bytesPerKey, 48, ''),
            limit('L2', 'worst 200 insertions', ours.worstFill, 8, ' ms'),
            limit('L2', 'worst pause at the end of the window', ours.worstEnd, 3, ' ms'),
            limit('L1', 'bytes a key to express-rate-limit', ours.bytesPerKey / peer.bytesPerKey, 48 / 201, ' ×'),
          ],
  }
}

async function keepers(keys: number): Promise<Table> {
  const rows: string[][] = []
  let own = 0
  for (const name of KEEPERS) {
    const { bytesPerKey, worstFill } = await fill(name, keys)
    if (name.startsWith('@svc/')) own = bytesPerKey
    rows.push([name, bytesPerKey.toFixed(0), `${worstFill.toFixed(1)} ms`])
  }
  return {
    table: `an idempotency key with an answer of 150 bytes, ${keys.toLocaleString('en')} keys`,
    head: ['', 'bytes a key', 'worst 200 first requests'],
    rows,
    goals: [limit('I1', 'bytes a stored answer of 150 bytes', own, 480, '')],
  }
}

function limit(id: string, what: string, reached: number, most: number, unit: string): Table['goals'][number] {
  const digits = most < 1 ? 2 : 1
  const wanted = `${what} at most ${most.toFixed(most < 10 ? digits : 0)}${unit}`
  return { id, wanted, reached: `${reached.toFixed(digits)}${unit}`, met: reached <= most }
}

async function fill(name: string, keys: number): Promise<Filled> {
  const child = fork(new URL('../memory-worker.ts', import.meta.url), [name, String(keys)], {
    execArgv: ['--no-warnings', '--expose-gc', '--max-old-space-size=4096'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code} before it was full`)
  })
  const [filled] = (await Promise.race([once(child, 'message'), ended])) as [Filled]
  ended.catch(() => {})
  child.disconnect()
  return filled
}
