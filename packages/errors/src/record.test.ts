import { classify, httpError, toProblem, toRecord } from '@svc/errors'
import { describe, expect, test } from 'vitest'

const NOW = Date.UTC(2026, 10, 21, 7, 30)
const at = { path: '/a', now: NOW }

describe('toRecord()', () => {
  test('begins with the five properties of every record, in order', () => {
    const record = toRecord(httpError(409, 'Taken.', { errors: [] }), at)
    expect(Object.keys(record)).toEqual(['timestamp', 'status', 'error', 'message', 'path', 'code', 'errors'])
    expect(record).toEqual({
      timestamp: '2026-11-21T07:30:00.000Z',
      status: 409,
      error: 'Conflict',
      message: 'Taken.',
      path: '/a',
      code: 'CONFLICT',
      errors: [],
    })
  })

  test('defaults to the current time', () => {
    const { timestamp } = toRecord(null, { path: '/' })
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000)
  })

  test.each([413, 414, 422])('has the reason phrase of RFC 9110 for %i', (status) => {
    const phrases: Record<number, string> = {
      413: 'Content Too Large',
      414: 'URI Too Long',
      422: 'Unprocessable Content',
    }
    expect(toRecord(httpError(status), at).error).toBe(phrases[status])
  })

  test('does not change the error', () => {
    const error = Object.freeze(Object.assign(new Error('x'), { status: 404, expose: true, cause: Object.freeze({}) }))
    expect(toRecord(error, at)).toMatchObject({ status: 404, message: 'x' })
  })
})

describe('toProblem()', () => {
  test('does not let an extension replace a member', () => {
    const error = httpError(403, 'No.', { extensions: { status: 200, detail: 'x', balance: 3 } })
    expect(toProblem(error, at)).toMatchObject({ status: 403, detail: 'No.', balance: 3 })
  })

  test.each([
    [undefined, 'about:blank'],
    ['https://api.example/problems', 'https://api.example/problems/out-of-credit'],
    ['https://api.example/problems/', 'https://api.example/problems/out-of-credit'],
    ['urn:problem:', 'urn:problem:out-of-credit'],
  ])('builds from the base %s the type %s (RFC 9457 §3.1.1)', (problemBaseUrl, type) => {
    const error = httpError(403, 'No.', { code: 'OUT_OF_CREDIT' })
    expect(toProblem(error, { ...at, ...(problemBaseUrl && { problemBaseUrl }) }).type).toBe(type)
  })

  test('prefers the type and title of the error', () => {
    const type = 'https://iana.org/assignments/http-problem-types#quota-exceeded'
    const error = httpError(429, undefined, { type, title: 'Quota exceeded' })
    expect(toProblem(error, { ...at, problemBaseUrl: 'https://x.example/' })).toMatchObject({
      type,
      title: 'Quota exceeded',
    })
  })
})

describe('classify()', () => {
  test('converts headers to strings, and omits other values', () => {
    const headers = { A: 'a', B: 2, C: ['x', 'y'], D: { e: 1 }, E: [1], F: null }
    expect(classify(Object.assign(new Error(''), { status: 404, headers })).headers).toEqual({
      A: 'a',
      B: '2',
      C: ['x', 'y'],
    })
  })

  test.each([
    [{ status: 404 }, 404],
    [{ statusCode: 404 }, 404],
    [{ status: '404' }, 500],
    [{ status: 302 }, 500],
    [{ status: 404, statusCode: 500 }, 404],
  ])('reads the status of an error with %j like Express: %i', (members, status) => {
    const classification = classify(Object.assign(new Error('secret'), members))
    expect(classification.status).toBe(status)
    expect(classification.message).not.toContain('secret')
  })

  test('does not trust an HttpError with a changed status', () => {
    const error = Object.assign(httpError(404), { status: 200 })
    expect(classify(error).status).toBe(500)
    expect(classify(Object.assign(httpError(404), { message: 7 })).message).toBe('The resource does not exist.')
  })
})
