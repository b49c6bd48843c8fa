/** Work that goes on until it is stopped. */
export interface Poller {
  /** Aborts the signal of the turn that runs, and waits for its end. */
  stop(): Promise<void>
}

/** Runs a turn, pauses, runs the next one. A turn that fails is reported, and the next one comes all the same. */
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
