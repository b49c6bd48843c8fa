import { classify, defineProblems, httpError, type ProblemDefinition, toProblem, toRecord } from '@svc/errors'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const problems = defineProblems({
  outOfCredit: {
    status: 403,
    title: 'Out of credit',
    message: 'The balance is too low.',
    extensions: z.object({ balance: z.number(), accounts: z.array(z.string()).default([]) }),
  },
  soldOut: { status: 409 },
  maintenance: {
    status: 503,
    message: 'Back at ten.',
    type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
  },
})

describe('defineProblems()', () => {
  test('creates errors with a literal status and typed members', () => {
    const error = problems.outOfCredit({ balance: 3 })
    expectTypeOf(error.status).toEqualTypeOf<403>()
    expectTypeOf(error.extensions).toExtend<{ balance: number; accounts: string[] }>()
    expect(error).toMatchObject({
      status: 403,
      code: 'OUT_OF_CREDIT',
      title: 'Out of credit',
      message: 'The balance is too low.',
      extensions: { balance: 3, accounts: [] },
    })
    expectTypeOf(problems.soldOut().status).toEqualTypeOf<409>()
  })

  test('rejects a missing or wrong member, at compile time and at run time', () => {
    // @ts-expect-error balance is missing
    expect(() => problems.outOfCredit({})).toThrow('errors: problem "outOfCredit": extensions must match the schema: ')
    // @ts-expect-error balance is a number
    expect(() => problems.outOfCredit({ balance: '3' })).toThrow(TypeError)
    // @ts-expect-error the members are missing
    expect(() => problems.outOfCredit()).toThrow(TypeError)
    // @ts-expect-error soldOut has no members
    expect(() => problems.soldOut({ balance: 3 }, {})).toThrow('unknown option "balance"')
    // @ts-expect-error there is no such problem
    expect(problems.other).toBeUndefined()
  })

  test('accepts schemas of every library', () => {
    const other = defineProblems({
      a: { status: 400, extensions: v.object({ limit: v.number() }) },
      b: { status: 400, extensions: type({ limit: 'number' }) },
    })
    expect(other.a({ limit: 1 }).extensions.limit).toBe(1)
    expect(other.b({ limit: 1 }).extensions.limit).toBe(1)
    // @ts-expect-error limit is a number
    expect(() => other.a({ limit: 'x' })).toThrow(TypeError)
    // @ts-expect-error limit is a number
    expect(() => other.b({ limit: 'x' })).toThrow(TypeError)
  })

  test('accepts options for an occurrence', () => {
    const cause = new Error('inner')
    const error = problems.outOfCredit({ balance: 3 }, { message: 'It costs 50.', retryAfter: 9, cause })
    expect(error).toMatchObject({ message: 'It costs 50.', headers: { 'Retry-After': '9' }, cause })
  })

  test('exposes its message with a status of 500 and above', () => {
    expect(classify(problems.maintenance())).toMatchObject({ status: 503, message: 'Back at ten.' })
  })

  test('adds the members to problem documents, not to records', () => {
    const error = problems.outOfCredit({ balance: 3, accounts: ['/a'] })
    expect(toProblem(error, { path: '/a', now: 0, problemBaseUrl: 'https://api.example/problems/' })).toEqual({
      type: 'https://api.example/problems/out-of-credit',
      title: 'Out of credit',
      status: 403,
      detail: 'The balance is too low.',
      code: 'OUT_OF_CREDIT',
      timestamp: '1970-01-01T00:00:00.000Z',
      path: '/a',
      balance: 3,
      accounts: ['/a'],
    })
    expect(toRecord(error, { path: '/a', now: 0 })).toEqual({
      timestamp: '1970-01-01T00:00:00.000Z',
      status: 403,
      error: 'Forbidden',
      message: 'The balance is too low.',
      path: '/a',
      code: 'OUT_OF_CREDIT',
    })
  })

  test('recognizes its errors', () => {
    const error: unknown = problems.outOfCredit({ balance: 3 })
    expect(problems.soldOut.is(error)).toBe(false)
    expect(problems.outOfCredit.is(error) && error.extensions.balance).toBe(3)
    expect(problems.outOfCredit.is(new Error('x'))).toBe(false)
    expect(problems.outOfCredit.is(httpError(403))).toBe(false)
    expect(problems.outOfCredit.is(httpError(409, '', { code: 'OUT_OF_CREDIT' }))).toBe(false)
    expect([problems.outOfCredit.status, problems.outOfCredit.code]).toEqual([403, 'OUT_OF_CREDIT'])
  })

  test.each<[Record<string, unknown>, string]>([
    [{ status: 200 }, 'errors: problem "x": status must be 400 to 599, got 200'],
    [{ status: 400, type: 'x' }, 'errors: problem "x": type must be an absolute URI, got "x"'],
    [{ status: 400, titel: 'x' }, 'errors: problem "x": unknown option "titel", did you mean "title"?'],
    [{ status: 400, code: 'not a code' }, 'errors: problem "x": code must be in UPPER_SNAKE case, got "not a code"'],
    [{ status: 400, title: 5 }, 'errors: problem "x": title must be a string, got 5'],
    [{ status: 400, message: {} }, 'errors: problem "x": message must be a string, got an object'],
    [{ status: 400, extensions: {} }, 'errors: problem "x": extensions must be a Standard Schema, got an object'],
  ])('rejects the definition %j', (definition, message) => {
    expect(() => defineProblems({ x: definition as unknown as ProblemDefinition })).toThrow(new TypeError(message))
  })

  test('rejects anything but definitions, and unknown options of an error', () => {
    expect(() => defineProblems(undefined as never)).toThrow(
      new TypeError('errors: defineProblems: definitions must be an object, got undefined'),
    )
    const { x } = defineProblems({ x: { status: 400 } })
    expect(() => x({ mesage: 'No.' } as never)).toThrow('errors: problem "x": unknown option "mesage"')
    expect(() => x({ code: 'OTHER' } as never)).toThrow('errors: problem "x": unknown option "code"')
    expect(() => x('No.' as never)).toThrow('errors: problem "x": options must be an object, got "No."')
  })

  test.each(['detail', 'not a name', '1a'])('rejects a member named %j (RFC 9457 §3.2)', (name) => {
    const made = defineProblems({ x: { status: 400, extensions: z.record(z.string(), z.string()) } })
    expect(() => made.x({ [name]: 'a' })).toThrow(`errors: problem "x": extensions must not have the member "${name}"`)
  })

  test('rejects an asynchronous schema, and one that returns no object', () => {
    const later = z.object({ a: z.string().refine(async () => true) })
    expect(() => defineProblems({ x: { status: 400, extensions: later } }).x({ a: 'b' })).toThrow(
      'must be a synchronous schema',
    )
    expect(() => defineProblems({ x: { status: 400, extensions: z.string() } }).x('a')).toThrow('must be an object')
  })
})
