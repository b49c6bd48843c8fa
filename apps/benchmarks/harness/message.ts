import type { ChildProcess } from 'node:child_process'

/** The next message of a process. Rejects where the process ends without one. */
export function receiveMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit)
      resolve(message as T)
    }
    const onExit = (code: number | null): void => {
      child.off('message', onMessage)
      reject(new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code} and without a message`))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}
