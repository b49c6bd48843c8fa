import { readFileSync } from 'node:fs'
import type { Policy } from './algorithm.ts'
import { definePolicy } from './policy.ts'

/** A request with its expected result; `extra` is the state of the algorithm. */
export type Row = [
  now: number,
  cost: number,
  allowed: boolean,
  remaining: number,
  resetMs: number,
  retryMs: number,
  extra: number,
]

const vectors: Record<string, Row[]> = JSON.parse(
  readFileSync(new URL('../vectors/ratelimit.json', import.meta.url), 'utf8'),
)

/** Traces with expected results, for the algorithms and for every store. */
export const traces = (
  [
    { trace: 'fixed', algorithm: 'fixed-window', rate: '5/10s', burst: undefined },
    { trace: 'slidingLog', algorithm: 'sliding-log', rate: '5/10s', burst: undefined },
    { trace: 'slidingCounter', algorithm: 'sliding-counter', rate: '10/10s', burst: undefined },
    { trace: 'tokenBucket', algorithm: 'token-bucket', rate: '2/s', burst: 10 },
    { trace: 'gcra', algorithm: 'gcra', rate: '5/10s', burst: undefined },
    { trace: 'gcraCell', algorithm: 'gcra', rate: '30/60s', burst: 16 },
  ] as const
).map((init) => ({
  ...init,
  rows: vectors[init.trace] ?? [],
  policyIn: (group: string): Policy => definePolicy({ name: 'x', group, ...init }),
}))
