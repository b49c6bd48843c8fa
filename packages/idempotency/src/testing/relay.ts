import { type Child, startChild } from './child.ts'

/**
 * A service that is killed again and again. Each time, another process that is ready takes over.
 */
export interface Relay {
  url(): string
  kill(): Promise<void>
  stop(): Promise<void>
}

const STANDBY = 2

/** Starts the processes. */
export async function startRelay(file: string, args: readonly string[]): Promise<Relay> {
  // The first process fills the compile cache of the others.
  let running = await startChild(file, args)
  const standby: Promise<Child>[] = []
  const refill = (): void => {
    while (standby.length < STANDBY) standby.push(startChild(file, args))
  }
  refill()
  return {
    url: () => running.url,
    async kill() {
      await running.kill()
      const next = standby.shift()
      refill()
      if (next) running = await next
    },
    async stop() {
      for (const child of [running, ...(await Promise.all(standby))]) await child.kill()
    },
  }
}
