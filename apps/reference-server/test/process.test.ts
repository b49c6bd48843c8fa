import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startProcess } from './process.ts'
import { basic, send, toLiteral } from './service.ts'
import { slowRequest, untilRefused } from './slow-request.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-process-'))
afterAll(() => rmSync(folder, { recursive: true }))

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

// The passwords of demo users are public, and the start prints them.
function withoutBanner(stderr: string): string {
  return stderr.replace(/^svc reference-server [^]*Ctrl-C stops\.\n/, '')
}

describe('a running process', () => {
  test('writes no password and no token into its log', async () => {
    const server = await startProcess()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const call = toLiteral({
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
      expect(stdout + withoutBanner(stderr)).not.toContain(secret)
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

  test('stops at once when it is told twice', async () => {
    const server = await startProcess()
    const slow = slowRequest(server.url)
    await slow.waiting
    server.child.kill('SIGINT')
    await untilRefused(server.url)
    server.child.kill('SIGINT')
    expect(await server.exited).toEqual({ code: 130, signal: null })
    expect(server.output().stdout).toMatch(/"signal":"SIGINT","inFlight":1,"msg":"stopping"/)
  })

  test('says what it was when it crashes, and exits with 70', async () => {
    const crash = "process.on('SIGUSR2', () => { throw new Error('on purpose') })"
    const server = await startProcess({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` })
    server.child.kill('SIGUSR2')
    expect(await server.exited).toEqual({ code: 70, signal: null })
    const last = JSON.parse(server.output().stdout.trim().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ level: 60, msg: 'crashed', err: { message: 'on purpose' } })
  })

  test('waits for no body that was refused when it is told to stop', async () => {
    const server = await startProcess()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const chunk = Buffer.alloc(65_536, 'x')
    let received = ''
    const refused = new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        received += data
        if (received.startsWith('HTTP/1.1 401')) resolve()
      })
    })
    // A client that continues to send its 50 MiB after the error response.
    const isOpen = new Promise<void>((resolve) => socket.on('error', () => resolve()).on('close', () => resolve()))
    socket.write(`POST /employees HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${800 * chunk.length}\r\n\r\n`)
    const sending = setInterval(() => socket.writable && socket.write(chunk), 20)
    await refused
    server.child.kill('SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(server.output().stdout).not.toContain('did not end in time')
    await isOpen
    clearInterval(sending)
    expect(received).toMatch(/\r\nConnection: close\r\n/)
  })

  test('loses no employee that was answered 201 when it is killed', async () => {
    const env = { SVC_DATA_DIR: join(folder, 'data') }
    const answered: number[] = []
    for (let round = 0; round < 2; round++) {
      const server = await startProcess(env)
      const create = async (): Promise<void> => {
        for (;;) {
          const call = toLiteral({ as: 'ada', method: 'POST', path: '/employees', json: grace })
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
      const answer = await send(server.url, toLiteral({ as: 'ada', path: `/employees/${id}` }))
      expect(answer.status).toBe(200)
    }
    const page = await send(server.url, toLiteral({ as: 'ada', path: '/departments' }))
    expect(JSON.parse(page.text).page.totalElements).toBe(8)
    server.child.kill('SIGTERM')
    await server.exited
  })
})
