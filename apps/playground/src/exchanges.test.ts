import { expect, test } from 'vitest'
import { Exchanges, MAX_ENTRIES, type Recorded } from './exchanges.ts'

function recorded(more: Partial<Recorded> = {}): Recorded {
  const common = { startedAt: 0, method: 'GET', target: '/health', status: 200, ms: 1.26, user: undefined }
  return { ...common, correlationId: 'a', request: {}, response: [{}, undefined], ...more }
}

test('reads no header until somebody looks', () => {
  let reads = 0
  const request = {
    get authorization() {
      reads++
      return 'Basic secret'
    },
  }
  const exchanges = new Exchanges()
  exchanges.add(recorded({ request }))
  expect(reads).toBe(0)
  expect(exchanges.list({})[0]?.request).toEqual({ authorization: 'Basic ***' })
  expect(reads).toBe(1)
})

test('masks what watchers and readers see', () => {
  const exchanges = new Exchanges()
  const seen: unknown[] = []
  const stop = exchanges.watch({}, (entry) => seen.push(entry))
  const response: Recorded['response'] = [{ 'set-cookie': 'a=b' }, ['X-Token', 'hidden', 'WWW-Authenticate', 'Basic']]
  const request = { link: '</x?key=hidden>; rel="next", </x?page=2>; rel="last"', 'x-auth': 'hidden words' }
  exchanges.add(recorded({ target: '/x?token=hidden', request, response, startedAt: Date.UTC(2026, 0, 9) }))
  stop()
  exchanges.add(recorded())
  expect(seen).toEqual([
    {
      number: 1,
      time: '2026-01-09T00:00:00.000Z',
      method: 'GET',
      target: '/x?token=***',
      status: 200,
      ms: 1.3,
      user: undefined,
      correlationId: 'a',
      request: { link: '</x?key=***>; rel="next", </x?page=2>; rel="last"', 'x-auth': '***' },
      response: { 'set-cookie': '***', 'x-token': '***', 'www-authenticate': 'Basic' },
    },
  ])
  expect(exchanges.list({ path: 'hidden' })).toEqual([])
  expect(exchanges.list({}).map(({ number }) => number)).toEqual([2, 1])
})

test('keeps the last ones and their numbers', () => {
  const exchanges = new Exchanges()
  for (let count = 0; count < MAX_ENTRIES + 5; count++) exchanges.add(recorded())
  const numbers = exchanges.list({}).map(({ number }) => number)
  expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([MAX_ENTRIES, MAX_ENTRIES + 5, 6])
})
