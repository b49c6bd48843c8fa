import { rateLimit } from '@svc/ratelimit'
import { type RedisSend, redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { clock } from '../../../internal/testing/clock.ts'
import { startRedis } from '../../../internal/testing/servers.ts'

// On a busy machine, Redis may take longer than requests wait by default.
const PATIENT = { storeTimeoutMs: 60_000, onStoreError: 'reject' } as const

const server = await startRedis()
const redis = server ? new Redis(server.url) : undefined
afterAll(async () => {
  redis?.disconnect()
  await server?.stop()
})

/** A client that writes down what it was asked. */
function recorder(): { send: RedisSend; commands: (readonly string[])[] } {
  const commands: (readonly string[])[] = []
  return {
    commands,
    send(args) {
      commands.push(args)
      const [command = '', ...rest] = args
      return redis?.call(command, ...rest) ?? Promise.reject(new Error('no redis'))
    },
  }
}

describe.skipIf(!server)('redisStore (needs redis-server)', () => {
  test('sends all checks of one turn of the event loop in one call', async () => {
    const { send, commands } = recorder()
    const limits = [
      { name: 'a', rate: '5/m' },
      { name: 'b', rate: '50/h' },
    ] as const
    const limiter = rateLimit({ limits, store: redisStore(send, { prefix: 'batch:' }), ...PATIENT })
    await limiter.consume('first')
    commands.length = 0
    const decisions = await Promise.all(Array.from({ length: 64 }, (_, at) => limiter.consume(`k${at % 8}`)))
    expect(commands.map(([command]) => command)).toEqual(['EVALSHA'])
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(40)
  })

  test('splits calls that would block the server', async () => {
    const { send, commands } = recorder()
    const limiter = rateLimit({ rate: '5/m', store: redisStore(send, { prefix: 'cut:' }), ...PATIENT })
    await limiter.consume('first')
    commands.length = 0
    await Promise.all(Array.from({ length: 500 }, (_, at) => limiter.consume(`k${at}`)))
    expect(commands).toHaveLength(3)
  })

  test('sends arguments that all checks share once', async () => {
    const { send, commands } = recorder()
    const store = redisStore(send, { prefix: 'words:' })
    const readWords = async (costs: readonly number[], options: object): Promise<(number | undefined)[]> => {
      const limiter = rateLimit({ rate: '9/1000s', store, ...PATIENT, ...options })
      await limiter.consume('first')
      commands.length = 0
      const decisions = await Promise.all(costs.map((cost, at) => limiter.consume(`k${at}`, cost)))
      expect(decisions.map(({ remaining }) => remaining)).toEqual(costs.map((cost) => 9 - cost))
      return commands.map((words) => words.length - 3 - Number(words[2]))
    }
    // The time, five numbers of the policy, cost and lease.
    expect(await readWords([2, 2, 2, 2], {})).toEqual([8])
    expect(await readWords([1, 2, 3, 2], { group: 'costs' })).toEqual([14])
    expect(await readWords([1, 1], { algorithm: 'fixed-window' })).toEqual([10])
    expect(await readWords([3, 3], { algorithm: 'fixed-window', windowStart: 'epoch', group: 'epoch' })).toEqual([8])
    expect(await readWords([1, 1], { algorithm: 'concurrency' })).toEqual([10])
  })

  test('sends the script again if the server has lost it', async () => {
    const { send, commands } = recorder()
    const limiter = rateLimit({ rate: '5/m', store: redisStore(send, { prefix: 'lost:' }), ...PATIENT })
    await limiter.consume('k')
    await redis?.call('SCRIPT', 'FLUSH')
    commands.length = 0
    expect((await limiter.consume('k')).remaining).toBe(3)
    expect((await limiter.consume('k')).remaining).toBe(2)
    expect(commands.map(([command]) => command)).toEqual(['EVALSHA', 'EVAL', 'EVALSHA'])
  })

  test('sends the keys of different slots in separate calls', async () => {
    const { send, commands } = recorder()
    const store = redisStore(send, { prefix: 'cluster:', cluster: true })
    const one = rateLimit({
      limits: [
        { name: 'a', rate: '5/m' },
        { name: 'b', rate: '9/m' },
      ],
      store,
      ...PATIENT,
    })
    const mixed = rateLimit({
      limits: [
        { name: 'c', rate: '5/m' },
        { name: 'd', rate: '9/m', by: 'global' },
      ],
      store,
      ...PATIENT,
      group: 'mixed',
    })
    await one.consume('first')
    commands.length = 0
    await Promise.all([one.consume('k1'), one.consume('k2'), mixed.consume('k1')])
    const tags = commands.map((args) => args.slice(3, 3 + Number(args[2])).map((key) => /\{(.*?)\}/.exec(key)?.[1]))
    expect(tags.map((all) => new Set(all).size)).toEqual([1, 1, 1])
    expect(new Set(tags.flat()).size).toBe(3)
  })

  test('writes keys that do not reveal the client', async () => {
    const limiter = rateLimit({ rate: '5/10s', store: redisStore(redis as Redis, { prefix: 'private:' }), ...PATIENT })
    await limiter.consume('user:ada@example.org')
    const pattern = /^private:\{[\w-]{22}\}:default\/default\/gcra\/5-10000-5$/
    expect(await redis?.keys('private:*')).toEqual([expect.stringMatching(pattern)])
  })

  test.each([
    { algorithm: 'gcra', from: 100_000, to: 200_000 },
    { algorithm: 'token-bucket', from: 100_000, to: 200_000 },
    { algorithm: 'fixed-window', from: 1, to: 1_000_000 },
    { algorithm: 'sliding-counter', from: 1_000_001, to: 2_000_000 },
    { algorithm: 'sliding-log', from: 900_000, to: 1_000_000 },
    { algorithm: 'concurrency', from: 900_000, to: 1_000_000 },
  ] as const)('lets a key of $algorithm expire when it says nothing any more', async ({ algorithm, from, to }) => {
    const prefix = `expiry-${algorithm}:`
    await rateLimit({ rate: '5/1000s', algorithm, store: redisStore(redis as Redis, { prefix }), ...PATIENT }).consume(
      'k',
    )
    const [key = ''] = (await redis?.keys(`${prefix}*`)) ?? []
    expect(await redis?.pttl(key)).toSatisfy((ms: number) => ms >= from && ms <= to)
  })

  test('does not call Redis for a rejected key until it may retry', async () => {
    const { send, commands } = recorder()
    const time = clock()
    const limiter = rateLimit({
      rate: '2/1s',
      store: redisStore(send, { prefix: 'rejected:', now: time.now }),
      ...PATIENT,
    })
    for (const allowed of [true, true, false]) expect((await limiter.consume('k')).allowed).toBe(allowed)
    const asked = commands.length
    time.advance(200)
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, remaining: 0, retryMs: 300, resetMs: 800 })
    expect(commands).toHaveLength(asked)
    await limiter.refund('k')
    expect((await limiter.consume('k')).allowed).toBe(true)
    expect((await limiter.consume('k')).allowed).toBe(false)
    time.advance(300)
    expect(await limiter.consume('k')).toMatchObject({ allowed: true })
  })

  test('caches no rejection from before a refund that was sent at the same time', async () => {
    const limiter = rateLimit({ rate: '1/1h', store: redisStore(redis as Redis, { prefix: 'together:' }), ...PATIENT })
    await limiter.consume('k')
    const [rejected] = await Promise.all([limiter.consume('k'), limiter.refund('k')])
    expect(rejected.allowed).toBe(false)
    expect((await limiter.consume('k')).allowed).toBe(true)
  })

  test('calls Redis again after a second, since other processes may have refunded units', async () => {
    const time = clock()
    const [one, other] = [0, 1].map(() =>
      rateLimit({
        rate: '1/1h',
        store: redisStore(redis as Redis, { prefix: 'elsewhere:', now: time.now }),
        ...PATIENT,
      }),
    )
    await one?.consume('k')
    expect((await one?.consume('k'))?.allowed).toBe(false)
    await other?.reset('k')
    time.advance(1000)
    expect((await one?.consume('k'))?.allowed).toBe(true)
  })

  test('uses the clock of the server, so a process whose clock lags changes nothing', async () => {
    const lagging = clock(Date.UTC(2001, 0, 1))
    const store = redisStore(redis as Redis, { prefix: 'lag:' })
    const limiter = rateLimit({ rate: '5/m', store, now: lagging.now })
    const decisions = await Promise.all(Array.from({ length: 50 }, () => limiter.consume('k')))
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5)
  })
})

test.each([undefined, {}, 7])('redisStore rejects the client %j', (client) => {
  expect(() => redisStore(client as never)).toThrow(TypeError)
})

test('an unexpected reply is an error of the store', async () => {
  const store = redisStore(async () => 'OK')
  const limiter = rateLimit({ rate: '5/m', store, onStoreError: 'reject', warnings: false })
  await expect(limiter.consume('k')).rejects.toMatchObject({ status: 503, code: 'ERR_RATELIMIT_STORE_DOWN' })
})
