import { execFileSync } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from './scratch.ts'
import { announce, LIMIT } from './serve.ts'

// The whole reference server as a service runs it: on SQLite in a file, or on the PostgreSQL of
// DATABASE_URL, with its log. A first start makes the demo's users and data; the one that is
// measured has the demo's tools switched off. Arguments: `silent` without a log, `demo` with the
// tools, `memory` with nothing on the disk.
const file = fileURLToPath(new URL('../../reference-server/dist/main.js', import.meta.url))
const folder = scratchFolder()
const words = process.argv.slice(2)
const { DATABASE_URL, BENCH_PORT = '0', BENCH_SEEDED } = process.env
const isKept = !words.includes('memory')
const isDemo = words.includes('demo')
// Without the demo its users cannot sign in.
const admin = { username: 'admin', password: 'a password of the benchmarks' }
const settings = {
  // Any free port: one that was free before could be taken by a connection of another process.
  PORT: BENCH_PORT,
  SVC_ADMIN_PORT: '0',
  SVC_RATE_LIMIT: `${LIMIT}/1d`,
  SVC_RATE_LIMIT_ANONYMOUS: `${LIMIT}/1d`,
  LOG_FORMAT: 'json',
  ...(isKept && !DATABASE_URL && { SVC_DATA_DIR: join(folder, 'data') }),
  ...(!isDemo && { SVC_ADMIN_PASSWORD: admin.password }),
}
if (isKept && !BENCH_SEEDED) {
  const program = fileURLToPath(new URL('seed.ts', import.meta.url))
  execFileSync(process.execPath, ['--no-warnings', program, file], { env: { ...process.env, ...settings } })
}

const logged = { SVC_LOG_FILE: join(folder, 'log'), LOG_LEVEL: words.includes('silent') ? 'silent' : 'info' }
Object.assign(process.env, settings, logged, { SVC_DEMO: isDemo ? 'on' : 'off' })
const ports: number[] = []
subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  ports.push(((message as { server: Server }).server.address() as AddressInfo).port)
})
await import(file)
const [port] = ports
if (port === undefined) throw new Error('the server does not listen')
announce({ port, token: await requestToken(`http://127.0.0.1:${port}`) })

async function requestToken(url: string): Promise<string> {
  const { username, password } = isDemo ? { username: 'ada', password: 'ada-demo' } : admin
  const headers = {
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  const response = await fetch(`${url}/tokens`, { method: 'POST', headers, body: 'grant_type=client_credentials' })
  return ((await response.json()) as { access_token: string }).access_token
}
