import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../src/config.ts'
import { QUIET } from './service.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SERVER = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The server as a process of its own, as `npm start` runs it. */
export interface ServerProcess {
  child: ChildProcess
  /** Returns the output so far. */
  output(): { stdout: string; stderr: string }
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts the server from source. */
export function spawnServer(env: Environment = {}): ServerProcess {
  return spawnCommand(process.execPath, ['--conditions=@svc/source', SERVER], env)
}

/** Starts the server by `npm start`. */
export function spawnNpmStart(env: Environment = {}): ServerProcess {
  return spawnCommand('npm', ['start'], env)
}

function spawnCommand(command: string, parameters: readonly string[], env: Environment): ServerProcess {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawn(command, parameters, {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...QUIET, LOG_LEVEL: 'info', ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  return {
    child,
    output: () => ({ stdout, stderr }),
    exited: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
  }
}

/** Starts the server and waits until it listens; gives its URL. */
export async function startProcess(env: Environment = {}): Promise<ServerProcess & { url: string }> {
  const server = spawnServer(env)
  return { ...server, url: await findUrl(server) }
}

/** Waits until a server listens; returns its URL. */
export function findUrl(server: ServerProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.child.stdout?.on('data', () => {
      const [, found] = /"url":"http:\/\/localhost(:\d+)"/.exec(server.output().stdout) ?? []
      if (found) resolve(`http://127.0.0.1${found}`)
    })
    server.exited.then(() => reject(new Error(`the server ended: ${JSON.stringify(server.output())}`)))
  })
}
