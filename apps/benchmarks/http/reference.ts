import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../../../packages/internal/testing/servers.ts'
import { DEMO_ROWS, ROWS } from './employees.ts'
import { scratchFolder } from './scratch.ts'
import { announce, LIMIT } from './serve.ts'

// The whole reference server as a service runs it: on SQLite in a file, or on the PostgreSQL of DATABASE_URL, with its
// log. A first start makes the demo's users and data; the one that is measured has the demo's tools switched off.
// Arguments: `silent` without a log, `demo` with the tools, `memory` with nothing on the disk.
const file = fileURLToPath(new URL('../../reference-server/dist/main.js', import.meta.url))
const folder = scratchFolder()
const words = process.argv.slice(2)
const { DATABASE_URL, BENCH_PORT, BENCH_SEEDED } = process.env
const port = BENCH_PORT ? Number(BENCH_PORT) : await freePort()
const url = `http://127.0.0.1:${port}`
const isKept = !words.includes('memory')
const settings = {
  PORT: String(port),
  SVC_ADMIN_PORT: String(await freePort()),
  SVC_RATE_LIMIT: `${LIMIT}/1d`,
  SVC_RATE_LIMIT_ANONYMOUS: `${LIMIT}/1d`,
  SVC_LOG_FILE: join(folder, 'log'),
  LOG_FORMAT: 'json',
  LOG_LEVEL: words.includes('silent') ? 'silent' : 'info',
  ...(isKept && !DATABASE_URL && { SVC_DATA_DIR: join(folder, 'data') }),
}
if (isKept && !BENCH_SEEDED) {
  const environment = { ...process.env, ...settings, SVC_DEMO: 'on' }
  const first = spawn(process.execPath, [file], { env: environment, stdio: 'ignore' })
  // It ends by itself only where it cannot start.
  const fail = (): never => process.exit(1)
  first.once('exit', fail)
  await token()
  first.off('exit', fail)
  first.kill('SIGTERM')
  await once(first, 'exit')
  await fill(ROWS - DEMO_ROWS)
}

Object.assign(process.env, settings, { SVC_DEMO: words.includes('demo') ? 'on' : 'off' })
await import(file)
announce({ port, token: await token() })

/** Adds employees to those of the demo. */
async function fill(count: number): Promise<void> {
  if (count <= 0) return
  const columns = '"name", "department", "salary", "city", "managerId", "createdAt", "updatedAt"'
  const values = columns.replaceAll(/"\w+"/g, (column) => `one.${column}`)
  const rows = `select ${values} from "employees" one, "employees" two, "employees" three limit ${count}`
  const statement = `insert into "employees" (${columns}) ${rows}`
  if (!DATABASE_URL) return new DatabaseSync(join(folder, 'data', 'svc.db')).exec(statement)
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** A token, as soon as the server listens. */
async function token(): Promise<string> {
  const headers = {
    Authorization: `Basic ${Buffer.from('ada:ada-demo').toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  for (;;) {
    try {
      const body = 'grant_type=client_credentials'
      const response = await fetch(`${url}/tokens`, { method: 'POST', headers, body })
      return ((await response.json()) as { access_token: string }).access_token
    } catch (error) {
      // Not listening yet.
      if (!(error instanceof TypeError)) throw error
      await setTimeout(20)
    }
  }
}
