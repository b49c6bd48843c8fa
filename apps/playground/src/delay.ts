import type { IncomingMessage } from 'node:http'

const MAX_WAITING = 100

/**
 * Returns a function that continues a request after some milliseconds, unless its client leaves. If
 * 100 requests wait already it continues immediately: more would take the capacity of the service.
 */
export function delay(): (req: IncomingMessage, ms: number, next: () => void) => void {
  const timers = new Set<NodeJS.Timeout>()
  return (req, ms, next) => {
    if (timers.size >= MAX_WAITING) return next()
    const timer = setTimeout(() => {
      timers.delete(timer)
      next()
    }, ms)
    timers.add(timer)
    req.once('close', () => {
      clearTimeout(timer)
      timers.delete(timer)
    })
  }
}
