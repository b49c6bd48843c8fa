import { type VersioningOptions, versioning } from '@svc/versioning'
import { fastifyConstraint, nestExtractor } from '@svc/versioning/adapters'
import { versioning as versioningFetch } from '@svc/versioning/fetch'
import { checkRoundTrip } from '@svc/versioning/testing'
import { expect, test } from 'vitest'

test.each([
  [{ versons: ['1'] }, 'versioning: unknown option "versons", did you mean "versions"?'],
  [{ versions: '1' }, 'versioning: versions must be an array of strings, got "1"'],
  [{ versions: [] }, 'versioning: versions must have at least one name'],
  [{ versions: [1] }, 'versioning: versions must be an array of strings, got an array'],
  [
    { versions: ['1', '1.0'] },
    "versioning: versions must be integers such as '1', got \"1.0\"; for semantic versions set scheme: 'semver'",
  ],
  [{ versions: ['1.0'] }, 'got "1.0"; for semantic versions set scheme: \'semver\''],
  [{ versions: ['2026-01-31'] }, 'got "2026-01-31"; for dates set scheme: \'date\''],
  [
    { versions: ['1'], scheme: 'date' },
    'versions must be dates such as \'2026-01-31\', got "1"; for integers set scheme',
  ],
  [{ versions: ['one'] }, 'versioning: versions must be integers such as \'1\', got "one"'],
  [{ versions: ['v1'] }, 'got "v1"; the prefix of a path is the option pathPrefix'],
  [{ versions: ['1', '2', '1'] }, 'versioning: versions must be different, got "1" and "1"'],
  [{ versions: ['1.0', '1.0.0'], scheme: 'semver' }, 'versioning: versions must be different, got "1.0" and "1.0.0"'],
  [{ versions: ['1'], retired: { '1': {} } }, 'versioning: versions must be different, got "1" and "1"'],
  [
    { versions: ['1'], scheme: 'dates' },
    "versioning: scheme must be one of 'integer', 'date', 'semver', got \"dates\", did you mean 'date'?",
  ],
  [
    { versions: ['1'], default: '2' },
    "versioning: default must be one of 'required', 'lowest', 'latest', '1', got \"2\"",
  ],
  [
    { versions: ['1'], vendor: 'Svc' },
    'versioning: vendor must be lower-case letters, digits, dots and hyphens, got "Svc"',
  ],
  [{ versions: ['1'], pathPrefix: '/v' }, 'versioning: pathPrefix must be letters, got "/v"'],
  [{ versions: ['1'], basePath: 'api/' }, 'versioning: basePath must be a path such as "/api", got "api/"'],
  [{ versions: ['1'], headers: 'some' }, "versioning: headers must be one of 'all', 'minimal', 'none', got \"some\""],
  [{ versions: ['1'], deprecated: { '2': {} } }, 'versioning: deprecated must only have supported versions, got "2"'],
  [{ versions: ['1'], sources: ['media-type'] }, 'versioning: vendor must be set for the source "media-type"'],
  [{ versions: ['1'], sources: [] }, 'versioning: sources must be a list of sources, got an array'],
  [{ versions: ['1'], sources: ['header'] }, 'got "header"'],
  [{ versions: ['1'], sources: [{ query: '' }] }, "versioning: sources must be 'path', 'API-Version'"],
  [{ versions: ['1'], sources: [{ header: 'X Version' }] }, "versioning: sources must be 'path', 'API-Version'"],
  [{ versions: ['1'], sources: [{ name: 'host' }] }, "versioning: sources must be 'path', 'API-Version'"],
  [{ versions: ['1'], sources: [{ read: () => '1' }] }, "versioning: sources must be 'path', 'API-Version'"],
  [{ versions: ['1'], sources: [{ name: 'host', read: '1' }] }, "versioning: sources must be 'path', 'API-Version'"],
  [
    { versions: ['1'], sources: [{ query: 'a' }, { query: 'b' }] },
    'versioning: sources must have at most one query parameter',
  ],
  [{ versions: ['1'], now: 5 }, 'versioning: now must be a function, got 5'],
  [
    { versions: ['1'], onRefused: 'throw' },
    "versioning: onRefused must be one of 'next', 'json', or a function, got \"throw\"",
  ],
  [{ versions: ['1'], deprecated: ['1'] }, 'versioning: deprecated must be an object, got an array'],
  [{ versions: ['1'], retired: 'none' }, 'versioning: retired must be an object, got "none"'],
  [{ versions: ['2'], retired: { '1': 'gone' } }, 'versioning: retired "1": options must be an object, got "gone"'],
  [
    { versions: ['1'], deprecated: { '1': { sunest: new Date() } } },
    'versioning: deprecated "1": unknown option "sunest", did you mean "sunset"?',
  ],
  [{ versions: ['1'], enforceSunset: 'yes' }, 'versioning: enforceSunset must be true or false, got "yes"'],
])('rejects %j at startup', (options, message) => {
  expect(() => versioning(options as unknown as VersioningOptions)).toThrow(TypeError)
  expect(() => versioning(options as unknown as VersioningOptions)).toThrow(message)
})

test('sorts versions by value, in any order', () => {
  const api = versioning({ versions: ['10', '9', '1'] })
  expect([api.versions, api.latest]).toEqual([['1', '9', '10'], '10'])
})

test.each<[unknown, unknown[], string]>([
  [versioning, [], 'versioning: options must be an object, got undefined'],
  [versioningFetch, [], 'versioning: options must be an object, got undefined'],
  [
    versioningFetch,
    [{ versions: ['1'], onRefused: 'next' }],
    "versioning: onRefused must be one of 'json', 'throw', or a function, got \"next\"",
  ],
  [fastifyConstraint, [], 'versioning: fastifyConstraint: api must be from versioning(), got undefined'],
  [nestExtractor, [{}], 'versioning: nestExtractor: api must be from versioning(), got an object'],
  [checkRoundTrip, [], 'versioning: checkRoundTrip: api must be from versioning(), got undefined'],
])('%o rejects %j', (call, args, message) => {
  expect(() => (call as (...args: unknown[]) => unknown)(...args)).toThrow(new TypeError(message))
})
