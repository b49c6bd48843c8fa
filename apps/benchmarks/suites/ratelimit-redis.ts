import type { RateLimitStore } from '@svc/ratelimit'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'
import { RedisStore } from 'rate-limit-redis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { createClient } from 'redis'
import { startRedis } from '../../../packages/internal/testing/servers.ts'
import { createCharge } from '../harness/charge.ts'
import type { Effort } from '../harness/measure.ts'
import { computeRatio, type Goal, spread, type Table, type Target } from '../harness/table.ts'

export const title = 'Rate limits in Redis'

interface NodeRedis {
  sendCommand(words: string[]): PromiseLike<unknown>
}

type Count = (key: string) => PromiseLike<unknown>

const HOUR = 3_600_000
const KEYS = 10_000
const NAMES = Array.from({ length: KEYS }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
const PEER = 'rate-limit-redis, ioredis'
const PEER_NODE = 'rate-limit-redis, node-redis'
const OURS = '@svc/ratelimit, ioredis'
const OURS_NODE = '@svc/ratelimit, node-redis'
const SCRIPT = 'a bare EVALSHA, ioredis'
const BATCH = 'what is left is putting the keys of a batch together and taking its reply apart'
const SCRIPT_OWN =
  'the script of an exact limit takes Redis longer than the INCR of a fixed window, and Redis runs on one core: decisions 023 and 027'

/**
 * A closed loop with so many requests in flight: how many a second, and what each costs this
 * process.
 */
export async function* tables({ rounds, slice }: Effort): AsyncIterable<Table> {
  const redis = await startRedis()
  if (!redis) return
  const io = new Redis(redis.url)
  const node = await createClient({ url: redis.url }).connect()
  try {
    const counters = await createCounters(io, node)
    for (const inFlight of [1, 64, 256])
      yield await table({ counters, usage: () => measureUsage(io) }, inFlight, Math.ceil(rounds / 2), slice * 10)
  } finally {
    io.disconnect()
    node.destroy()
    await redis.stop()
  }
}

async function createCounters(io: Redis, node: NodeRedis): Promise<Record<string, Count>> {
  const call = async (...words: string[]): Promise<never> => (await io.call(...(words as [string]))) as never
  const viaIo = new RedisStore({ sendCommand: call })
  const viaNode = new RedisStore({
    sendCommand: (...words: string[]) => node.sendCommand(words) as never,
    prefix: 'n:',
  })
  for (const store of [viaIo, viaNode]) store.init({ windowMs: HOUR } as never)
  const flexible = new RateLimiterRedis({ storeClient: io, points: 1e9, duration: 3600 })
  const sha = (await io.script('LOAD', "return redis.call('INCR', KEYS[1])")) as string
  return {
    [PEER]: (key) => viaIo.increment(key),
    [PEER_NODE]: (key) => viaNode.increment(key),
    'rate-limiter-flexible, ioredis': (key) => flexible.consume(key),
    [OURS]: await createCounter(redisStore(io)),
    [OURS_NODE]: await createCounter(redisStore(node, { prefix: 'm:' })),
    [SCRIPT]: (key) => io.evalsha(sha, 1, key),
  }
}

/**
 * Measures only the store, as in the rows of the peers. The suite of the memory stores measures the
 * cost of the limiter.
 */
async function createCounter(store: RateLimitStore): Promise<Count> {
  const { policy } = await createCharge('1000000000/1h')
  return async (key) => store.consume([{ policy, key, cost: 1, slot: key }])
}

interface Measured {
  counters: Record<string, Count>
  /** CPU microseconds that Redis has taken so far. */
  usage: () => Promise<number>
}

async function measureUsage(client: Redis): Promise<number> {
  const text = await client.info('cpu')
  const [user, system] = ['user', 'sys'].map((kind) => Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(text)?.[1]))
  return ((user ?? 0) + (system ?? 0)) * 1e6
}

interface Sample {
  perSecond: number
  cpu: number
  /** CPU microseconds that Redis itself takes for one operation. */
  redisCpu: number
  p99: number
}

async function table({ counters, usage }: Measured, inFlight: number, rounds: number, ms: number): Promise<Table> {
  const samples = new Map<string, Sample[]>()
  const names = Object.keys(counters)
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + Math.max(round, 0)) % names.length] as string
      const sample = await loop(counters[name] as Count, usage, inFlight, ms)
      // The first round warms up.
      if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample])
    }
  }
  const of = (name: string, figure: keyof Sample): number[] => (samples.get(name) ?? []).map((sample) => sample[figure])
  const goal = (ours: string, peer: string, figure: 'cpu' | 'perSecond', bound: Omit<Target, 'id'>): Goal => ({
    id: 'L5',
    ...bound,
    unit: 'times',
    wall: figure === 'perSecond',
    reason: figure === 'cpu' ? BATCH : SCRIPT_OWN,
    what: `${figure === 'cpu' ? 'CPU' : 'operations a second'} of ${ours} to ${peer}`,
    reached: [computeRatio(of(ours, figure), of(peer, figure))],
  })
  const goals: Record<number, Goal[]> = {
    1: [goal(OURS, SCRIPT, 'perSecond', { least: 0.85 })],
    64: [
      goal(OURS, PEER, 'cpu', { most: 0.33 }),
      goal(OURS_NODE, PEER_NODE, 'cpu', { most: 0.7 }),
      goal(OURS, PEER, 'perSecond', { least: 1.5 }),
    ],
    256: [goal(OURS, PEER, 'perSecond', { least: 2.5 })],
  }
  return {
    table: `${inFlight} in flight`,
    columns: [
      { name: 'operations/s', unit: 'per second', wall: true },
      { name: `to ${PEER}`, unit: 'times', wall: true },
      { name: 'CPU of this process', unit: 'time' },
      { name: `to ${PEER}`, unit: 'times' },
      { name: 'CPU of Redis', unit: 'time' },
      { name: 'p99', unit: 'time', wall: true },
    ],
    rows: names.map((name) => ({
      name,
      figures: [
        spread(of(name, 'perSecond')).median,
        computeRatio(of(name, 'perSecond'), of(PEER, 'perSecond')),
        spread(of(name, 'cpu')).median * 1000,
        computeRatio(of(name, 'cpu'), of(PEER, 'cpu')),
        spread(of(name, 'redisCpu')).median * 1000,
        spread(of(name, 'p99')).median * 1e6,
      ],
    })),
    goals: goals[inFlight] ?? [],
  }
}

async function loop(count: Count, usage: Measured['usage'], inFlight: number, ms: number): Promise<Sample> {
  const end = performance.now() + ms
  const times: number[] = []
  let turn = Math.floor(Math.random() * KEYS)
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now()
      await count(NAMES[turn++ % KEYS] as string)
      times.push(performance.now() - start)
    }
  }
  const before = await usage()
  const cpu = process.cpuUsage()
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, client))
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const redisCpu = ((await usage()) - before) / times.length
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  return { perSecond: times.length / seconds, cpu: (user + system) / times.length, redisCpu, p99 }
}
