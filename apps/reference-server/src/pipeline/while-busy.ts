import { setTimeout as sleep } from 'node:timers/promises'
import type { Prefer } from '../resource/prefer.ts'

const POLL_MS = 25
/** Replays of one key look at it one after the other, which takes no longer than this. */
const PATIENCE_MS = 250
const MAX_WAIT_SECONDS = 10

/** Tries again while another request with the same key is at work: for a moment, or as long as the client prefers to wait. */
export async function whileBusy<T>({ wait }: Prefer, attempt: () => Promise<T>): Promise<T> {
  const until = Date.now() + (wait === undefined ? PATIENCE_MS : Math.min(wait, MAX_WAIT_SECONDS) * 1000)
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) throw error
    }
    await sleep(POLL_MS)
  }
}

// Another attempt is at work, or was faster: soon there is an answer to give.
const BUSY: readonly unknown[] = ['ERR_IDEMPOTENCY_IN_PROGRESS', 'ERR_IDEMPOTENCY_LEASE_LOST']

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && BUSY.includes(error.code)
}
