import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSelfSigned } from '../src/process/certificate.ts'
import { spawnServer, startProcess } from './process.ts'
import { send } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
const at = (name: string): string => join(folder, name)

beforeAll(async () => {
  writeFileSync(at('file'), 'not a database, and no folder')
  mkdirSync(at('broken'))
  writeFileSync(at('broken/svc.db'), 'not a database, whatever its name says; long enough to be read as one')
  writeFileSync(at('a.pem'), (await createSelfSigned()).cert)
  writeFileSync(at('b.pem'), (await createSelfSigned()).key)
})
afterAll(() => rmSync(folder, { recursive: true }))

async function failureOf(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const server = spawnServer(env)
  const { code } = await server.exited
  const { stdout, stderr } = server.output()
  expect(stdout).toBe('')
  expect(stderr).not.toMatch(/\n\s+at /)
  return { code, stderr }
}

describe('a start that fails', () => {
  test('names every problem of the configuration at once, and shows no secret', async () => {
    const env = { PORT: '70000', SVC_RATE_LIMIT: 'many', SVC_RATE_LMIT: '1/1m', DATABASE_URL: 'mysql://root:secret@db' }
    const { code, stderr } = await failureOf(env)
    expect(code).toBe(78)
    expect(stderr).toContain('Configuration has 4 problems')
    expect(stderr).toContain('PORT  "70000"  must be 0-65535')
    expect(stderr).toContain('SVC_RATE_LIMIT  "many"  must be a rate')
    expect(stderr).toContain('SVC_RATE_LMIT  unknown, did you mean SVC_RATE_LIMIT?')
    expect(stderr).toContain('DATABASE_URL  (set, 22 characters)  must be a URL that starts with postgres://')
    expect(stderr).not.toContain('secret')
  })

  test.each([
    [
      'a log that cannot be written',
      { SVC_LOG_FILE: at('file/log') },
      /^ {2}SVC_LOG_FILE {2}".*file\/log" {2}cannot be written: E[A-Z]+$/m,
    ],
    [
      'keys that are not there',
      { SVC_JWKS: at('nothing') },
      /^ {2}SVC_JWKS {2}".*" {2}must be a URL or a file with a JWKS$/m,
    ],
    ['keys that are none', { SVC_JWKS: at('file') }, /^ {2}SVC_JWKS {2}".*" {2}must be a URL or a file with a JWKS$/m],
    [
      'a certificate that is not there',
      { SVC_TLS_CERT: at('nothing'), SVC_TLS_KEY: at('b.pem') },
      /^ {2}SVC_TLS_CERT {2}".*" {2}is not a file$/m,
    ],
    [
      'a certificate without its key',
      { SVC_TLS_CERT: at('a.pem') },
      /^ {2}SVC_TLS_CERT, SVC_TLS_KEY {2}one of them is missing$/m,
    ],
    [
      'the key of another certificate',
      { SVC_TLS_CERT: at('a.pem'), SVC_TLS_KEY: at('b.pem') },
      /^ {2}SVC_TLS_KEY {2}is not the key of SVC_TLS_CERT$/m,
    ],
  ])('is told in one problem: %s, and exits with 78', async (_title, env, problem) => {
    const { code, stderr } = await failureOf(env)
    expect(stderr).toMatch(/^Configuration has 1 problem\n {2}.+\n$/)
    expect(stderr).toMatch(problem)
    expect(code).toBe(78)
  })

  test.each([
    ['a folder that is a file', { SVC_DATA_DIR: at('file') }, /^SVC_DATABASE cannot open .*file/],
    [
      'a file that is no database',
      { SVC_DATA_DIR: at('broken') },
      /^SVC_DATABASE cannot open .*svc\.db: file is not a database\n$/,
    ],
    [
      'a PostgreSQL that is not there',
      { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
      /^SVC_DATABASE cannot reach PostgreSQL at 127\.0\.0\.1:1\/x: .*ECONNREFUSED/,
    ],
  ])('says in a line which database cannot be opened: %s, and exits with 73', async (_title, env, message) => {
    const { code, stderr } = await failureOf(env)
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('hidden')
    expect(code).toBe(73)
  })

  test.each(['PORT', 'SVC_ADMIN_PORT'])(
    'says that the port of %s is taken, what to do, and exits with 1',
    async (name) => {
      const taken = createServer()
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
      const { port } = taken.address() as { port: number }
      const { code, stderr } = await failureOf({ [name]: String(port) })
      const advice = `Use ${name}=0 (any free port) or ${name}=${port + 10}.`
      expect(stderr).toBe(`SVC_PORT_IN_USE 127.0.0.1:${port} is taken by another process. ${advice}\n`)
      expect(code).toBe(1)
      taken.close()
    },
  )

  test('says that an address is not one of this machine, and exits with 1', async () => {
    const { code, stderr } = await failureOf({ HOST: '192.0.2.7' })
    expect(stderr).toBe('SVC_LISTEN cannot listen on 192.0.2.7:0: EADDRNOTAVAIL.\n')
    expect(code).toBe(1)
  })

  test.each(['18.20.8', '23.3.0'])('says which Node.js it needs, on %s, and exits with 1', async (node) => {
    const old = at('old.cjs')
    writeFileSync(
      old,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`,
    )
    const bin = fileURLToPath(new URL('../bin/svc-reference-server.cjs', import.meta.url))
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, ['--require', old, bin], (error, _stdout, stderr) =>
        resolve({ code: error?.code, stderr }),
      )
    })
    expect(stderr).toBe(`svc-reference-server needs Node.js ^22.13 || >=23.4, this is ${node}\n`)
    expect(code).toBe(1)
  })
})

test('a Redis that is not there stops nothing: readiness warns, and limits are those of the process', {
  timeout: 60_000,
}, async () => {
  const server = await startProcess({ REDIS_URL: 'redis://u:hidden@127.0.0.1:1', SVC_RATE_LIMIT_ANONYMOUS: '2/1m' })
  const [, adminUrl = ''] = /"adminUrl":"([^"]+)"/.exec(server.output().stdout) ?? []
  const ready = await send(adminUrl.replace('localhost', '127.0.0.1'), { path: '/ready' })
  expect(ready.status).toBe(200)
  expect(JSON.parse(ready.text).checks['sharedCounters:reachable']).toMatchObject([{ status: 'warn' }])
  const statuses: number[] = []
  for (let at = 0; at < 3; at++) statuses.push((await send(server.url, { path: '/products/1' })).status)
  expect(statuses).toEqual([200, 200, 429])
  server.child.kill('SIGTERM')
  await server.exited
  const { stdout, stderr } = server.output()
  expect(stdout.match(/Redis is away/g)).toHaveLength(1)
  expect(stdout + stderr).not.toContain('hidden')
})
