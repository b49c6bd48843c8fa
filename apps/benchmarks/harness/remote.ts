import { type ChildProcess, fork } from 'node:child_process'
import { receiveMessage } from './message.ts'
import { pinned } from './processors.ts'

/** A module in a process of its own. */
export interface RemoteModule {
  /** An operation of the module, by its name. */
  operation(name: string): Remote
  stop(): void
}

export interface Remote {
  /** Runs the operation for about so many milliseconds: CPU nanoseconds of one. */
  costOf: (sliceMs: number) => Promise<number>
}

/** Starts a process for a module with `operations`, or for a suite. */
export function remoteModule(file: URL, { execArgv = [] }: { execArgv?: readonly string[] } = {}): RemoteModule {
  const options = { ...pinned, execArgv: [...(pinned.execArgv ?? []), ...execArgv] }
  const child = fork(new URL('remote-worker.ts', import.meta.url), [file.href], options)
  return {
    operation: (name) => ({ costOf: (slice) => ask(child, { name, slice }) }),
    // The process is killed because closing its channel does not end it if a module listens.
    stop: () => void child.kill(),
  }
}

function ask(child: ChildProcess, question: object): Promise<number> {
  child.send(question)
  return receiveMessage<number>(child)
}
