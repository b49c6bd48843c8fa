/** A lease that must be renewed at intervals. */
export interface Beating {
  /** Called each time. `false`: it is over. */
  beat(): boolean
}

export interface Heartbeat {
  add(beating: Beating): void
  remove(beating: Beating): void
}

/** One timer for all leases of an engine, which runs only while there are any and keeps no process alive. */
export function heartbeat(everyMs: number): Heartbeat {
  const beatings = new Set<Beating>()
  let timer: NodeJS.Timeout | undefined
  // Most leases end between two beats: the timer outlives them until the next one, instead of being set for each.
  const tick = (): void => {
    for (const beating of beatings) if (!beating.beat()) beatings.delete(beating)
    if (beatings.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    add(beating) {
      beatings.add(beating)
      timer ??= setInterval(tick, everyMs).unref()
    },
    remove: (beating) => void beatings.delete(beating),
  }
}
