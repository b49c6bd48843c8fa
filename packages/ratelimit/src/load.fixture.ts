import { type RateLimiter, rateLimitOf } from '@svc/ratelimit'
import { expect } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { send } from '../../internal/testing/check.ts'
import { hosts, listen } from '../../internal/testing/hosts.ts'

/** Continuous requests, each with its own timer. */
export interface Load {
  /** Waits until this many more requests were counted by the source. */
  sees(source: 'store' | 'local', requests: number): Promise<void>
  /** Returns the number of requests that took longer than their timer. */
  late(): number
  stop(): Promise<void>
}

const CLIENTS = 8

/**
 * Sends requests through a limiter on node:http. A timer that starts before the limiter decides
 * whether the response is late. A stall of the process delays both, so the result is the same on
 * any host.
 */
export async function startLoad(limiter: RateLimiter, maxMs: number): Promise<Load> {
  const seen: Record<string, number> = {}
  let late = 0
  let running = true
  const watch: Middleware = (_req, res, next) => {
    let waiting = 1
    // The timer of the limiter lets pending replies go first, and this one lets the limiter go
    // first.
    const timer = setTimeout(() => setImmediate(() => setImmediate(() => (late += waiting))), maxMs)
    res.once('handled', () => {
      waiting = 0
      clearTimeout(timer)
    })
    next()
  }
  const host = await listen(
    (hosts['node:http'] as (typeof hosts)[string])({
      middlewares: [watch, limiter],
      handler(req, res) {
        res.emit('handled')
        const source = rateLimitOf(req)?.source ?? 'none'
        seen[source] = (seen[source] ?? 0) + 1
        res.end()
      },
    }),
  )
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (running) await send(host.url)
  })
  return {
    late: () => late,
    async sees(source, requests) {
      const start = seen[source] ?? 0
      await expect.poll(() => (seen[source] ?? 0) - start, { timeout: 60_000 }).toBeGreaterThanOrEqual(requests)
    },
    async stop() {
      running = false
      await Promise.all(clients)
      await host.close()
    },
  }
}
