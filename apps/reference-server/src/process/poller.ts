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
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()
  const begin = (): void => {
    current = turn(stopping.signal)
      .catch(failed)
      .then(() => {
        if (!stopping.signal.aborted) timer = setTimeout(begin, pauseMs)
      })
  }
  begin()
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await current
    },
  }
}
