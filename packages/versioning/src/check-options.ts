import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import type { VersioningOptions } from './options.ts'

const OPTIONS = [
  'versions',
  'default',
  'scheme',
  'sources',
  'vendor',
  'pathPrefix',
  'basePath',
  'deprecated',
  'retired',
  'enforceSunset',
  'headers',
  'setContentType',
  'onRefused',
  'now',
]

/** Throws a `TypeError` that names the option and its value if one is not valid. */
export function checkOptions(options: VersioningOptions): void {
  assertKnownOptions('versioning', options, OPTIONS)
  const { versions, onRefused, now } = options
  const invalidName: unknown = Array.isArray(versions)
    ? versions.find((name: unknown) => typeof name !== 'string')
    : undefined
  if (!Array.isArray(versions) || versions.length === 0)
    throwInvalid('versions', 'a list of names', inspectValue(versions))
  if (invalidName !== undefined) throwInvalid('versions', 'a list of names', `a list with ${inspectValue(invalidName)}`)
  assertAllowed('scheme', options.scheme, ['integer', 'date', 'semver'])
  assertAllowed('headers', options.headers, ['all', 'minimal', 'none'])
  assertAllowed('enforceSunset', options.enforceSunset, [true, false])
  assertAllowed('setContentType', options.setContentType, [true, false])
  assertMatches('vendor', options.vendor, /^[a-z0-9][a-z0-9.-]*$/, 'lower-case letters, digits, dots and hyphens')
  assertMatches('pathPrefix', options.pathPrefix, /^[A-Za-z]*$/, 'letters')
  assertMatches('basePath', options.basePath, /^(?:\/[A-Za-z0-9._~-]+)*$/, 'a path such as "/api"')
  if (now !== undefined && typeof now !== 'function') throwInvalid('now', 'a function', inspectValue(now))
  if (typeof onRefused !== 'function' && ![undefined, 'next', 'json'].includes(onRefused))
    throwInvalid('onRefused', '"next", "json" or a function', inspectValue(onRefused))
  checkLifecycles(options)
}

function checkLifecycles({ versions, deprecated = {}, retired = {} }: VersioningOptions): void {
  const names = ['since', 'sunset', 'docsUrl', 'sunsetDocsUrl', 'successor', 'brownouts']
  for (const [name, entry] of Object.entries(deprecated)) {
    if (!versions.includes(name))
      throw new TypeError(`versioning: deprecated must only have supported versions, got ${inspectValue(name)}`)
    assertKnownOptions('versioning', entry ?? {}, names)
  }
  for (const entry of Object.values(retired)) assertKnownOptions('versioning', entry, ['successor', 'docsUrl'])
  for (const [name, entry] of [...Object.entries(deprecated), ...Object.entries(retired)]) {
    const successor = entry?.successor
    if (successor !== undefined && !versions.includes(successor))
      throw new TypeError(
        `versioning: successor of ${inspectValue(name)} must be a supported version, got ${inspectValue(successor)}`,
      )
  }
}

function assertAllowed(option: string, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined || allowed.includes(value)) return
  throwInvalid(
    option,
    allowed.length === 2 ? allowed.join(' or ') : `one of ${allowed.join(', ')}`,
    inspectValue(value),
  )
}

function assertMatches(option: string, value: unknown, pattern: RegExp, meaning: string): void {
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return
  throwInvalid(option, meaning, inspectValue(value))
}

function throwInvalid(option: string, meaning: string, got: string): never {
  throw new TypeError(`versioning: ${option} must be ${meaning}, got ${got}`)
}
