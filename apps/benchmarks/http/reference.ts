import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../../packages/internal/testing/servers.ts'
import { scratchFolder } from './scratch.ts'
import { announce } from './serve.ts'

// The whole reference server as `npm start` runs it: `file` with SQLite in a file and its log, `memory` without both.
const kind = process.argv[2]
const folder = scratchFolder()
const port = await freePort()
Object.assign(process.env, {
  PORT: String(port),
  SVC_ADMIN_PORT: String(await freePort()),
  SVC_RATE_LIMIT: '100000000/1d',
  SVC_RATE_LIMIT_ANONYMOUS: '100000000/1d',
  SVC_LOG_FILE: join(folder, 'log'),
  LOG_FORMAT: 'json',
  LOG_LEVEL: kind === 'file' ? 'info' : 'silent',
  ...(kind === 'file' && { SVC_DATA_DIR: join(folder, 'data') }),
})
await import('../../reference-server/dist/server.js' as string)
const url = `http://127.0.0.1:${port}`
const fields = {
  Authorization: `Basic ${Buffer.from('ada:ada-demo').toString('base64')}`,
  'Content-Type': 'application/x-www-form-urlencoded',
}
for (;;) {
  try {
    const response = await fetch(`${url}/tokens`, {
      method: 'POST',
      headers: fields,
      body: 'grant_type=client_credentials',
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    announce({ port, token })
    break
  } catch (error) {
    // Not listening yet.
    if (!(error instanceof TypeError)) throw error
    await setTimeout(20)
  }
}
