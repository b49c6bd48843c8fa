import { ratelimit } from '@svc/ratelimit'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'

// One of several processes that ask for the same key, all from the same moment on; tells how often it was let through.
const redis = new Redis(process.argv[2] ?? '')
const limiter = ratelimit({
  rate: '100/1h',
  store: redisStore(redis, { prefix: 'hammer:' }),
  onStoreError: 'closed',
  storeTimeoutMs: 10_000,
})
await limiter.peek('one key')
await new Promise((resolve) => {
  process.once('message', resolve)
  process.send?.('ready')
})
let allowed = 0
for (let round = 0; round < 20; round++) {
  const decisions = await Promise.all(Array.from({ length: 25 }, () => limiter.consume('one key')))
  allowed += decisions.filter((decision) => decision.allowed).length
}
process.send?.(allowed, () => redis.disconnect())
