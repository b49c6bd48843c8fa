import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface Child {
  url: string
  /** Ends the process at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

/**
 * Runs a service of this folder in a process of its own, on the source or the built files as this test does. The service
 * writes its port, and ends when its standard input does: a test that fails leaves nothing behind.
 */
export async function startChild(file: string, args: readonly string[]): Promise<Child> {
  const source = process.env['SVC_DIST'] ? [] : ['--conditions=@svc/source']
  const argv = ['--no-warnings', ...source, join(import.meta.dirname, file), ...args]
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
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
