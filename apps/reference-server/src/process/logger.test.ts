import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLogger } from './logger.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

/** The line that an error makes. */
async function lineOf(err: unknown): Promise<{ text: string; err: unknown }> {
  const file = join(folder, `${files++}.log`)
  const { log } = createLogger(readConfig({ SVC_LOG_FILE: file, LOG_FORMAT: 'json' }))
  log.error({ err, status: 500 }, 'request failed')
  await new Promise<void>((resolve, reject) => log.flush((error) => (error ? reject(error) : resolve())))
  const text = readFileSync(file, 'utf8')
  return { text, err: JSON.parse(text).err }
}

describe('an error in the log', () => {
  test('is its name, message, code, stack and what was behind it', async () => {
    const cause = Object.assign(new RangeError('too far'), { code: 'E_FAR' })
    const error = new TypeError('wrong', { cause })
    expect((await lineOf(error)).err).toEqual({
      type: 'TypeError',
      message: 'wrong',
      stack: error.stack,
      cause: { type: 'RangeError', message: 'too far', code: 'E_FAR', stack: cause.stack },
    })
  })

  test('holds nothing else that a driver or client hung on it, however deep', async () => {
    const secrets = {
      password: 'hunter2',
      parameters: ['hunter2'],
      request: { headers: { authorization: 'hunter2', cookie: 'hunter2', '__proto__ ': 'hunter2' } },
    }
    const error = Object.assign(new Error('no', { cause: Object.assign(new Error('inner'), secrets) }), secrets)
    expect((await lineOf(error)).text).not.toContain('hunter2')
  })

  test('may be its own cause', async () => {
    const error = new Error('round')
    error.cause = error
    expect((await lineOf(error)).text.match(/"message":"round"/g)).toHaveLength(6)
  })

  test.each([
    ['a text', 'thrown', { type: 'string', message: 'thrown' }],
    ['nothing', null, { type: 'object', message: '' }],
    ['an object with secrets', { token: 'hunter2' }, { type: 'object', message: '' }],
  ])('where %s was thrown, says so', async (_what, thrown, expected) => {
    expect((await lineOf(thrown)).err).toEqual(expected)
  })
})

test('lines have the time in milliseconds, in their order, however many are written at once', async () => {
  const file = join(folder, 'times.log')
  const { log } = createLogger(readConfig({ SVC_LOG_FILE: file, LOG_FORMAT: 'json' }))
  const before = Date.now()
  for (let count = 0; count < 2000; count++) log.info({ count }, 'request')
  await new Promise<void>((resolve, reject) => log.flush((error) => (error ? reject(error) : resolve())))
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { count: number; time: string })
  expect(entries.map(({ count }) => count)).toEqual(Array.from({ length: 2000 }, (_, count) => count))
  for (const { time } of entries) {
    expect(new Date(time).toISOString()).toBe(time)
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
  }
})

test('lines that are JSON already look like all others, and keep their order', async () => {
  const file = join(folder, 'written.log')
  const { log, writeInfo } = createLogger(readConfig({ SVC_LOG_FILE: file, LOG_FORMAT: 'json' }))
  log.info({ count: 1 }, 'first')
  writeInfo?.('"count":2', 'second')
  log.info({ count: 3 }, 'third')
  await new Promise<void>((resolve, reject) => log.flush((error) => (error ? reject(error) : resolve())))
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const expected = ['first', 'second', 'third'].map((msg, index) => ({ level: 30, count: index + 1, msg }))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(expected)
  for (const line of lines) expect(Object.keys(JSON.parse(line))).toEqual(['level', 'time', 'count', 'msg'])
})

test('the level decides whether requests are written', () => {
  const { writeInfo } = createLogger(readConfig({ SVC_LOG_FILE: join(folder, 'warn.log'), LOG_LEVEL: 'warn' }))
  expect(writeInfo).toBeUndefined()
})
