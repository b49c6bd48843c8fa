import { type VersioningOptions, versioning } from '@svc/versioning'
import { expect, test } from 'vitest'

test.each([
  [{ versons: ['1'] }, 'versioning: unknown option "versons", did you mean "versions"?'],
  [{ versions: '1' }, 'versioning: versions must be a list of names, got "1"'],
  [{ versions: [] }, 'versioning: versions must be a list of names, got an array'],
  [{ versions: [1] }, 'versioning: versions must be a list of names, got an array that holds 1'],
  [{ versions: ['1', '1.0'] }, 'versioning: "1.0" is no version of the scheme "integer"'],
  [{ versions: ['v1'] }, 'versioning: "v1" is no version of the scheme "integer"'],
  [{ versions: ['1', '2', '1'] }, 'versioning: the versions "1" and "1" are the same'],
  [{ versions: ['1.0', '1.0.0'], scheme: 'semver' }, 'versioning: the versions "1.0" and "1.0.0" are the same'],
  [{ versions: ['1'], retired: { '1': {} } }, 'versioning: the versions "1" and "1" are the same'],
  [{ versions: ['1'], scheme: 'dates' }, 'versioning: scheme must be one of integer, date, semver, got "dates"'],
  [{ versions: ['1'], default: '2' }, 'versioning: default must be a version that is served, got "2"'],
  [
    { versions: ['1'], vendor: 'Svc' },
    'versioning: vendor must be lower-case letters, digits, dots and hyphens, got "Svc"',
  ],
  [{ versions: ['1'], pathPrefix: '/v' }, 'versioning: pathPrefix must be letters, got "/v"'],
  [{ versions: ['1'], base: 'api/' }, 'versioning: base must be a path such as "/api", got "api/"'],
  [{ versions: ['1'], fields: 'some' }, 'versioning: fields must be one of all, served, none, got "some"'],
  [{ versions: ['1'], deprecated: { '2': {} } }, 'versioning: deprecated names "2", which is not served'],
  [{ versions: ['1'], from: ['media-type'] }, 'versioning: the source "media-type" needs the option vendor'],
  [{ versions: ['1'], from: [] }, 'versioning: from must be a list of sources, got an array'],
  [{ versions: ['1'], from: ['header'] }, 'got "header"'],
  [{ versions: ['1'], from: [{ query: '' }] }, "versioning: from must hold 'path', 'API-Version'"],
  [{ versions: ['1'], from: [{ header: 'X Version' }] }, "versioning: from must hold 'path', 'API-Version'"],
  [{ versions: ['1'], from: [{ query: 'a' }, { query: 'b' }] }, 'versioning: from may name one query parameter'],
  [{ versions: ['1'], now: 5 }, 'versioning: now must be a function, got 5'],
  [
    { versions: ['1'], onRefused: 'throw' },
    'versioning: onRefused must be "next", "record" or a function, got "throw"',
  ],
  [{ versions: ['1'], enforceSunset: 'yes' }, 'versioning: enforceSunset must be true or false, got "yes"'],
])('refuses %j at start', (options, message) => {
  expect(() => versioning(options as unknown as VersioningOptions)).toThrow(TypeError)
  expect(() => versioning(options as unknown as VersioningOptions)).toThrow(message)
})

test('sorts versions by value, in whatever order they are given', () => {
  const api = versioning({ versions: ['10', '9', '1'] })
  expect([api.versions, api.latest]).toEqual([['1', '9', '10'], '10'])
})
