import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examples } from '../src/formats/pages/exchange.ts'
import { type ServerProcess, spawnServer } from './process.ts'
import { basic } from './service.ts'

const run = promisify(execFile)

describe.each([
  ['HTTP', {}],
  ['HTTPS', { SVC_TLS: 'self' }],
])('what the start prints on a terminal, over %s', (scheme, env) => {
  let server: ServerProcess
  let lines: string[]
  beforeAll(async () => {
    server = spawnServer({ LOG_FORMAT: 'pretty', LOG_LEVEL: 'info', ...env })
    await new Promise<void>((resolve, reject) => {
      server.child.stdout?.on('data', () => server.output().stdout.includes('Ctrl-C stops.') && resolve())
      server.exited.then(() => reject(new Error(server.output().stderr)))
    })
    const { stdout } = server.output()
    lines = stdout.slice(stdout.indexOf('svc reference-server ')).trimEnd().split('\n')
  })
  afterAll(async () => {
    server.child.kill('SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(server.output().stdout).toMatch(/ stopping, requests in flight: 0; .*\n.* stopped in \d+\.\d s\n$/)
  })

  const statusOf = async (...args: string[]): Promise<number> =>
    Number((await run('curl', ['-sk', '-o', '/dev/null', '-w', '%{http_code}', ...args])).stdout)

  test('is short: it fits on a screen', () => {
    expect(lines[0]).toMatch(/^svc reference-server \d+\.\d+\.\d+ · node \d+\.\d+\.\d+ · in memory, resets on restart$/)
    expect(lines.length).toBeLessThanOrEqual(30)
    expect(lines.filter((line) => line.length > 180)).toEqual([])
  })

  test('has nothing but lines of kinds that are tried here', () => {
    const known = [
      /^ {2}\w+ +https?:\/\/\S+(?: {2}\/\w+)*$/,
      /^ {2}(?:Users)? +\w+ \/ [\w-]+ \(.+\)$/,
      /^ {2}(?:Try)? +curl .+$/,
    ]
    const others = lines.slice(1).filter((line) => line !== '' && !known.some((kind) => kind.test(line)))
    const tls = scheme === 'HTTPS' ? [expect.stringMatching(/^ {2}TLS +self-made, SHA-256 [0-9A-F:]{95}$/)] : []
    expect(others).toEqual([...tls, '  Demo credentials are public: keep this on loopback.  Ctrl-C stops.'])
  })

  test('names addresses that answer', async () => {
    const addresses = lines.flatMap((line) => {
      const [, first, more = ''] = /^ {2}\w+ +(https?:\/\/\S+)((?: {2}\/\w+)*)$/.exec(line) ?? []
      const others = more.split('  ').filter(Boolean)
      return first === undefined ? [] : [first, ...others.map((path) => new URL(path, first).href)]
    })
    expect(addresses).toHaveLength(8)
    for (const address of addresses) expect(await statusOf(address), address).toBe(200)
  })

  test('names users who may log in', async () => {
    const url = /Open +(\S+)/.exec(lines.join('\n'))?.[1] ?? ''
    const users = lines.flatMap((line) => {
      const [, name = '', password = '', may] = /^ {2}(?:Users)? +(\w+) \/ ([\w-]+) \((.+)\)$/.exec(line) ?? []
      return may === undefined ? [] : [{ name, password, may }]
    })
    expect(users.length).toBeGreaterThan(4)
    for (const { name, password, may } of users) {
      const status = await statusOf('-H', `Authorization: ${basic(name, password)}`, `${url}employees/1`)
      expect(status, name).toBe(/^(?:read )?everything/.test(may) ? 200 : 403)
    }
  })

  test('prints calls that work when they are pasted into a shell', async () => {
    const calls = lines.flatMap((line) => /^ {2}(?:Try)? +(curl .+)$/.exec(line)?.[1] ?? [])
    expect(calls).toHaveLength(examples.length)
    for (const [at, call] of calls.entries()) {
      const { stdout } = await run('bash', ['-c', `${call} -w '\\n%{http_code}'`])
      const { status, says } = examples[at] ?? { status: 0, says: '' }
      expect(stdout, call).toMatch(RESPONSES[says] ?? /^$/)
      expect(stdout.trim().split('\n').at(-1), call).toBe(String(status))
    }
  })
})

/** Parts of the responses to the calls, by what the page of the service says about them. */
const RESPONSES: Readonly<Record<string, RegExp>> = {
  'example.page': /"totalElements":137/,
  'example.xml': /<employee><id>1<\/id>/,
  'example.create': /"name":"Grace Hopper"/,
  'example.order': /"payment":\{"href":"\/orders\/3\/payment"\}/,
  'example.token': /"token_type":"Bearer"/,
  'example.error': /"code":"NOT_FOUND"/,
}
