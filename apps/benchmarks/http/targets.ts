import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { receiveMessage } from '../harness/message.ts'
import { leaveToServers, pinned, useAll } from '../harness/processors.ts'
import type { Ready, Usage } from './serve.ts'

/** A server that is measured, in a process of its own. */
export interface Target {
  name: string
  port: number
  /** Headers that a request to it needs. */
  fields: Record<string, string>
  usage(): Promise<Usage>
  /** Resolves when the process has ended. */
  stop(): Promise<unknown>
}

export const NODE = 'node:http'
export const BARE = 'Express 5, bare'
export const STACK = 'Express 5 and its usual packages'
export const FASTIFY = 'Fastify and its plugins'
export const HONO = 'Hono and its middlewares'
export const ERRORS = 'Express 5 with accepts and http-errors'
export const PACKAGES = 'Express 5 and the six packages'
export const POSTGRES = 'Express 5 and pg'
export const SQLITE = 'Express 5 and node:sqlite'
export const SOAP = 'node-soap'
export const SOAP_PACKAGE = '@svc/soap-envelope over node:http'
export const FULL = '@svc/reference-server with its log'
export const QUIET = '@svc/reference-server without a log'
export const FILE = '@svc/reference-server, a file of SQLite'
export const MEMORY = '@svc/reference-server, SQLite in memory'

const SERVERS: Record<string, readonly [file: string, ...argv: string[]]> = {
  [NODE]: ['node-http'],
  [BARE]: ['express-bare'],
  [STACK]: ['express-stack'],
  [FASTIFY]: ['fastify-stack'],
  [HONO]: ['hono-stack'],
  [ERRORS]: ['express-errors'],
  [PACKAGES]: ['express-packages'],
  [POSTGRES]: ['express-postgres'],
  [SQLITE]: ['express-sqlite'],
  [SOAP]: ['node-soap'],
  [SOAP_PACKAGE]: ['soap-envelope'],
  [QUIET]: ['reference', 'silent'],
  [FULL]: ['reference'],
  [FILE]: ['reference', 'silent', 'demo'],
  [MEMORY]: ['reference', 'silent', 'demo', 'memory'],
}

// From the second start on, a server loads neither types nor what strips them: 30 MiB.
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

/** Settings that all servers of a suite share. */
export interface Setting {
  /** Processes that share the port. @defaultValue 1, without a primary */
  processes?: number
  /** Requests of one client until it is refused. @defaultValue more than are sent */
  limit?: number
  environment?: Record<string, string>
  /** Employees that each server has. @defaultValue as many as the demo of the reference server */
  rows?: number
}

/** Starts servers, lets them be used, and stops them. */
export async function* withTargets<T>(
  names: readonly string[],
  setting: Setting,
  use: (targets: Target[]) => AsyncIterable<T>,
): AsyncIterable<T> {
  const targets = await Promise.all(names.map((name) => startTarget(name, setting)))
  sendTokenToAll(targets)
  if (!setting.processes) leaveToServers()
  try {
    yield* use(targets)
  } finally {
    useAll()
    await Promise.all(targets.map((target) => target.stop()))
  }
}

// All servers parse the same headers: those that check no token get the longest of the others.
function sendTokenToAll(targets: readonly Target[]): void {
  const tokens = targets.flatMap(({ fields }) => fields['authorization'] ?? [])
  const [longest] = tokens.sort((a, b) => b.length - a.length)
  if (longest !== undefined) for (const { fields } of targets) fields['authorization'] ??= longest
}

async function startTarget(
  name: string,
  { processes, limit = 1e8, rows = 137, environment }: Setting,
): Promise<Target> {
  const [file = '', ...argv] = SERVERS[name] ?? []
  const module = new URL(`${file}.ts`, import.meta.url)
  const counts = { BENCH_LIMIT: String(limit), BENCH_PROCESSES: String(processes ?? 1), BENCH_ROWS: String(rows) }
  const env = { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...environment, ...counts }
  const child = processes
    ? fork(new URL('cluster.ts', import.meta.url), [module.pathname, ...argv], { env, execArgv: ['--no-warnings'] })
    : fork(module, argv, { env, ...pinned })
  const { port, token } = await receiveMessage<Ready>(child)
  const fields: Record<string, string> = { accept: 'application/hal+json' }
  if (token) fields['authorization'] = `Bearer ${token}`
  return {
    name,
    port,
    fields,
    usage() {
      child.send('usage')
      return receiveMessage<Usage>(child)
    },
    stop() {
      child.disconnect()
      return once(child, 'exit')
    },
  }
}
