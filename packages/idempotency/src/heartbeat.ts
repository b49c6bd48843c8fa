/** Something that has to be told again and again that it is still needed. */
export interface Beating {
  /** Called each time. `false`: it is over. */
  beat(): boolean
}

export interface Heartbeat {
  add(beating: Beating): void
  remove(beating: Beating): void
}

/** One timer for all leases of a process, which runs only while there are any and keeps no process alive. */
export function heartbeat(everyMs: number): Heartbeat {
  const beatings = new Set<Beating>()
  let timer: NodeJS.Timeout | undefined
  const remove = (beating: Beating): void => {
    beatings.delete(beating)
    if (beatings.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const tick = (): void => {
    for (const beating of beatings) if (!beating.beat()) remove(beating)
  }
  return {
    add(beating) {
      beatings.add(beating)
      timer ??= setInterval(tick, everyMs).unref()
    },
    remove,
  }
}
