import { type RateLimiter, rateLimitOf } from '@svc/ratelimit'
import { expect } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { send } from '../../internal/testing/check.ts'
import { hosts, listen } from '../../internal/testing/hosts.ts'

/** Requests that come all the time, each beside a clock of its own. */
export interface Load {
  /** Waits until so many more requests were counted there. */
  sees(source: 'store' | 'local', requests: number): Promise<void>
  /** Requests that were still waiting when their clock had run out. */
  late(): number
  stop(): Promise<void>
}

const CLIENTS = 8

/**
 * Sends requests through a limiter on node:http. A timer that is armed before the limiter sees the request says whether
 * the answer is late: what holds up the whole process holds up both alike, so that the proof is the same on any
 * machine.
 */
export async function startLoad(limiter: RateLimiter, longestMs: number): Promise<Load> {
  const seen: Record<string, number> = {}
  let late = 0
  let running = true
  const watch: Middleware = (_req, res, next) => {
    let waiting = 1
    // The limiter's own timer lets what has arrived come first; this one lets all of that come first.
    const timer = setTimeout(() => setImmediate(() => setImmediate(() => (late += waiting))), longestMs)
    res.once('answered', () => {
      waiting = 0
      clearTimeout(timer)
    })
    next()
  }
  const host = await listen(
    (hosts['node:http'] as (typeof hosts)[string])({
      middlewares: [watch, limiter],
      handler(req, res) {
        res.emit('answered')
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
      const before = seen[source] ?? 0
      await expect.poll(() => (seen[source] ?? 0) - before, { timeout: 60_000 }).toBeGreaterThanOrEqual(requests)
    },
    async stop() {
      running = false
      await Promise.all(clients)
      await host.close()
    },
  }
}
