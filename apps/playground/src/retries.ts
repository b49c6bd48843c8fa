import { idempotency, memoryStore } from '@svc/idempotency'
import { sendRepresentation } from '@svc/negotiate'
import { LRUCache } from 'lru-cache'
import { type Middleware, requestStateOf } from '../../reference-server/src/index.ts'
import { faults } from './faults.ts'

/** How long the playground keeps answers: short enough to wait for. */
export const KEPT_SECONDS = 2

/**
 * POST /play/idempotency/calls: work that the package's own middleware lets happen once for a key. A fault happens inside
 * of the work, so that `X-Demo-Fault: slow:1s` keeps the key at work.
 */
export function retries(): Middleware {
  const keyed = idempotency({ store: memoryStore(), ttlSeconds: KEPT_SECONDS, required: true })
  const fail = faults()
  const counts = new LRUCache<string, number>({ max: 1000, ttl: 60_000 })
  return (req, res, next) => {
    const { path, headers } = requestStateOf(req)
    if (path !== '/play/idempotency/calls' || req.method !== 'POST') return next()
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    const work = (error?: unknown): void => {
      if (error !== undefined) return next(error)
      const key = String(req.headers['idempotency-key'])
      const happened = (counts.get(key) ?? 0) + 1
      counts.set(key, happened)
      const body = JSON.stringify({ happened })
      sendRepresentation(req, res, { status: 201, type: 'application/json', body, cacheControl: 'no-store' }, next)
    }
    keyed(req, res, (error) => (error === undefined ? fail(req, res, work) : next(error)))
  }
}
