import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DEMO_ROWS, ROWS } from './employees.ts'

// Starts the reference server once, for the users and data of the demo, and adds employees. It is a
// program of its own: in a process that has had a child process, each `process.nextTick()` can take
// ten times as long, five times per request.
const [file = ''] = process.argv.slice(2)
const { DATABASE_URL, SVC_DATA_DIR = '' } = process.env
await seed()
await fill(ROWS - DEMO_ROWS)

async function seed(): Promise<void> {
  const env = { ...process.env, PORT: '0', SVC_DEMO: 'on', LOG_LEVEL: 'info' }
  const server = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (text: string): void => {
      output += text
      if (output.includes('"listening"')) resolve()
    }
    server.stdout.setEncoding('utf8').on('data', read)
    server.stderr.setEncoding('utf8').on('data', read)
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
  server.kill('SIGTERM')
  await once(server, 'exit')
}

async function fill(count: number): Promise<void> {
  if (count <= 0) return
  const columns = '"name", "department", "salary", "city", "managerId", "createdAt", "updatedAt"'
  const values = columns.replaceAll(/"\w+"/g, (column) => `one.${column}`)
  const rows = `select ${values} from "employees" one, "employees" two, "employees" three limit ${count}`
  const statement = `insert into "employees" (${columns}) ${rows}`
  if (!DATABASE_URL) return new DatabaseSync(join(SVC_DATA_DIR, 'svc.db')).exec(statement)
  const { default: pg } = await import('pg')
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  await client.query(statement)
  await client.end()
}
