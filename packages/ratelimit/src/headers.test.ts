import { parseList } from 'structured-headers'
import { describe, expect, test } from 'vitest'
import type { AlgorithmName } from './algorithm.ts'
import { toDecision } from './decision.ts'
import { exceeded, retrySeconds } from './errors.ts'
import { compileHeaders, type HeaderStyle, type HeaderValues } from './headers.ts'
import { definePolicy } from './policy.ts'

interface LimitRow {
  name?: string
  rate: string
  unit?: string
  burst?: number
  algorithm?: AlgorithmName
  /** allowed, remaining, resetMs, retryMs */
  says: [boolean, number, number, number]
}

function decide(...rows: LimitRow[]) {
  const charges = rows.map(({ name = 'default', rate, unit, burst, algorithm = 'fixed-window' }) => ({
    policy: definePolicy({ name, group: 'g', rate, unit, burst, algorithm }),
    key: 'trial121323',
    cost: 1,
    slot: '',
  }))
  const outcomes = rows.map(({ says: [allowed, remaining, resetMs, retryMs] }) => ({
    allowed,
    remaining,
    resetMs,
    retryMs,
  }))
  return toDecision({ charges, outcomes, source: 'store', time: 0, by: {} as never })
}

function formatAll(style: HeaderStyle | HeaderStyle[], rows: LimitRow[], more = {}): HeaderValues {
  const options = {
    styles: [style].flat(),
    resetFormat: 'epoch',
    partitionSalt: undefined,
    now: () => 1_790_000_000_100,
  } as const
  return compileHeaders({ ...options, ...more })(decide(...rows))
}

describe('draft-ietf-httpapi-ratelimit-headers-11', () => {
  test.each<{ what: string; limits: LimitRow[]; policy: string; state: string }>([
    {
      what: 'the first hit, 10 s into a fixed window',
      limits: [{ rate: '100/60s', says: [true, 99, 50_000, 0] }],
      policy: '"default";q=100;w=60',
      state: '"default";r=99;t=50',
    },
    {
      what: 'a full quota, to which the cap of section 6 does not apply',
      limits: [{ rate: '1000/h', says: [true, 1000, 0, 0] }],
      policy: '"default";q=1000;w=3600',
      state: '"default";r=1000;t=0',
    },
    {
      what: 'two limits; the cap of section 6 changes nothing',
      limits: [
        { name: 'burst', rate: '20/1s', says: [true, 19, 1000, 0] },
        { name: 'hour', rate: '1000/h', says: [true, 999, 3_600_000, 0] },
      ],
      policy: '"burst";q=20;w=1, "hour";q=1000;w=3600',
      state: '"burst";r=19;t=1, "hour";r=999;t=3600',
    },
    {
      what: "a day's quota shortly before its end: capped",
      limits: [{ rate: '10000/d', says: [true, 10_000, 10_000, 0] }],
      policy: '"default";q=10000;w=86400',
      state: '"default";r=3;t=10',
    },
    {
      what: 'leases',
      limits: [{ name: 'conc', rate: '10/30s', algorithm: 'concurrency', says: [true, 3, 30_000, 0] }],
      policy: '"conc";q=10;qu="concurrent-requests"',
      state: '"conc";r=3',
    },
    {
      what: 'a quota of bytes',
      limits: [{ name: 'up', rate: '65535/10s', unit: 'content-bytes', says: [true, 65_535, 0, 0] }],
      policy: '"up";q=65535;qu="content-bytes";w=10',
      state: '"up";r=65535;t=0',
    },
    {
      what: 'rejected, 1 ms to wait',
      limits: [{ rate: '5/10s', algorithm: 'gcra', says: [false, 0, 10_000, 1] }],
      policy: '"default";q=5;w=10',
      state: '"default";r=0;t=1',
    },
    {
      what: 'rejected, 2001 ms to wait',
      limits: [{ rate: '5/10s', algorithm: 'gcra', says: [false, 1, 10_000, 2001] }],
      policy: '"default";q=5;w=10',
      state: '"default";r=0;t=3',
    },
    {
      what: 'a smaller burst: its own quota and window',
      limits: [{ rate: '600/m', burst: 20, algorithm: 'gcra', says: [true, 19, 100, 0] }],
      policy: '"default";q=20;w=2',
      state: '"default";r=19;t=1',
    },
  ])('$what', ({ limits, policy, state }) => {
    const fields = formatAll('draft-11', limits)
    expect(fields).toEqual({ 'RateLimit-Policy': policy, RateLimit: state })
    for (const value of [policy, state]) expect(parseList(value)).toHaveLength(limits.length)
  })

  test('sends partition keys that do not reveal the client', () => {
    const [fields, others] = ['salt', 'other'].map((partitionSalt) =>
      formatAll('draft-11', [{ rate: '5/10s', says: [true, 4, 10, 0] }], { partitionSalt }),
    )
    expect(fields?.['RateLimit']).toMatch(/^"default";r=4;t=1;pk=:[A-Za-z0-9+/]{16}:$/)
    expect(fields?.['RateLimit']).not.toBe(others?.['RateLimit'])
  })
})

describe('the other styles', () => {
  const limits: LimitRow[] = [
    { name: 'wide', rate: '100/m', says: [true, 90, 60_000, 0] },
    { name: 'near', rate: '10/10s', says: [true, 2, 9001, 0] },
  ]
  test.each<{ style: HeaderStyle; more?: object; fields: HeaderValues }>([
    {
      style: 'x-ratelimit',
      fields: { 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '2', 'X-RateLimit-Reset': '1790000010' },
    },
    {
      style: 'x-ratelimit',
      more: { resetFormat: 'delta' },
      fields: { 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '2', 'X-RateLimit-Reset': '10' },
    },
    { style: 'draft-7', fields: { 'RateLimit-Policy': '10;w=10', RateLimit: 'limit=10, remaining=2, reset=10' } },
    {
      style: 'draft-6',
      fields: {
        'RateLimit-Policy': '10;w=10',
        'RateLimit-Limit': '10',
        'RateLimit-Remaining': '2',
        'RateLimit-Reset': '10',
      },
    },
    {
      style: 'draft-8',
      fields: {
        'RateLimit-Policy': '"wide";q=100;w=60, "near";q=10;w=10',
        RateLimit: '"wide";r=90;t=60, "near";r=2;t=10',
      },
    },
  ])('$style $more', ({ style, more, fields }) => {
    expect(formatAll(style, limits, more)).toEqual(fields)
  })

  test.each([
    ['10/1s', '10;w=1'],
    ['10/100ms', '10;w=1'],
    ['10/1001ms', '10;w=2'],
  ])('draft-7 rounds the window of %s up to whole seconds: %s', (rate, policy) => {
    expect(formatAll('draft-7', [{ rate, says: [true, 9, 100, 0] }])['RateLimit-Policy']).toBe(policy)
  })
})

describe('an error', () => {
  test.each<LimitRow & { seconds: string; message: string }>([
    {
      rate: '5/10s',
      says: [false, 0, 10_000, 1],
      seconds: '1',
      message: 'Rate limit of 5 requests in 10 seconds exceeded. Try again in 1 second.',
    },
    {
      rate: '5/15m',
      says: [false, 0, 900_000, 180_000],
      seconds: '180',
      message: 'Rate limit of 5 requests in 15 minutes exceeded. Try again in 3 minutes.',
    },
    {
      rate: '1/m',
      says: [false, 0, 60_000, 60_000],
      seconds: '60',
      message: 'Rate limit of 1 request in 1 minute exceeded. Try again in 1 minute.',
    },
    {
      rate: '1/30s',
      algorithm: 'concurrency',
      says: [false, 0, 30_000, 30_000],
      seconds: '1',
      message: 'Only 1 request may run at a time. Try again in 1 second.',
    },
    {
      rate: '65535/s',
      unit: 'bytes',
      says: [false, 0, 1000, 1000],
      seconds: '1',
      message: 'Rate limit of 65535 bytes in 1 second exceeded. Try again in 1 second.',
    },
    {
      rate: '5/h',
      says: [false, 0, 5000, -1],
      seconds: '5',
      message: 'Rate limit of 5 requests in 1 hour exceeded. Try again in 5 seconds.',
    },
    {
      rate: '2/30s',
      algorithm: 'concurrency',
      says: [false, 0, 30_000, 30_000],
      seconds: '1',
      message: 'Only 2 requests may run at a time. Try again in 1 second.',
    },
  ])('of $rate waits $seconds s', ({ seconds, message, ...limit }) => {
    const decision = decide(limit)
    const error = exceeded(decision, { 'X-RateLimit-Limit': '5' }, retrySeconds(decision))
    expect(error).toMatchObject({ status: 429, code: 'ERR_RATELIMIT_EXCEEDED', expose: true, message })
    expect(error.headers).toEqual({ 'X-RateLimit-Limit': '5', 'Retry-After': seconds, 'Cache-Control': 'no-store' })
  })

  test('names the limit with the longest wait, even if another has less left', () => {
    const decision = decide(
      { name: 'a', rate: '5/s', says: [true, 0, 1000, 0] },
      { name: 'b', rate: '9/m', says: [false, 0, 60_000, 7000] },
      { name: 'c', rate: '9/h', says: [false, 1, 60_000, 9000] },
    )
    expect(decision).toMatchObject({ name: 'c', allowed: false, retryMs: 9000 })
    expect(exceeded(decision, {}, retrySeconds(decision))).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      extensions: { 'violated-policies': ['b', 'c'] },
    })
  })
})
