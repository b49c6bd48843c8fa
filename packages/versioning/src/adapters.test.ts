import { versioning } from '@svc/versioning'
import { fastifyConstraint, nestExtractor } from '@svc/versioning/adapters'
import { describe, expect, test } from 'vitest'

const api = versioning({
  versions: ['1', '2', '3'],
  vendor: 'svc',
  sources: ['path', 'API-Version', 'media-type', { query: 'v' }],
})
const request = (url: string, headers: Record<string, string> = {}) => ({ url, headers }) as never

const requests: [string, Record<string, string>, string | undefined][] = [
  ['/employees', {}, '1'],
  ['/employees', { 'api-version': '2' }, '2'],
  ['/employees', { accept: 'application/vnd.svc.v3+json' }, '3'],
  ['/v2/employees', {}, '2'],
  ['/employees?v=3', {}, '3'],
  ['/employees', { 'api-version': '9' }, undefined],
  ['/v1/employees', { 'api-version': '2' }, undefined],
]

describe('fastifyConstraint', () => {
  const constraint = fastifyConstraint(api)

  test.each(requests)('derives %s %j as %j', (url, headers, version) => {
    expect(constraint.deriveConstraint(request(url, headers))).toBe(version)
  })

  test('finds the handler of a key for each version', () => {
    const storage = constraint.storage()
    storage.set('1', 'first')
    storage.set('2+', 'later')
    expect(['1', '2', '3', '9', undefined].map((version) => storage.get(version))).toEqual([
      'first',
      'later',
      'later',
      null,
      null,
    ])
  })

  test('rejects a key that matches no version', () => {
    expect(() => constraint.validate('4+')).toThrow('versioning: versions must be among 1, 2, 3, got "4+"')
    expect(() => constraint.validate({})).toThrow(TypeError)
    expect(() => constraint.validate('1..2')).not.toThrow()
  })
})

describe('nestExtractor', () => {
  const extract = nestExtractor(api)

  test.each(requests)('extracts %s %j as %j', (url, headers, version) => {
    expect(extract(request(url, headers))).toBe(version ?? '')
    expect(extract({ raw: request(url, headers), headers })).toBe(version ?? '')
  })

  test('extracts the version that the middleware resolved', () => {
    const req = request('/v3/employees', {})
    api(req, { setHeader: () => {}, hasHeader: () => false } as never, () => {})
    expect((req as { url: string }).url).toBe('/employees')
    expect(extract(req)).toBe('3')
  })

  test.each([[undefined], [null], ['text'], [{}]])('extracts nothing from %j', (nothing) => {
    expect(extract(nothing)).toBe('')
  })
})
