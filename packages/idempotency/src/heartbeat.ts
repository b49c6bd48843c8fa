/** A lease that must be renewed at intervals. */
export interface HeartbeatTarget {
  /** Called each time. Returns `false` if it is over. */
  beat(): boolean
}

export interface Heartbeat {
  add(target: HeartbeatTarget): void
  remove(target: HeartbeatTarget): void
}

/**
 * One timer for all leases of an engine, which runs only while there are any and keeps no process
 * alive.
 */
export function heartbeat(everyMs: number): Heartbeat {
  const targets = new Set<HeartbeatTarget>()
  let timer: NodeJS.Timeout | undefined
  // Most leases end between two beats: the timer runs until the next beat, instead of being set for
  // each lease.
  const tick = (): void => {
    for (const target of targets) if (!target.beat()) targets.delete(target)
    if (targets.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    add(target) {
      targets.add(target)
      timer ??= setInterval(tick, everyMs).unref()
    },
    remove: (target) => void targets.delete(target),
  }
}
