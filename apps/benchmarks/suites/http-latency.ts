import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import type { Effort } from '../harness/measure.ts'
import type { Column, Row, Table } from '../harness/table.ts'
import { ONE } from '../http/requests.ts'
import { BARE, FASTIFY, FULL, HONO, NODE, STACK, type Target, withTargets } from '../http/targets.ts'

export const title = 'Latency at fixed rates'

// One run tells enough: no goal is judged by it.
export const once = true

const RATES = [250, 1000]
const CONNECTIONS = 8
const MS = 1e6

const column = (name: string): Column => ({ name, unit: 'time', wall: true })

/** Measures the response time at fixed request rates, regardless of the maximum of each server. */
export function tables({ rounds }: Effort): AsyncIterable<Table> {
  const seconds = rounds < 10 ? 1 : 3
  return withTargets([NODE, BARE, STACK, FASTIFY, HONO, FULL], {}, async function* (targets) {
    for (const target of targets) await fire(target, 250, 1)
    for (const rate of RATES) {
      const rows: Row[] = []
      for (const target of targets) rows.push({ name: target.name, figures: await fire(target, rate, seconds) })
      const columns = [
        { name: 'requests/s', unit: 'per second', wall: true } satisfies Column,
        ...['half', '90 %', '99 %', 'longest'].map(column),
      ]
      yield { table: `GET one, ${rate} requests a second`, columns, rows, goals: [] }
    }
  })
}

async function fire({ port, fields }: Target, rate: number, seconds: number): Promise<number[]> {
  const { latency, requests } = await autocannon({
    url: `http://127.0.0.1:${port}${ONE}`,
    headers: fields,
    connections: CONNECTIONS,
    overallRate: rate,
    duration: seconds,
  })
  await setTimeout(100)
  const { p50, p90, p99, max } = latency
  return [requests.average, p50 * MS, p90 * MS, p99 * MS, max * MS]
}
