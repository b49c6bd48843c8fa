import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type Service, startService } from '../service.ts'
import { createRandom, type Random } from './random.ts'

const SEED = Number(process.env['SVC_TEST_SEED'] ?? 20_261_121)
const COUNT = 1500
const WIDTH = 48
const PATIENCE_MS = 1500
const DEADLINE_MS = 60_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.running.stop())

const BODY = '{"name":"Grace","department":"R&D","salary":1}'
const SOUND = [`Authorization: ${basic('ada')}`, 'Content-Type: application/json', 'Accept: */*', 'X-A: b'] as const
const LINES = [
  `Authorization: ${basic('ada')}`,
  'Host: localhost',
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  'Transfer-Encoding: chunked',
  'Content-Length: 5',
  'Content-Length: -1',
  'Transfer-Encoding: gzip, chunked',
  'Connection: keep-alive, Upgrade',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  ' folded: x',
  'X : y',
  'X\u0000: y',
  `X: ${'y'.repeat(9000)}`,
  'Accept: \u00ff\u00fe',
] as const

/** What is almost HTTP: lines in any order and number, broken bytes, two requests in one. */
function almostHttp(random: Random): Buffer {
  const method = random.pick(['GET', 'GET', 'GET', 'POST', 'POST', 'PATCH', 'CONNECT', 'TRACE', 'get', 'G\u0000T', ''])
  const target = random.pick([
    '/employees',
    '*',
    '//x',
    'http://evil.example/employees',
    '/%',
    '',
    '/a b',
    '/employees/1#x',
  ])
  const version = random.pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''])
  const fields = Array.from({ length: random.whole(4) }, () => random.pick(random.chance(0.5) ? SOUND : LINES))
  const end = random.pick(['\r\n', '\r\n', '\r\n', '\r\n', '\n'])
  const content = random.chance(0.6)
    ? ''
    : random.pick([BODY, '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', '', 'FFFFFFFFFFFFFFFFF\r\nx'])
  const one = [
    random.chance(0.3) ? 'GET /health HTTP/1.1' : `${method} ${target} ${version}`,
    'Host: localhost',
    ...fields,
    '',
    content,
  ].join(end)
  const bytes = Buffer.from(random.chance(0.1) ? one + one : one, 'latin1')
  for (let flips = random.chance(0.3) ? random.whole(4) : 0; flips > 0; flips--)
    bytes[random.whole(bytes.length)] = random.whole(256)
  return bytes
}

/**
 * Sends the bytes, and ends when a response begins or after a timeout. Returns what was received.
 */
function exchange(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes))
    const end = setTimeout(() => socket.end(), PATIENCE_MS)
    let answer = ''
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('no end in time')))
    socket.on('data', (chunk) => {
      answer += chunk
      socket.end()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNRESET' ? answer : String(error)))
    socket.on('close', () => {
      clearTimeout(end)
      resolve(answer)
    })
  })
}

test(`of ${COUNT} messages that are almost HTTP each is answered or cut, and none gets through to a failure`, async () => {
  const random = createRandom(SEED)
  const seen = new Map<string, number>()
  const problems: string[] = []
  let left = COUNT
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const bytes = almostHttp(random)
      const answer = await exchange(bytes)
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 'none'
      seen.set(status, (seen.get(status) ?? 0) + 1)
      const isBad = answer !== '' && !/^HTTP\/1\.1 (?:[1-4]\d\d|501|505) /.test(answer)
      if (isBad || /node_modules|\.ts:\d|\bat .{1,60}:\d+:\d+/.test(answer))
        problems.push(`${answer.slice(0, 300)} for ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`)
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, worker))
  expect(problems, `seed ${SEED}`).toEqual([])
  for (const status of ['200', '400'])
    expect(seen.get(status) ?? 0, JSON.stringify([...seen])).toBeGreaterThan(COUNT / 100)
  await service.check({ as: 'ada', path: '/employees/1' }, { status: 200 })
})
