import { type CheckPreconditionsOptions, checkPreconditions, type ResourceState } from '@svc/negotiate'
import { describe, expect, test } from 'vitest'

const LATER = 'Sat, 21 Nov 2026 10:00:00 GMT'
const EARLIER = 'Thu, 19 Nov 2026 10:00:00 GMT'
const state: ResourceState = { version: 7, lastModified: Date.UTC(2026, 10, 20) }

describe('preconditions of a change (RFC 9110 §13.2.2, RFC 6585 §3)', () => {
  const rows: [fields: Record<string, string>, CheckPreconditionsOptions, status: number | undefined][] = [
    [{}, {}, undefined],
    [{}, { required: true }, 428],
    [{ 'if-match': '"7.hal"' }, { required: true }, undefined],
    [{ 'if-unmodified-since': LATER }, { required: true }, undefined],
    [{ 'if-unmodified-since': 'tomorrow' }, { required: true }, 428],
    [{ 'if-match': '"7"', 'if-unmodified-since': 'tomorrow' }, { required: true }, undefined],
    [{ 'if-match': '"6"' }, {}, 412],
    [{ 'if-unmodified-since': EARLIER }, {}, 412],
    [{ 'if-none-match': '"7"' }, {}, 412],
    [{ 'if-none-match': '7' }, {}, 400],
    [{ 'if-match': '"6"' }, { alreadyApplied: true }, undefined],
    [{ 'if-unmodified-since': EARLIER }, { alreadyApplied: true }, undefined],
    [{ 'if-none-match': '*' }, { alreadyApplied: true }, 412],
    [{ 'if-match': '"6"', 'if-none-match': '*' }, { alreadyApplied: true }, 412],
    [{ 'if-none-match': '7' }, { alreadyApplied: true }, 400],
    [{}, { alreadyApplied: true, required: true }, 428],
  ]
  test.each(rows)('%j with %j is %j', (headers, options, status) => {
    expect(checkPreconditions({ method: 'PUT', headers }, state, options)?.status).toBe(status)
  })

  test('names the header that failed, and forbids storing a 428', () => {
    const refused = (headers: Record<string, string>, options = {}) =>
      checkPreconditions({ method: 'PUT', headers }, state, options)
    expect(refused({ 'if-match': '"6"' })?.message).toContain('If-Match')
    expect(refused({ 'if-none-match': '*' })?.message).toContain('If-None-Match')
    expect(refused({ 'if-unmodified-since': EARLIER })?.message).toContain('If-Unmodified-Since')
    expect(refused({}, { required: true })?.headers).toEqual({ 'Cache-Control': 'no-store' })
  })

  test('requires more than a date if the state has none (RFC 9110 §13.1.4)', () => {
    const req = { method: 'PUT', headers: { 'if-unmodified-since': LATER } }
    expect(checkPreconditions(req, { version: 7 }, { required: true })?.status).toBe(428)
  })

  test.each(['GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE', 'CONNECT', undefined])('requires none of %s', (method) => {
    expect(checkPreconditions({ method, headers: {} }, state, { required: true })).toBeUndefined()
  })

  test.each([
    [{ 'if-match': '"7"', 'if-none-match': '*' }, 'If-None-Match'],
    [{ 'if-match': '"6"', 'if-none-match': '*' }, 'If-Match'],
    [{ 'if-unmodified-since': LATER, 'if-none-match': '*' }, 'If-None-Match'],
    [{ 'if-unmodified-since': EARLIER, 'if-none-match': '*' }, 'If-Unmodified-Since'],
  ])('names of %j the one that failed', (headers, header) => {
    expect(checkPreconditions({ method: 'PUT', headers }, state)?.params).toEqual({ header })
  })

  test('are texts: neither the types nor the check accept a list of values', () => {
    const headers = { 'if-match': ['"9"', '"3"'] }
    // @ts-expect-error Node.js joins the lines of these headers
    expect(() => checkPreconditions({ method: 'PUT', headers }, state)).toThrow(TypeError)
  })

  test('requires no precondition to create a resource, and fails if it must exist', () => {
    expect(checkPreconditions({ method: 'PUT', headers: {} }, undefined, { required: true })).toBeUndefined()
    expect(checkPreconditions({ method: 'PUT', headers: { 'if-match': '*' } }, undefined)?.status).toBe(412)
    expect(checkPreconditions({ method: 'PUT', headers: { 'if-none-match': '*' } }, undefined)).toBeUndefined()
  })
})
