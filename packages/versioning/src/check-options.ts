import {
  assertKnownOptions,
  assertOneOf,
  assertTypes,
  assertWordOrFunction,
  inspectValue,
} from '../../internal/options.ts'
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

const TYPES = {
  deprecated: 'object',
  retired: 'object',
  enforceSunset: 'boolean',
  setContentType: 'boolean',
  now: 'function',
} as const

/** Throws a `TypeError` that names the option and its value if one is not valid. */
export function checkOptions(options: VersioningOptions, onRefusedWords: readonly string[]): void {
  assertKnownOptions('versioning', options, OPTIONS)
  assertTypes('versioning', options, TYPES)
  assertWordOrFunction('versioning', 'onRefused', options.onRefused, onRefusedWords)
  const { versions, scheme = 'integer', headers = 'all' } = options
  if (!Array.isArray(versions) || versions.length === 0)
    throwInvalid('versions', 'a list of names', inspectValue(versions))
  for (const name of versions as readonly unknown[])
    if (typeof name !== 'string') throwInvalid('versions', 'a list of names', `a list with ${inspectValue(name)}`)
  assertOneOf('versioning', 'scheme', scheme, ['integer', 'date', 'semver'])
  assertOneOf('versioning', 'headers', headers, ['all', 'minimal', 'none'])
  assertMatches('vendor', options.vendor, /^[a-z0-9][a-z0-9.-]*$/, 'lower-case letters, digits, dots and hyphens')
  assertMatches('pathPrefix', options.pathPrefix, /^[A-Za-z]*$/, 'letters')
  assertMatches('basePath', options.basePath, /^(?:\/[A-Za-z0-9._~-]+)*$/, 'a path such as "/api"')
  checkEntries('deprecated', options, ['since', 'sunset', 'docsUrl', 'sunsetDocsUrl', 'successor', 'brownouts'])
  checkEntries('retired', options, ['successor', 'docsUrl'])
}

function checkEntries(option: 'deprecated' | 'retired', options: VersioningOptions, names: readonly string[]): void {
  const { versions, [option]: entries = {} } = options
  for (const [name, entry] of Object.entries(entries)) {
    if (option === 'deprecated' && !versions.includes(name))
      throw new TypeError(`versioning: deprecated must only have supported versions, got ${inspectValue(name)}`)
    if (entry === undefined) continue
    assertKnownOptions(`versioning: ${option} ${inspectValue(name)}`, entry, names)
    const { successor } = entry
    if (successor !== undefined && !versions.includes(successor))
      throw new TypeError(
        `versioning: successor of ${inspectValue(name)} must be a supported version, got ${inspectValue(successor)}`,
      )
  }
}

function assertMatches(option: string, value: unknown, pattern: RegExp, meaning: string): void {
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return
  throwInvalid(option, meaning, inspectValue(value))
}

function throwInvalid(option: string, meaning: string, got: string): never {
  throw new TypeError(`versioning: ${option} must be ${meaning}, got ${got}`)
}
