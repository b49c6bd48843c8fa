import { idempotency, memoryStore } from '@svc/idempotency'
import { sendRepresentation } from '@svc/negotiate'
import { LRUCache } from 'lru-cache'
import { type Middleware, requestStateOf } from '../../reference-server/src/index.ts'
import { faults } from './faults.ts'

/** The time for which the playground stores responses: short enough to wait for it. */
export const TTL_SECONDS = 2

/**
 * POST /play/idempotency/calls: work that the middleware of the package runs once for a key. A
 * fault happens inside the work, so that with `X-Demo-Fault: slow:1s` the key stays in progress.
 */
export function retries(): Middleware {
  const keyed = idempotency({ store: memoryStore(), ttlSeconds: TTL_SECONDS, required: true })
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
