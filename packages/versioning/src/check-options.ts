import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import type { VersioningOptions } from './options.ts'

const KNOWN = [
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

/** Throws a TypeError that names the option and its value where something is not as documented. */
export function checkOptions(options: VersioningOptions): void {
  assertKnownOptions('versioning', options, KNOWN)
  const { versions, onRefused, now } = options
  const odd: unknown = Array.isArray(versions) ? versions.find((name: unknown) => typeof name !== 'string') : undefined
  if (!Array.isArray(versions) || versions.length === 0) refuse('versions', 'a list of names', inspectValue(versions))
  if (odd !== undefined) refuse('versions', 'a list of names', `an array that holds ${inspectValue(odd)}`)
  assertOneOf('scheme', options.scheme, ['integer', 'date', 'semver'])
  assertOneOf('headers', options.headers, ['all', 'minimal', 'none'])
  assertOneOf('enforceSunset', options.enforceSunset, [true, false])
  assertOneOf('setContentType', options.setContentType, [true, false])
  matches('vendor', options.vendor, /^[a-z0-9][a-z0-9.-]*$/, 'lower-case letters, digits, dots and hyphens')
  matches('pathPrefix', options.pathPrefix, /^[A-Za-z]*$/, 'letters')
  matches('basePath', options.basePath, /^(?:\/[A-Za-z0-9._~-]+)*$/, 'a path such as "/api"')
  if (now !== undefined && typeof now !== 'function') refuse('now', 'a function', inspectValue(now))
  if (typeof onRefused !== 'function' && ![undefined, 'next', 'json'].includes(onRefused))
    refuse('onRefused', '"next", "json" or a function', inspectValue(onRefused))
  checkEndings(options)
}

function checkEndings({ versions, deprecated = {}, retired = {} }: VersioningOptions): void {
  const names = ['since', 'sunset', 'docsUrl', 'sunsetDocsUrl', 'successor', 'brownouts']
  for (const [name, entry] of Object.entries(deprecated)) {
    if (!versions.includes(name))
      throw new TypeError(`versioning: deprecated names ${inspectValue(name)}, which is not supported`)
    assertKnownOptions('versioning', entry ?? {}, names)
  }
  for (const entry of Object.values(retired)) assertKnownOptions('versioning', entry, ['successor', 'docsUrl'])
  for (const [name, entry] of [...Object.entries(deprecated), ...Object.entries(retired)]) {
    const successor = entry?.successor
    if (successor !== undefined && !versions.includes(successor))
      throw new TypeError(
        `versioning: the successor of ${inspectValue(name)} is ${inspectValue(successor)}, which is not supported`,
      )
  }
}

function assertOneOf(option: string, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined || allowed.includes(value)) return
  refuse(option, allowed.length === 2 ? allowed.join(' or ') : `one of ${allowed.join(', ')}`, inspectValue(value))
}

function matches(option: string, value: unknown, pattern: RegExp, meaning: string): void {
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return
  refuse(option, meaning, inspectValue(value))
}

function refuse(option: string, meaning: string, got: string): never {
  throw new TypeError(`versioning: ${option} must be ${meaning}, got ${got}`)
}
