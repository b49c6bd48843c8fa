import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../packages/internal/testing/servers.ts'
import { scratchFolder } from './scratch.ts'
import { announce } from './serve.ts'

// The whole reference server on SQLite in a file, as a service runs it: with its log, or with `silent` without. A first
// start makes the demo's users and data; the one that is measured has the demo's tools switched off.
const file = fileURLToPath(new URL('../../reference-server/dist/server.js', import.meta.url))
const folder = scratchFolder()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const settings = {
  PORT: String(port),
  SVC_ADMIN_PORT: String(await freePort()),
  SVC_RATE_LIMIT: '100000000/1d',
  SVC_RATE_LIMIT_ANONYMOUS: '100000000/1d',
  SVC_DATA_DIR: join(folder, 'data'),
  SVC_LOG_FILE: join(folder, 'log'),
  LOG_FORMAT: 'json',
}
const first = spawn(process.execPath, [file], { env: { ...process.env, ...settings, SVC_DEMO: 'on' }, stdio: 'ignore' })
await token()
first.kill('SIGTERM')
await once(first, 'exit')

Object.assign(process.env, settings, { SVC_DEMO: 'off', LOG_LEVEL: process.argv[2] === 'silent' ? 'silent' : 'info' })
await import(file)
announce({ port, token: await token() })

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
