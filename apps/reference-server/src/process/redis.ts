import { redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** Rate limits in Redis for all processes. If it is unavailable, each process counts for itself. */
export function sharedCounters(url: string, log: Logger) {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, connectTimeout: 2000 })
  let isUp = true
  redis.on('error', (error: Error) => {
    if (isUp) log.warn({ reason: error.message }, 'Redis is away: rate limits are those of this process')
    isUp = false
  })
  redis.on('ready', () => {
    isUp = true
  })
  return {
    store: redisStore(redis),
    /** Whether Redis can be reached; while it cannot, each process counts for itself. */
    isUp: (): boolean => isUp && redis.status === 'ready',
    close: (): void => redis.disconnect(),
  }
}
