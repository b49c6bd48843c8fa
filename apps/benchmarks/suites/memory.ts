import { fork } from 'node:child_process'
import type { Effort } from '../harness/measure.ts'
import { receiveMessage } from '../harness/message.ts'
import type { Column, Goal, Table } from '../harness/table.ts'

export const title = 'Memory and pauses of stores'

interface Filled {
  bytesPerKey: number
  /** CPU milliseconds of the costliest 200 insertions, on the main thread. */
  worstFill: number
  /** CPU milliseconds of the costliest turn of the event loop when the window ended. */
  worstEnd: number
}

const LIMITERS = ['express-rate-limit', 'rate-limiter-flexible', 'hono-rate-limiter', '@svc/ratelimit']
const KEEPERS = ['express-idempotency', '@node-idempotency/core', '@svc/idempotency']

const COLLECTED = 'the engine collects what the caller of the store made meanwhile: promises, names, results'
const KEYS: Column = { name: 'a key', unit: 'bytes' }
const MS = 1e6

/** Each store fills in a process of its own, so that no garbage of another is in the figures. */
export async function* tables({ rounds }: Effort): AsyncIterable<Table> {
  const isShort = rounds < 10
  yield await limiters(isShort ? 100_000 : 1_000_000)
  yield await keepers(isShort ? 2000 : 10_000)
}

async function limiters(keys: number): Promise<Table> {
  const filled = await fillAll(LIMITERS, keys)
  const ours = filled.get('@svc/ratelimit') as Filled
  const peer = filled.get('express-rate-limit') as Filled
  return {
    table: `a rate limit with ${keys.toLocaleString('en')} IPv4 keys`,
    note: 'Heap, external memory and array buffers after a collection; CPU of the main thread for the costliest 200 of all insertions, and for the costliest turn of the event loop in the two seconds around the end of the window.',
    columns: [
      KEYS,
      { name: 'worst 200 insertions', unit: 'time' },
      { name: 'worst pause at the end of the window', unit: 'time' },
    ],
    rows: [...filled].map(([name, { bytesPerKey, worstFill, worstEnd }]) => ({
      name,
      figures: [bytesPerKey, worstFill * MS, worstEnd * MS],
    })),
    goals: [
      atMost('L1', 'memory of a key', 48, 'bytes', ours.bytesPerKey),
      atMost('L1', 'memory of a key to express-rate-limit', 48 / 201, 'times', ours.bytesPerKey / peer.bytesPerKey),
      { ...atMost('L2', 'worst 200 insertions', 8 * MS, 'time', ours.worstFill * MS), reason: COLLECTED },
      atMost('L2', 'worst pause at the end of the window', 3 * MS, 'time', ours.worstEnd * MS),
    ],
  }
}

async function keepers(keys: number): Promise<Table> {
  const filled = await fillAll(KEEPERS, keys)
  const ours = filled.get('@svc/idempotency') as Filled
  return {
    table: `an idempotency key with a response of 150 bytes, ${keys.toLocaleString('en')} keys`,
    columns: [KEYS, { name: 'worst 200 first requests', unit: 'time' }],
    rows: [...filled].map(([name, { bytesPerKey, worstFill }]) => ({ name, figures: [bytesPerKey, worstFill * MS] })),
    goals: [
      {
        ...atMost('I1', 'memory of a stored response of 150 bytes', 480, 'bytes', ours.bytesPerKey),
        reason: 'an entry has a fingerprint, lease, fence and times in addition to the response',
      },
    ],
  }
}

function atMost(id: string, what: string, most: number, unit: Goal['unit'], reached: number): Goal {
  return { id, what, most, unit, reached: [reached] }
}

async function fillAll(names: readonly string[], keys: number): Promise<Map<string, Filled>> {
  const filled = new Map<string, Filled>()
  for (const name of names) filled.set(name, await fill(name, keys))
  return filled
}

async function fill(name: string, keys: number): Promise<Filled> {
  const child = fork(new URL('../harness/memory-worker.ts', import.meta.url), [name, String(keys)], {
    execArgv: ['--no-warnings', '--expose-gc', '--max-old-space-size=4096'],
  })
  const filled = await receiveMessage<Filled>(child)
  child.disconnect()
  return filled
}
