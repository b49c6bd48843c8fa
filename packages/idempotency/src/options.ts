import { refuseUnknown, shown } from '../../internal/options.ts'
import type { IdempotencyStore } from './store.ts'
import { memory } from './stores/memory.ts'

export interface EngineOptions {
  /** Where keys are kept. @defaultValue memory(), for one process */
  store?: IdempotencyStore
  /** How long an answer is kept, in seconds. @defaultValue 86400 */
  ttlSeconds?: number
  /** How long a silent owner keeps its key, in milliseconds; renewed three times as often while it works. @defaultValue 30000 */
  leaseMs?: number
  /** How long the lease of one attempt is renewed at most, in seconds: a handler that never ends must not keep its key. @defaultValue 600 */
  maxRunSeconds?: number
  /** What happens to a key whose owner went silent: the next attempt runs again, or is refused. @defaultValue 'retry' */
  orphan?: 'retry' | 'reject'
}

export const ENGINE_OPTIONS = ['store', 'ttlSeconds', 'leaseMs', 'maxRunSeconds', 'orphan'] as const

export interface EngineSettings {
  store: IdempotencyStore
  ttlMs: number
  leaseMs: number
  heartbeatMs: number
  maxBeats: number
  orphan: 'retry' | 'reject'
}

export function readEngineOptions(owner: string, options: EngineOptions): EngineSettings {
  refuseUnknown(owner, options, ENGINE_OPTIONS)
  const { store = memory(), ttlSeconds = 86_400, leaseMs = 30_000, maxRunSeconds = 600, orphan = 'retry' } = options
  requirePositive(owner, 'ttlSeconds', ttlSeconds)
  requirePositive(owner, 'leaseMs', leaseMs)
  requirePositive(owner, 'maxRunSeconds', maxRunSeconds)
  const heartbeatMs = Math.ceil(leaseMs / 3)
  return {
    store,
    ttlMs: ttlSeconds * 1000,
    leaseMs,
    heartbeatMs,
    maxBeats: (maxRunSeconds * 1000) / heartbeatMs,
    orphan,
  }
}

function requirePositive(owner: string, name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return
  throw new TypeError(`${owner}: ${name} must be a positive integer, got ${shown(value)}`)
}
