import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RequestState } from '../engine/request-state.ts'
import { parseTraceId, requestLog } from './log.ts'

afterEach(() => void vi.restoreAllMocks())

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

describe('trace ids (W3C Trace Context)', () => {
  test.each([
    ['of version 00', `00-${TRACE}-${PARENT}-01`],
    ['of a later version, with more behind it', `01-${TRACE}-${PARENT}-01-what-comes`],
    ['of a later version', `fe-${TRACE}-${PARENT}-00`],
  ])('a field %s names the trace', (_what, field) => {
    expect(parseTraceId(field)).toBe(TRACE)
  })

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['repeated', [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`]],
    ['of no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['of no parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['of version 00 with more behind it', `00-${TRACE}-${PARENT}-01-more`],
    ['of version ff', `ff-${TRACE}-${PARENT}-01`],
    ['in capital letters', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['huge', `00-${'a'.repeat(100_000)}`],
  ])('a field that is %s names none', (_what, field) => {
    expect(parseTraceId(field)).toBeUndefined()
  })
})

describe('the line of a request', () => {
  const base = {
    req: { headers: {} },
    res: { writableFinished: true, statusCode: 200 },
    method: 'GET',
    startedAt: 0,
    target: '/',
    correlationId: 'id',
    caller: undefined,
    rejection: undefined,
  }
  const lineFor = (facts: object): object => {
    const lines: string[] = []
    requestLog((line, message) => lines.push(line, message))({ ...base, ...facts } as unknown as RequestState)
    expect(lines[1]).toBe('request')
    return JSON.parse(`{${lines[0]}}`)
  }

  test('has only what is known', () => {
    const ms = expect.any(Number)
    expect(lineFor({})).toEqual({ correlationId: 'id', method: 'GET', url: '/', status: 200, ms })
    expect(lineFor({ res: { writableFinished: false, statusCode: 200 } })).toMatchObject({ status: 499 })
  })

  test('is JSON, whatever the client sends', () => {
    const text = '"}\\n\u2028\n\u0000é'
    const caller = { name: text, subject: `user ${text}` }
    const line = lineFor({ target: `/${text}?token=${text}`, caller, rejection: { check: 'user', sub: text } })
    expect(line).toMatchObject({ url: '/"}\\n?????token=***', user: text, subject: `user ${text}` })
    expect(line).toMatchObject({ token: { check: 'user', sub: text } })
  })

  test.each([
    [0, 0],
    [0.04, 0],
    [0.96, 1],
    [1234.56, 1234.6],
  ])('has a time of %s ms with one digit behind the point', (passed, ms) => {
    vi.spyOn(performance, 'now').mockReturnValue(passed)
    expect(lineFor({})).toMatchObject({ ms })
  })

  test('is not written if the level is off', () => {
    expect(() => requestLog(undefined)(base as unknown as RequestState)).not.toThrow()
  })
})
