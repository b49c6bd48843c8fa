import { idempotencyEngine } from '@svc/idempotency'
import { afterAll, expect, test } from 'vitest'
import { listWays, openStores } from './testing/stores.ts'

const KEYS = 50
const DUPLICATES = 64
const { kinds, close } = await openStores()

afterAll(close)

test.for(listWays(kinds))(
  `${KEYS} keys with ${DUPLICATES} concurrent duplicates each: each key runs once in $name`,
  async ({ open, transaction }, { skip }) => {
    if (!open) return skip('its server is not installed')
    const engine = idempotencyEngine({ store: await open(), transaction, storeTimeoutMs: 60_000 })
    const effects: string[] = []
    const send = async (key: string): Promise<string> => {
      const begun = await engine.begin({ scope: '', key, fingerprint: key })
      if (begun.outcome === 'replay') return Buffer.from(begun.response.body).toString()
      if (begun.outcome === 'refused') return begun.error.code
      effects.push(key)
      await new Promise((resolve) => setImmediate(resolve))
      await begun.lease.complete({ status: 201, headers: [], body: Buffer.from(key) })
      return key
    }
    const keys = Array.from({ length: KEYS }, (_, at) => `key-${at}`)
    const attempts = Array.from({ length: DUPLICATES }, () => keys).flat()
    const answers = await Promise.all(attempts.map(send))
    expect(effects.sort()).toEqual(keys.sort())
    const isRight = (answer: string, at: number) => [attempts[at], 'ERR_IDEMPOTENCY_IN_PROGRESS'].includes(answer)
    expect(answers.every(isRight)).toBe(true)
    expect(await Promise.all(keys.map(send))).toEqual(keys)
  },
)

test.for(listWays(kinds))('a job runs once in $name', async ({ open, transaction }, { skip }) => {
  if (!open) return skip('its server is not installed')
  const engine = idempotencyEngine({ store: await open(), transaction })
  let runs = 0
  const job = () =>
    engine.runOnce('invoice-7', { order: 7 }, () => Promise.resolve({ invoice: ++runs }), { maxWaitMs: 10_000 })
  expect(await Promise.all(Array.from({ length: 8 }, job))).toEqual(Array(8).fill({ invoice: 1 }))
  await expect(engine.runOnce('invoice-7', { order: 8 }, () => 1)).rejects.toMatchObject({ status: 422 })
})
