import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Maximum time until a server is ready. */
const START_MS = 60_000
/** Maximum number of starts of a server whose port is taken. */
const START_ATTEMPTS = 3

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
  const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...more]
  const run = async (port: number): Promise<OwnServer> => {
    const server = await start(binary, ['--port', String(port), ...options], 'Ready to accept connections', {
      cwd: folder,
    })
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
  return await (fixedPort === undefined ? onFreePort(run) : run(fixedPort))
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
  // PostgreSQL does not run as root; the Debian package creates its user.
  const user = process.getuid?.() === 0 ? { uid: getId('-u'), gid: getId('-g') } : {}
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8']
  const spawning = { cwd: folder, ...user }
  execFileSync(binary.replace(/postgres$/, 'initdb'), initdb, { stdio: 'ignore', timeout: START_MS, ...spawning })
  const options = ['-D', data, '-h', '127.0.0.1', '-k', folder, '-F', '-c', 'max_connections=200']
  return await onFreePort(async (port) => {
    const ready = 'database system is ready to accept connections'
    const server = await start(binary, [...options, '-p', String(port)], ready, spawning)
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: () => stop(server, folder) }
  })
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

/**
 * Runs a program on a port that was free just now, and again on another one if a connection has
 * taken it meanwhile.
 */
export async function onFreePort<T>(run: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(await freePort())
    } catch (error) {
      if (attempt === START_ATTEMPTS || !/address already in use/i.test(String(error))) throw error
    }
  }
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

/** The servers that are running, and the folder of each. */
const running = new Map<ChildProcess, string>()
process.on('exit', stopAll)
// Vitest ends its workers by SIGTERM, which emits no `exit` by itself.
process.on('SIGTERM', () => process.exit(128 + constants.signals.SIGTERM))

/** `cwd` is the folder of the server. */
type StartOptions = SpawnOptions & { cwd: string }

/**
 * Starts a server and waits for the words that say that it is ready. It ends with this process, and
 * does not inherit its output: Vitest waits until that is closed.
 */
async function start(binary: string, args: readonly string[], ready: string, options: StartOptions) {
  const server = spawn(binary, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  running.set(server, options.cwd)
  server.once('exit', () => running.delete(server))
  await untilSaid(server, ready)
  return server
}

function stopAll(): void {
  for (const [server, folder] of running) {
    server.kill('SIGKILL')
    // Its helpers notice that it is gone, and may write until then.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

function untilSaid(server: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => server.kill('SIGKILL'), START_MS).unref()
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      if (!said.includes(words)) return
      clearTimeout(timer)
      resolve()
    }
    server.stdout?.on('data', listen)
    server.stderr?.on('data', listen)
    server.once('error', reject)
    // Its last words arrive until `close`.
    server.once('close', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`the server ended with ${code ?? signal}: ${said.slice(-2000)}`))
    })
  })
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  if (running.has(server)) {
    const ended = once(server, 'exit')
    interrupt(server)
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}

function interrupt(server: ChildProcess): void {
  server.kill('SIGINT')
  // A paused process receives the signal when it continues.
  server.kill('SIGCONT')
}
