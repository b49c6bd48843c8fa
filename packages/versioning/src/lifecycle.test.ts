import { formatDeprecation, parseDeprecation, type VersioningOptions, versioning } from '@svc/versioning'
import { describe, expect, test } from 'vitest'

type Endings = Pick<
  VersioningOptions<'1' | '2' | '3'>,
  'deprecated' | 'retired' | 'basePath' | 'pathPrefix' | 'sources'
>

function headersOfVersion1(endings: Endings): Record<string, string> {
  const api = versioning({ versions: ['1', '2', '3'], ...endings })
  const req = { url: '/', headers: {} }
  const res = { setHeader: () => res, hasHeader: () => false }
  api(req as never, res as never, () => {})
  return { ...api.headersFor(req) }
}

const since = new Date('2023-06-30T23:59:59Z')
const sunset = new Date('2024-06-30T23:59:59Z')

describe('the emission table', () => {
  test('formats Deprecation as a date of structured fields (RFC 9745 §2.1)', () => {
    expect(headersOfVersion1({ deprecated: { '1': { since } } })).toMatchObject({ Deprecation: '@1688169599' })
    expect(formatDeprecation(new Date('1969-12-31T23:59:59.500Z'))).toBe('@-1')
    expect(() => formatDeprecation(new Date(Number.NaN))).toThrow(TypeError)
  })

  test('formats Sunset as an HTTP-date in GMT (RFC 8594 §3)', () => {
    const fields = headersOfVersion1({ deprecated: { '1': { since, sunset } } })
    expect(fields).toMatchObject({ Sunset: 'Sun, 30 Jun 2024 23:59:59 GMT' })
  })

  test('accepts milliseconds since 1970, and 0', () => {
    const dates = headersOfVersion1({ deprecated: { '1': { since, sunset } } })
    expect(headersOfVersion1({ deprecated: { '1': { since: Number(since), sunset: Number(sunset) } } })).toEqual(dates)
    const epoch = headersOfVersion1({ deprecated: { '1': { since: 0, sunset: 0 } } })
    expect(epoch).toMatchObject({ Deprecation: '@0', Sunset: 'Thu, 01 Jan 1970 00:00:00 GMT' })
    expect(formatDeprecation(Number(since))).toBe('@1688169599')
    expect(() => formatDeprecation('now' as never)).toThrow(
      new TypeError('versioning: formatDeprecation: since must be a Date or milliseconds, got "now"'),
    )
  })

  test('sends Sunset without Deprecation if only the sunset is set', () => {
    const fields = headersOfVersion1({ deprecated: { '1': { sunset } }, sources: ['API-Version'] })
    expect(fields).toEqual({
      'API-Version': '1',
      'API-Supported-Versions': '1, 2, 3',
      Sunset: 'Sun, 30 Jun 2024 23:59:59 GMT',
      Vary: 'API-Version',
    })
  })

  test('rejects a sunset before the deprecation at startup (RFC 9745 §4)', () => {
    const options = { versions: ['1', '2'], deprecated: { '1': { since: sunset, sunset: since } } } as const
    expect(() => versioning(options)).toThrow('versioning: sunset of version "1" must not be before since')
  })

  test('sends only links without a date', () => {
    const fields = headersOfVersion1({ deprecated: { '1': { docsUrl: '/policy' } }, sources: ['API-Version'] })
    expect(fields).toEqual({
      'API-Version': '1',
      'API-Supported-Versions': '1, 2, 3',
      Link: '</policy>; rel="deprecation"; type="text/html"',
      Vary: 'API-Version',
    })
  })

  test.each([
    ['@1688169599', '2023-06-30T23:59:59.000Z'],
    ['@-1', '1969-12-31T23:59:59.000Z'],
    ['@0', '1970-01-01T00:00:00.000Z'],
    [' @1688169599;a=1', '2023-06-30T23:59:59.000Z'],
    ['@1659578233.12', undefined],
    ['@', undefined],
    ['true', undefined],
    ['?1', undefined],
    ['Fri, 30 Jun 2023 23:59:59 GMT', undefined],
    ['@999999999999999', undefined],
    ['@1234567890123456', undefined],
    ['', undefined],
  ])('parses %j as %j (RFC 9651 §3.3.7)', (value, expected) => {
    expect(parseDeprecation(value)?.toISOString()).toBe(expected)
  })
})

describe('links to other versions', () => {
  test('name the next version and the latest one if paths have versions', () => {
    const { Link } = headersOfVersion1({
      deprecated: { '1': { since, docsUrl: '/docs', sunsetDocsUrl: '/bye' } },
      basePath: '/api',
    })
    expect(Link?.split(', ')).toEqual([
      '</docs>; rel="deprecation"; type="text/html"',
      '</bye>; rel="sunset"; type="text/html"',
      '</api/v2/>; rel="successor-version"',
      '</api/v3/>; rel="latest-version"',
    ])
  })

  test('name the successor of the options', () => {
    const { Link } = headersOfVersion1({ deprecated: { '1': { since, successor: '3' } } })
    expect(Link).toContain('</v3/>; rel="successor-version"')
  })

  test('are sent with the error of a retired version', () => {
    const api = versioning({
      versions: ['2', '3'],
      retired: { '1': { successor: '3', docsUrl: 'https://example.org/bye' } },
    })
    expect(api.resolve({ path: '/v1/x' })).toMatchObject({
      status: 410,
      headers: {
        Link: '<https://example.org/bye>; rel="deprecation"; type="text/html", </v3/>; rel="successor-version", </v3/>; rel="latest-version"',
      },
    })
  })
})

test.each([
  [{ since: 'soon' }, 'since of version "1" must be a Date or milliseconds in the years 0 to 9999, got "soon"'],
  [{ since: null }, 'since of version "1" must be a Date or milliseconds in the years 0 to 9999, got null'],
  [{ since: 1e20 }, 'years 0 to 9999, got 100000000000000000000'],
  [
    { since, sunset: new Date(Number.NaN) },
    'sunset of version "1" must be a Date or milliseconds in the years 0 to 9999, got Invalid Date',
  ],
  [{ sunset: 8.64e15 }, 'milliseconds in the years 0 to 9999, got 8640000000000000'],
  [{ since: Date.UTC(-1, 11, 31) }, 'milliseconds in the years 0 to 9999, got -62167305600000'],
  [{ sunset: new Date(Date.UTC(10000, 0)) }, 'milliseconds in the years 0 to 9999, got Sat Jan 01 10000'],
  [
    { brownouts: [{ from: since, until: 8.64e15 }] },
    'brownouts.until of version "1" must be a Date or milliseconds in the years 0 to 9999',
  ],
  [{ brownouts: 'x' }, 'deprecated "1": brownouts must be an array of objects, got "x"'],
  [{ brownouts: { from: since, until: sunset } }, 'deprecated "1": brownouts must be an array of objects'],
  [{ brownouts: [null] }, 'deprecated "1": brownouts must be an array of objects, got an array'],
  [{ docsUrl: '/a b' }, 'docsUrl must be a URI, got "/a b"'],
  [{ docsUrl: '/a>; rel="x"' }, 'docsUrl must be a URI'],
  [{ docsUrl: '/ä' }, 'docsUrl must be a URI'],
  [{ brownouts: [{ from: sunset, until: since }] }, 'brownouts of version "1" must be times with from before until'],
  [{ brownouts: [{ from: 'a', until: 'b' }] }, 'brownouts.from of version "1" must be a Date or milliseconds'],
  [{ brownouts: [{ from: since }] }, 'brownouts of version "1" must be times with from before until'],
  [{ successor: '9' }, 'successor of "1" must be a supported version, got "9"'],
  [{ sunst: sunset }, 'unknown option "sunst", did you mean "sunset"?'],
])('rejects the lifecycle %j at startup', (entry, message) => {
  expect(() => versioning({ versions: ['1', '2'], deprecated: { '1': entry as never } })).toThrow(message)
})
