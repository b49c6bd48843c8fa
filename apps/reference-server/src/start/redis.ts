import type { RateLimitStore } from '@svc/ratelimit'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

export interface SharedCounters {
  store: RateLimitStore
  close(): Promise<void>
}

/** Rate limits that all processes on one Redis share. While it is away each process counts for itself. */
export function sharedCounters(url: string, log: Logger): SharedCounters {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, connectTimeout: 2000 })
  let wasUp = true
  redis.on('error', (error: Error) => {
    if (wasUp) log.warn({ err: error }, 'Redis is away: rate limits are those of this process')
    wasUp = false
  })
  redis.on('ready', () => {
    wasUp = true
  })
  return { store: redisStore(redis), close: async () => redis.disconnect() }
}
