import { type VersionCandidates, type VersionDecision, type VersioningOptions, versioning } from '@svc/versioning'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'
import { measureCpuMs } from '../../internal/testing/cpu-time.ts'

const api = versioning({ versions: ['1', '2', '10'], retired: { '3': {} }, vendor: 'svc' })

const short = (decision: VersionDecision): string =>
  'status' in decision
    ? `${decision.status} ${decision.code.replace('ERR_VERSIONING_', '')}`
    : `${decision.version} ${decision.source}${decision.mediaType ? ` ${decision.mediaType}` : ''}`

const decide = (options: Partial<VersioningOptions>, candidates: VersionCandidates): string =>
  short(versioning({ versions: ['1', '2', '10'], vendor: 'svc', ...options }).resolve(candidates))

describe('a path', () => {
  test.each([
    ['/v10/employees', '10 path', '/v10'],
    ['/v1', '1 path', '/v1'],
    ['/v1?x=/v2', '1 path', '/v1'],
    ['http://example.org/v2/employees', '2 path', '/v2'],
    ['/employees/v2', '1 default', ''],
    ['/vehicles', '1 default', ''],
    ['/v', '1 default', ''],
    ['/v2x', '1 default', ''],
    ['/V2/employees', '1 default', ''],
    ['/%762/employees', '1 default', ''],
    ['//v2', '1 default', ''],
    ['*', '1 default', ''],
    ['', '1 default', ''],
    ['example.org:443', '1 default', ''],
  ])('%j is %s with the prefix %j', (path, expected, prefix) => {
    const decision = api.resolve({ path })
    expect(short(decision)).toBe(expected)
    expect('prefix' in decision && decision.prefix).toBe(prefix)
  })

  test.each([
    ['/v4/x', '404 UNSUPPORTED'],
    ['/v1-2/x', '404 UNSUPPORTED'],
    ['/v1.0', '404 UNSUPPORTED'],
    ['/v99999999999999999999', '404 UNSUPPORTED'],
    ['/v3/x', '410 RETIRED'],
  ])('%j is %s', (path, expected) => {
    expect(short(api.resolve({ path }))).toBe(expected)
  })
})

describe('a header', () => {
  test.each([
    [{ apiVersion: ' 2 ' }, '2 API-Version'],
    [{ apiVersion: '2,2,,2' }, '2 API-Version'],
    [{ apiVersion: '3' }, '410 RETIRED'],
    [{ apiVersion: ',' }, '400 MALFORMED'],
    [{ apiVersion: '2, two' }, '400 MALFORMED'],
    [{ apiVersion: '>=1' }, '400 MALFORMED'],
    [{ apiVersion: '"2"' }, '400 MALFORMED'],
    [{ apiVersion: '2'.repeat(2000) }, '400 MALFORMED'],
    [{ apiVersion: '__proto__' }, '400 MALFORMED'],
    [{ apiVersion: '２' }, '400 MALFORMED'],
    [{ acceptVersion: '1.x, >=1' }, '1 Accept-Version'],
    [{ acceptVersion: '1.x, 2.x' }, '400 CONFLICT'],
    [{ acceptVersion: '' }, '400 MALFORMED'],
    [{ acceptVersion: '^3' }, '410 RETIRED'],
    [{ acceptVersion: '>=2 <10' }, '2 Accept-Version'],
    [{ acceptVersion: '1 || 10' }, '10 Accept-Version'],
  ] as const)('%j is %s', (candidates, expected) => {
    expect(short(api.resolve(candidates))).toBe(expected)
  })
})

describe('a media type', () => {
  const json = (version: string): string => `application/vnd.svc.v${version}+json`
  test.each([
    [{ accept: json('2').toUpperCase() }, `2 media-type ${json('2')}`],
    [{ accept: `${json('2')};q=0.5;charset=utf-8, text/html` }, '1 default'],
    [{ accept: `${json('2')}, text/html` }, `2 media-type ${json('2')}`],
    [{ accept: `text/html, ${json('2')}` }, `2 media-type ${json('2')}`],
    [{ accept: `${json('2')};q=0` }, '1 default'],
    [{ accept: `${json('2')};q=0, ${json('1')};q=0.001` }, `1 media-type ${json('1')}`],
    [{ accept: `${json('2')};q=high` }, `2 media-type ${json('2')}`],
    [{ accept: 'application/vnd.svc+json' }, '1 default'],
    [{ accept: 'application/vnd.svc.vehicle+json' }, '1 default'],
    [{ accept: 'application/vnd.other.v2+json' }, '1 default'],
    [{ accept: 'application/vnd.svc.v2' }, '2 media-type application/vnd.svc.v2'],
    [{ accept: json('02') }, '406 UNSUPPORTED'],
    [{ accept: 'application/vnd.svc.v2+"x"' }, '406 UNSUPPORTED'],
    [{ accept: 'application/vnd.svc.v2+!json' }, '406 UNSUPPORTED'],
    [{ accept: `${json('1')};q=1, ${json('2')}` }, `1 media-type ${json('1')}`],
    [{ accept: json('3') }, '406 UNSUPPORTED'],
    [{ accept: '' }, '1 default'],
    [{ contentType: `${json('2')}; charset=utf-8` }, '2 media-type'],
    [{ contentType: json('3') }, '415 UNSUPPORTED'],
    [{ contentType: 'application/json' }, '1 default'],
    [{ contentType: 'application/vnd.svc.v' }, '1 default'],
    [{ accept: json('4'), path: '/v2/x' }, '400 CONFLICT'],
    [{ accept: `${json('1')}, ${json('2')};q=0.1`, path: '/v2/x' }, `2 path ${json('2')}`],
    [{ accept: json('1'), acceptVersion: '>=1' }, `1 Accept-Version ${json('1')}`],
    [{ accept: json('1'), contentType: json('1') }, `1 media-type ${json('1')}`],
  ])('%j is %s', (candidates, expected) => {
    expect(short(api.resolve(candidates))).toBe(expected)
  })
})

test('a prerelease has the same name in any case, since media types are not case-sensitive (RFC 9110 §8.3.1)', () => {
  const options = { versions: ['1.0.0-RC.1', '1.0.0'], scheme: 'semver' } as const
  const type = 'application/vnd.svc.v1.0.0-RC.1+json'
  expect(decide(options, { accept: type })).toBe(`1.0.0-RC.1 media-type ${type.toLowerCase()}`)
  expect(decide(options, { contentType: type })).toBe('1.0.0-RC.1 media-type')
  expect(decide(options, { apiVersion: '1.0.0-rc.1' })).toBe('1.0.0-RC.1 API-Version')
})

describe('a query', () => {
  const sources = ['path', { query: 'api-version' }] as const
  test.each([
    ['api-version=2', '2 query'],
    ['page=1&api-version=v2&size=3', '2 query'],
    ['api-version=2&api-version=2', '2 query'],
    ['api-version=1&api-version=2', '400 CONFLICT'],
    ['api-version=', '400 MALFORMED'],
    ['api-version', '400 MALFORMED'],
    ['api-version=7', '400 UNSUPPORTED'],
    ['my-api-version=2', '1 default'],
    ['__proto__=2', '1 default'],
  ])('%j is %s', (query, expected) => {
    expect(decide({ sources }, { query })).toBe(expected)
  })

  test('takes linear time for a repeated parameter', async () => {
    const { resolve } = versioning({ versions: ['1', '2'], sources })
    const query = Array(4000).fill('api-version=1').join('&')
    const resolveOften = () => {
      for (let count = 0; count < 20; count++) expect(resolve({ query })).toMatchObject({ version: '1' })
    }
    expect(await measureCpuMs(resolveOften)).toBeLessThan(150)
  })

  test('keeps the parameter as written, for links', () => {
    const decision = versioning({ versions: ['1', '2'], sources }).resolve({ query: 'a=b&api-version=v2' })
    expect(decision).toMatchObject({ version: '2', query: 'api-version=v2' })
  })
})

describe('a source that is not enabled', () => {
  test.each([
    [
      { sources: ['API-Version'] },
      { path: '/v2/x', acceptVersion: '2', query: 'v=2', accept: 'application/vnd.svc.v2+json' },
    ],
    [{ sources: ['path'] }, { apiVersion: 'two', acceptVersion: '~x', contentType: 'application/vnd.svc.v9+json' }],
  ] as const)('is ignored: %j', (options, candidates) => {
    expect(decide(options, candidates)).toBe('1 default')
  })
})

describe('a request that names no version', () => {
  test.each([
    [undefined, '1 default'],
    ['lowest', '1 default'],
    ['latest', '10 default'],
    ['2', '2 default'],
    ['required', '400 REQUIRED'],
  ] as const)('with the default %j is %s', (fallback, expected) => {
    expect(decide(fallback ? { default: fallback } : {}, { path: '/employees', accept: '*/*' })).toBe(expected)
  })

  test('gets the vendor type instead of a preferred plain one if a version is required', () => {
    const accept = 'application/vnd.svc.v2+json;q=0.5, */*'
    expect(decide({ default: 'required' }, { accept })).toBe('2 media-type application/vnd.svc.v2+json')
  })
})

describe('dates', () => {
  const dated = versioning({
    versions: ['2025-12-01', '2026-06-30', '2026-01-31'],
    retired: { '2024-05-05': {} },
    scheme: 'date',
    vendor: 'svc',
  })
  test.each([
    [{ apiVersion: '2026-01-31' }, '2026-01-31 API-Version'],
    [{ apiVersion: '2026-03-15' }, '2026-01-31 API-Version'],
    [{ apiVersion: '2999-01-01' }, '2026-06-30 API-Version'],
    [{ apiVersion: '2025-01-01' }, '410 RETIRED'],
    [{ apiVersion: '2024-01-01' }, '400 UNSUPPORTED'],
    [{ apiVersion: '2026-02-30' }, '400 MALFORMED'],
    [{ apiVersion: '2' }, '400 MALFORMED'],
    [{ path: '/v2026-03-15/x' }, '2026-01-31 path'],
    [{ path: '/v2020-01-01/x' }, '404 UNSUPPORTED'],
    [{ path: '/v2026-03-15/x', apiVersion: '2026-02-01' }, '2026-01-31 path'],
    [{ acceptVersion: '<2026-06-01' }, '2026-01-31 Accept-Version'],
    [{ accept: 'application/vnd.svc.v2026-03-15+json' }, '2026-01-31 media-type application/vnd.svc.v2026-03-15+json'],
    [{}, '2025-12-01 default'],
  ])('%j is %s', (candidates, expected) => {
    expect(short(dated.resolve(candidates))).toBe(expected)
  })
})

describe('semantic versions', () => {
  const semantic = versioning({
    versions: ['1.0.0', '1.10.0', '1.9.0', '2.0.0', '3.0.0-beta.1'],
    scheme: 'semver',
    vendor: 'svc',
  })
  test.each([
    [{ apiVersion: '1' }, '1.10.0 API-Version'],
    [{ apiVersion: '1.9' }, '1.9.0 API-Version'],
    [{ apiVersion: '1.9.1' }, '400 UNSUPPORTED'],
    [{ apiVersion: '3' }, '400 UNSUPPORTED'],
    [{ apiVersion: '3.0.0-beta.1' }, '3.0.0-beta.1 API-Version'],
    [{ acceptVersion: '*' }, '2.0.0 Accept-Version'],
    [{ acceptVersion: '~1.9' }, '1.9.0 Accept-Version'],
    [{ path: '/v1/x', apiVersion: '1.0.0' }, '1.0.0 path'],
    [{ path: '/v3.0.0-beta.1/x' }, '3.0.0-beta.1 path'],
    [{ accept: 'application/vnd.svc.v1.9+json' }, '1.9.0 media-type application/vnd.svc.v1.9+json'],
  ])('%j is %s', (candidates, expected) => {
    expect(short(semantic.resolve(candidates))).toBe(expected)
  })
})

describe('any mix of sources', () => {
  const name = fc.constantFrom('1', '2', '3', '4', '10', 'v2', '02', 'x', '', '1, 2', '>=1', '^2', '*', '1 - 2')
  const bytes = fc.oneof(anyText({ maxLength: 40 }), name)
  const clue = fc.option(bytes, { nil: undefined })
  const accept = fc.option(
    fc
      .array(
        fc.tuple(fc.constantFrom('vnd.svc.v1+json', 'vnd.svc.v2+xml', 'vnd.svc.v9+json', 'json'), fc.nat({ max: 10 })),
      )
      .map((members) => members.map(([type, tenths]) => `application/${type};q=${tenths / 10}`).join(',')),
    { nil: undefined },
  )
  const candidates: fc.Arbitrary<VersionCandidates> = fc.record({
    path: fc.option(
      bytes.map((text) => `/v${text}/employees`),
      { nil: undefined },
    ),
    apiVersion: clue,
    acceptVersion: clue,
    accept: fc.oneof(accept, clue),
    contentType: fc.oneof(
      clue,
      bytes.map((text) => `application/vnd.svc.v${text}+json`),
    ),
    query: clue,
  })

  test('returns the same decision again, and never throws', () => {
    fc.assert(
      fc.property(candidates, (mix) => {
        const decision = api.resolve(mix)
        expect('status' in decision || api.versions.includes(decision.version)).toBe(true)
        expect(api.resolve(mix)).toEqual(decision)
      }),
      { numRuns: 2000 },
    )
  })

  test('never selects a version that an exact source does not name', () => {
    const exact = fc.option(fc.constantFrom('1', '2', '10'), { nil: undefined })
    fc.assert(
      fc.property(exact, exact, exact, (path, apiVersion, acceptVersion) => {
        const decision = api.resolve({ ...(path && { path: `/v${path}/x` }), apiVersion, acceptVersion })
        const named = new Set([path, apiVersion, acceptVersion].filter((text) => text !== undefined))
        const expected = named.size > 1 ? '400 CONFLICT' : ([...named][0] ?? '1')
        expect(short(decision).startsWith(expected)).toBe(true)
      }),
    )
  })

  test('parses malicious headers of 16 KB in linear time', () => {
    const patterns = [
      'application/vnd.svc.v',
      ',',
      ';q=',
      '"',
      '\\"',
      '1,',
      ' ',
      '1.x||',
      '>= ',
      'application/vnd.svc.v2+json,',
    ]
    const time = (repeat: number): number => {
      const start = process.cpuUsage()
      for (const pattern of patterns) {
        const text = pattern.repeat(Math.ceil(repeat / pattern.length))
        const vendor = `application/vnd.svc.v1+json,${text}`
        for (let round = 0; round < 5; round++)
          api.resolve({
            path: `/v${text}`,
            apiVersion: text,
            acceptVersion: text,
            accept: vendor,
            contentType: vendor,
            query: text,
          })
      }
      return process.cpuUsage(start).user
    }
    time(16_384)
    // In linear time, 64 times the length takes 64 times as long; a quadratic parser takes 4,096
    // times.
    expect(time(1_048_576) / Math.max(time(16_384), 1000)).toBeLessThan(640)
  })
})

test.each([
  [{ path: '/v4/x' }, { sources: ['path'], supported: ['1', '2', '10'] }],
  [{ apiVersion: 'two' }, { sources: ['API-Version'], supported: ['1', '2', '10'] }],
  [
    { path: '/v1/x', apiVersion: '2' },
    { sources: ['path', 'API-Version'], supported: ['1', '2', '10'] },
  ],
])('returns an error of %o with the values in its message', (candidates, params) => {
  expect(api.resolve(candidates)).toMatchObject({ params })
})
