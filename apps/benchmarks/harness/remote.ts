import { type ChildProcess, fork } from 'node:child_process'
import type { Remote } from './measure.ts'
import { receiveMessage } from './message.ts'

export interface RemoteModule {
  /** An operation of the module, by its name. */
  operation(name: string): Remote
  stop(): void
}

/**
 * A module with `operations` in a process of its own. Two parsers in one process slow each other
 * down: each sees the engine as the other one left it.
 */
export function remoteModule(file: URL, { execArgv = [] }: { execArgv?: readonly string[] } = {}): RemoteModule {
  const options = { execArgv: ['--no-warnings', ...execArgv] }
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
