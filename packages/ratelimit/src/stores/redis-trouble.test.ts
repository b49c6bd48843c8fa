import { type RateLimitStore, rateLimit } from '@svc/ratelimit'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { freePort, type OwnServer, startOwnRedis } from '../../../internal/testing/servers.ts'
import { startLoad } from '../load.fixture.ts'
import { openProxy, type Proxy } from './proxy.fixture.ts'

const warned: string[] = []
vi.spyOn(process, 'emitWarning').mockImplementation(((_message: string, { code }: { code: string }) => {
  warned.push(code)
}) as never)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  warned.length = 0
})

const TIMEOUT_MS = 200
/** A plain timer that is armed before the request and ends a little after the time limit. */
const LONGEST_MS = TIMEOUT_MS + 25

const clients = {
  ioredis: (url: string) => {
    const client = new Redis(url, { retryStrategy: () => 200 })
    client.on('error', () => {})
    closing.push(() => client.disconnect())
    return client
  },
  'node-redis': (url: string) => {
    const client = createClient({ url })
    client.on('error', () => {})
    void client.connect().catch(() => {})
    closing.push(() => client.destroy())
    return client
  },
}

interface Trouble {
  what: string
  direct: boolean
  harm(server: OwnServer, proxy: Proxy): unknown
  heal(server: OwnServer, proxy: Proxy): unknown
  /** Whether what was counted before is still known. */
  keeps: boolean
}

const troubles: Trouble[] = [
  {
    what: 'is killed and started again',
    direct: true,
    harm: (server) => server.signal('SIGKILL'),
    async heal(server) {
      const again = await startOwnRedis(server.port)
      closing.unshift(() => again?.stop())
    },
    keeps: false,
  },
  {
    what: 'stands still for a while',
    direct: true,
    harm: (server) => server.signal('SIGSTOP'),
    heal: (server) => server.signal('SIGCONT'),
    keeps: true,
  },
  {
    what: 'is slow for a while',
    direct: false,
    harm: (_server, proxy) => proxy.delay(2 * TIMEOUT_MS),
    heal: (_server, proxy) => proxy.delay(0),
    keeps: true,
  },
]

/** How often a store was asked. */
function counted(store: RateLimitStore): { store: RateLimitStore; calls: () => number } {
  let calls = 0
  const consume: RateLimitStore['consume'] = (charges) => {
    calls++
    return store.consume(charges)
  }
  return { store: { ...store, consume }, calls: () => calls }
}

describe.each(Object.entries(clients))('under load, with %s', (_name, connect) => {
  test.each(troubles)('a Redis that $what delays no request, and counts again afterward', async (trouble) => {
    const server = await startOwnRedis()
    if (!server) return
    closing.push(server.stop)
    const proxy = await openProxy(server.url)
    closing.push(proxy.close)
    const { store, calls } = counted(
      redisStore(connect(trouble.direct ? server.url : proxy.url), { cacheRefusedMs: 0 }),
    )
    const strict = rateLimit({ rate: '3/1h', store, storeTimeoutMs: 5000, onStoreError: 'reject', warnings: false })
    const admitted = async (): Promise<number> => {
      const decisions = await Promise.all(Array.from({ length: 9 }, () => strict.consume('k')))
      return decisions.filter(({ allowed }) => allowed).length
    }
    const load = await startLoad(rateLimit({ rate: '1000000/1h', store, storeTimeoutMs: TIMEOUT_MS }), LONGEST_MS)
    await load.sees('store', 50)
    expect(await admitted()).toBe(3)

    await trouble.harm(server, proxy)
    await load.sees('local', 50)
    const asked = calls()
    await load.sees('local', 200)
    expect(calls() - asked, 'calls while the breaker is open').toBeLessThan(20)

    await trouble.heal(server, proxy)
    await load.sees('store', 50)
    await load.stop()
    expect(await admitted()).toBe(trouble.keeps ? 0 : 3)
    expect(load.late()).toBe(0)
    expect(warned).toEqual(['WRN_RATELIMIT_STORE_DOWN', 'WRN_RATELIMIT_STORE_RECOVERED'])
  })

  test.each([
    { what: 'accepts and never replies', urlOf: async () => (await openProxy()).url },
    { what: 'is not there', urlOf: async () => `redis://127.0.0.1:${await freePort()}` },
  ])('a Redis that $what delays no request', async ({ urlOf }) => {
    const store = redisStore(connect(await urlOf()))
    const load = await startLoad(rateLimit({ rate: '1000000/1h', store, storeTimeoutMs: TIMEOUT_MS }), LONGEST_MS)
    await load.sees('local', 100)
    await load.stop()
    expect(load.late()).toBe(0)
    expect(warned).toEqual(['WRN_RATELIMIT_STORE_DOWN'])
  })
})
