import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestServer {
  /** `redis://…` or `postgres://…`. */
  url: string
  stop(): Promise<void>
}

/** A server that a test may stop and kill. */
export interface OwnServer extends TestServer {
  port: number
  /**
   * `SIGSTOP` pauses it, and `SIGCONT` continues it; after `SIGKILL` it has exited when the promise
   * resolves.
   */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void>
}

/**
 * Starts a temporary Redis on a free port of loopback, or returns the one of SVC_TEST_REDIS_URL.
 * `undefined` if `redis-server` is not installed. With CI set, this is an error, since nothing may
 * be skipped there.
 */
export function startRedis(): Promise<TestServer | undefined> {
  const externalUrl = process.env['SVC_TEST_REDIS_URL']
  return externalUrl ? Promise.resolve({ url: externalUrl, stop: async () => {} }) : startOwnRedis()
}

/**
 * Starts a Redis for this test only, regardless of SVC_TEST_REDIS_URL. With a port, it replaces a
 * killed one.
 */
export async function startOwnRedis(fixedPort?: number, more: readonly string[] = []): Promise<OwnServer | undefined> {
  const binary = findBinary('redis-server', ['/usr/bin', '/usr/local/bin'])
  if (!binary) return missing('redis-server')
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const port = fixedPort ?? (await freePort())
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const server = spawn(binary, [...options, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
  await untilSaid(server, 'Ready to accept connections')
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    stop: () => stop(server, folder),
    async signal(name) {
      const ended = name === 'SIGKILL' ? once(server, 'exit') : undefined
      server.kill(name)
      await ended
    },
  }
}

/**
 * Starts a temporary PostgreSQL with an empty database on a free port of loopback, or returns the
 * one of SVC_TEST_POSTGRES_URL. `undefined` if PostgreSQL is not installed. With CI set, this is an
 * error.
 */
export async function startPostgres(): Promise<TestServer | undefined> {
  const externalUrl = process.env['SVC_TEST_POSTGRES_URL']
  if (externalUrl) return { url: externalUrl, stop: async () => {} }
  const binary = findBinary('postgres', [...debianFolders(), '/usr/local/bin'])
  if (!binary) return missing('postgres')
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  const port = await freePort()
  // PostgreSQL does not run as root; the Debian package creates its user.
  const user = process.getuid?.() === 0 ? { uid: getId('-u'), gid: getId('-g') } : {}
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(binary.replace(/postgres$/, 'initdb'), initdb, { stdio: 'ignore', cwd: folder, ...user })
  const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F', '-c', 'max_connections=200']
  const server = spawn(binary, options, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder, ...user })
  await untilSaid(server, 'database system is ready to accept connections')
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: () => stop(server, folder) }
}

function getId(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres']).toString())
}

/** Returns a port that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

function debianFolders(): string[] {
  const root = '/usr/lib/postgresql'
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : []
}

function findBinary(name: string, folders: string[]): string | undefined {
  const path = (process.env['PATH'] ?? '').split(':')
  return [...folders, ...path].map((folder) => join(folder, name)).find((file) => existsSync(file))
}

function missing(name: string): undefined {
  if (process.env['CI']) throw new Error(`${name} is not installed, and with CI set no test may be skipped`)
  return undefined
}

function untilSaid(server: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      if (said.includes(words)) resolve()
    }
    server.stdout?.on('data', listen)
    server.stderr?.on('data', listen)
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said.slice(-500)}`)))
  })
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    // A paused process receives the signal when it continues.
    server.kill('SIGCONT')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}
