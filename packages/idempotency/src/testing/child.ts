import { join } from 'node:path'
import { startProgram } from '../../../internal/testing/programs.ts'

export interface Child {
  url: string
  /** Kills the process immediately. */
  kill(): Promise<void>
}

/**
 * Runs a service of this directory in its own process, on the source or the built files as this
 * test does. The service writes its port, and exits when its standard input ends, also if a test
 * fails.
 */
export async function startChild(file: string, args: readonly string[]): Promise<Child> {
  const source = process.env['SVC_DIST'] ? [] : ['--conditions=@svc/source']
  const argv = ['--no-warnings', ...source, join(import.meta.dirname, file), ...args]
  const child = startProgram(process.execPath, argv)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { url: `http://127.0.0.1:${port}`, kill }
}
