import {
  assertKnownOptions,
  assertOneOf,
  assertType,
  assertTypes,
  assertWordOrFunction,
  createArgumentError,
  inspectValue,
} from '../../internal/options.ts'
import type { VersioningOptions } from './options.ts'

const OPTIONS = ['versions', 'default', 'scheme', 'sources', 'vendor', 'pathPrefix', 'basePath', 'headers', 'onRefused']

const TYPES = {
  deprecated: 'object',
  retired: 'object',
  enforceSunset: 'boolean',
  setContentType: 'boolean',
  now: 'function',
} as const

/** Throws a `TypeError` that names the option and its value if one is not valid. */
export function checkOptions(options: VersioningOptions, onRefusedWords: readonly string[]): void {
  assertKnownOptions('versioning', options, [...OPTIONS, ...Object.keys(TYPES)])
  assertTypes('versioning', options, TYPES)
  assertWordOrFunction('versioning', 'onRefused', options.onRefused, onRefusedWords)
  const { versions, scheme = 'integer', headers = 'all' } = options
  assertType('versioning', 'versions', versions, 'strings')
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
    const owner = `versioning: ${option} ${inspectValue(name)}`
    assertKnownOptions(owner, entry, names)
    assertTypes(owner, entry, { brownouts: 'objects' })
    const { successor } = entry
    if (successor !== undefined && !versions.includes(successor))
      throw new TypeError(
        `versioning: successor of ${inspectValue(name)} must be a supported version, got ${inspectValue(successor)}`,
      )
  }
}

function assertMatches(option: string, value: unknown, pattern: RegExp, meaning: string): void {
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return
  throw createArgumentError('versioning', option, meaning, value)
}
