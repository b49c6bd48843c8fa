import pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import {
  type Answer,
  check as checkAnswer,
  type Expectation,
  type RequestLiteral,
} from '../../../packages/internal/testing/check.ts'
import { startPostgres, type TestServer } from '../../../packages/internal/testing/servers.ts'
import { playgroundFor } from '../../playground/src/index.ts'
import { type Environment, readConfig } from '../src/config.ts'
import { type Running, start } from '../src/start.ts'

export { send } from '../../../packages/internal/testing/check.ts'

/** A request literal with the demo user who sends it. */
export interface Call extends RequestLiteral {
  as?: string
  /** Sent as JSON. */
  json?: unknown
}

/** A started service, and the shortest way to ask it something. */
export interface Service {
  url: string
  running: Running
  check(call: Call, expected: Expectation): Promise<Answer>
}

/** The environment of tests: any free port, no limits, no log. */
export const QUIET: Environment = {
  PORT: '0',
  SVC_RATE_LIMIT: 'off',
  SVC_RATE_LIMIT_ANONYMOUS: 'off',
  LOG_LEVEL: process.env['SVC_TEST_LOG'] ?? 'silent',
  SVC_DEMO: 'on',
}

/** Starts a service in this process, put together as `main.ts` does it. */
export async function startService(env: Environment = {}): Promise<Service> {
  const config = readConfig({ ...QUIET, ...env })
  const running = await start(config, { extensions: playgroundFor(config) })
  const url = running.url.replace('localhost', '127.0.0.1')
  return { url, running, check: (call, expected) => checkAnswer(url, toLiteral(call), expected) }
}

/** The field that a demo user authenticates with. */
export function basic(username: string, password = `${username}-demo`): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** A call as it goes over the wire. */
export function toLiteral({ as, json, headers = {}, ...rest }: Call): RequestLiteral {
  const allHeaders: Record<string, string | string[]> = { ...(as && { authorization: basic(as) }), ...headers }
  if (json === undefined) return { ...rest, headers: allHeaders }
  return { ...rest, headers: { 'content-type': 'application/json', ...allHeaders }, body: JSON.stringify(json) }
}

// It ends with the worker: all files that run in it share this module.
const postgres: TestServer | undefined = await startPostgres()

let databases = 0

/** An empty PostgreSQL database of its own; `undefined` where PostgreSQL is not installed. */
export async function emptyDatabase(): Promise<string | undefined> {
  if (!postgres) return undefined
  const name = `svc_${process.pid}_${databases++}`
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return postgres.url.replace(/\/[^/]*$/, `/${name}`)
}

/** A service that is there as long as the tests around it run. */
export function serviceFor(env: () => Environment | Promise<Environment> = () => ({})): Service {
  const service = { check: (call, expected) => checkAnswer(service.url, toLiteral(call), expected) } as Service
  beforeAll(async () => void Object.assign(service, await startService(await env())))
  afterAll(() => service.running?.stop())
  return service
}

/**
 * The same tests on the embedded database and on PostgreSQL, which is skipped if it is not
 * installed.
 */
export function onEveryDatabase(title: string, tests: (service: Service) => void, env: Environment = {}): void {
  describe(`${title} on SQLite`, () => tests(serviceFor(() => env)))
  describe.skipIf(!postgres)(`${title} on PostgreSQL (needs PostgreSQL)`, () =>
    tests(serviceFor(async () => ({ ...env, DATABASE_URL: await emptyDatabase() }))),
  )
}

/** Returns the properties that every Error record has. */
export function record(status: number, code: string, path?: string): object {
  return {
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    status,
    code,
    error: expect.any(String),
    message: expect.any(String),
    ...(path !== undefined && { path }),
  }
}

/** Returns shorthands for the usual steps in tests of collections. */
export function createShorthands(service: Service) {
  return {
    /** Creates an item; gives its path. */
    async create(path: string, json: unknown, as = 'ada', headers = {}): Promise<string> {
      const answer = await service.check({ as, method: 'POST', path, json, headers }, { status: 201 })
      return answer.headers['location'] ?? ''
    },
    async read(path: string, as = 'ada'): Promise<Record<string, unknown>> {
      return JSON.parse((await service.check({ as, path }, { status: 200 })).text)
    },
    refused: (call: Call, status: number, code: string) => service.check(call, { status, body: record(status, code) }),
  }
}
