import { setTimeout } from 'node:timers/promises'

/** Work that is repeated until it is stopped. */
export interface Poller {
  /** Aborts the current turn and waits for its end. */
  stop(): Promise<void>
}

/** Repeats a turn with pauses. A turn that rejects is reported and does not end the repetition. */
export function startPolling(
  pauseMs: number,
  turn: (stopping: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): Poller {
  const stopping = new AbortController()
  const { signal } = stopping
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      await turn(signal).catch(failed)
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const ended = repeat()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
