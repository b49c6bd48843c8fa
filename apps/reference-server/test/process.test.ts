import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { curlLine, examples } from '../src/start/examples.ts'
import { spawnServer, startProcess } from './process.ts'
import { basic, literalOf, send } from './service.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'svc-process-'))
afterAll(() => rmSync(folder, { recursive: true }))

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

describe('a start that fails', () => {
  test('names every problem of the configuration, and exits with 78', async () => {
    const env = { PORT: '70000', SVC_RATE_LIMIT: 'many', SVC_RATE_LMIT: '1/1m', DATABASE_URL: 'mysql://root:secret@db' }
    const server = spawnServer(env)
    expect((await server.exited).code).toBe(78)
    const { stderr, stdout } = server.output()
    expect(stderr).toContain('Configuration has 4 problems')
    expect(stderr).toContain('PORT  "70000"  must be 0-65535')
    expect(stderr).toContain('SVC_RATE_LIMIT  "many"  must be a rate')
    expect(stderr).toContain('SVC_RATE_LMIT  unknown, did you mean SVC_RATE_LIMIT?')
    expect(stderr + stdout).not.toContain('secret')
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('says which port is taken, and exits with 1', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const server = spawnServer({ PORT: String(port) })
    expect((await server.exited).code).toBe(1)
    const advice = `Use PORT=0 (any free port) or PORT=${port + 10}.`
    expect(server.output().stderr).toBe(`SVC_PORT_IN_USE 127.0.0.1:${port} is taken by another process. ${advice}\n`)
    taken.close()
  })

  test.each([
    ['a folder that is a file', { SVC_DATA_DIR: join(folder, 'file') }, /cannot open .*file/],
    [
      'a PostgreSQL that is not there',
      { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
      /cannot reach PostgreSQL at 127\.0\.0\.1:1\/x/,
    ],
  ])('says which database cannot be opened: %s, and exits with 73', async (_title, env, message) => {
    writeFileSync(join(folder, 'file'), '')
    const server = spawnServer(env)
    expect((await server.exited).code).toBe(73)
    expect(server.output().stderr).toMatch(message)
    expect(server.output().stderr.trim().split('\n')).toHaveLength(1)
    expect(server.output().stderr).not.toContain('hidden')
  })
})

describe('a running process', () => {
  test('prints lines that work when they are pasted', async () => {
    const server = await startProcess()
    for (const example of examples) {
      const line = curlLine(example, server.url)
      const { stdout } = await run('bash', ['-c', `${line} -w '\\n%{http_code}'`])
      expect(stdout, line).toMatch(example.gives)
      expect(stdout.trim().split('\n').at(-1), line).toBe(String(example.status))
    }
    server.child.kill('SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test('writes no password and no token into its log', async () => {
    const server = await startProcess()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const call = literalOf({
      as: 'ada',
      method: 'POST',
      path: '/tokens',
      headers,
      body: 'grant_type=client_credentials',
    })
    const token = JSON.parse((await send(server.url, call)).text).access_token
    await send(server.url, { path: `/employees?access_token=${token}` })
    await send(server.url, { path: '/employees?api_key=s3cret', headers: { authorization: `Bearer ${token}` } })
    await send(server.url, { path: '/employees', headers: { authorization: basic('ada', 'pass-word-1') } })
    server.child.kill('SIGTERM')
    await server.exited
    const { stdout, stderr } = server.output()
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(4)
    for (const secret of [token, 's3cret', 'pass-word-1', 'ada-demo', basic('ada').slice(6)])
      expect(stdout + stderr).not.toContain(secret)
  })

  test('answers what is in flight when it is told to stop, and takes nothing new', async () => {
    const server = await startProcess()
    const slow = slowRequest(server.url)
    await slow.waiting
    server.child.kill('SIGTERM')
    await untilRefused(server.url)
    slow.sendBody()
    expect(await slow.answer).toMatch(/HTTP\/1\.1 201 .*\r\nConnection: close\r\n/s)
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test('loses no employee that was answered 201 when it is killed', async () => {
    const env = { SVC_DATA_DIR: join(folder, 'data') }
    const answered: number[] = []
    for (let round = 0; round < 2; round++) {
      const server = await startProcess(env)
      const create = async (): Promise<void> => {
        for (;;) {
          const call = literalOf({ as: 'ada', method: 'POST', path: '/employees', json: grace })
          const answer = await send(server.url, call).catch(() => undefined)
          if (!answer) return
          expect(answer.status).toBe(201)
          answered.push(JSON.parse(answer.text).id)
          if (answered.length === 60 * (round + 1)) server.child.kill('SIGKILL')
        }
      }
      await Promise.all([create(), create(), create(), create()])
      expect((await server.exited).signal).toBe('SIGKILL')
    }
    const server = await startProcess(env)
    expect(new Set(answered).size).toBe(answered.length)
    for (const id of answered) {
      const answer = await send(server.url, literalOf({ as: 'ada', path: `/employees/${id}` }))
      expect(answer.status).toBe(200)
    }
    const page = await send(server.url, literalOf({ as: 'ada', path: '/departments' }))
    expect(JSON.parse(page.text).page.totalElements).toBe(8)
    server.child.kill('SIGTERM')
    await server.exited
  })
})

interface SlowRequest {
  /** The request is at work: it was asked for its body. */
  waiting: Promise<void>
  sendBody(): void
  answer: Promise<string>
}

/** A POST whose body comes later. */
function slowRequest(url: string): SlowRequest {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(grace)
  const socket = connect(Number(port), hostname)
  const fields = `Authorization: ${basic('ada')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.write(`POST /employees HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n${fields}\r\n\r\n`)
  let received = ''
  const waiting = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk
      if (received.startsWith('HTTP/1.1 100')) resolve()
    })
  })
  const answer = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  return { waiting, sendBody: () => socket.write(body), answer }
}

async function untilRefused(url: string): Promise<void> {
  for (;;) {
    const answer = await send(url, { path: '/health/live' }).catch(() => undefined)
    if (!answer) return
  }
}
