import { getHeader } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { VersioningOptions, VersionReader, VersionSourceOption } from './options.ts'

/** A custom reader, or that of a header, which every host reads in its own way. */
export type SourceReader = VersionReader & { header?: string }

/** The sources of the options, sorted by kind. */
export interface Sources {
  path: boolean
  apiVersion: boolean
  acceptVersion: boolean
  vendor: string | undefined
  queryName: string | undefined
  readers: readonly SourceReader[]
  /** `Vary` of a response for a path without a version. */
  vary: readonly string[]
  /**
   * `Vary` of a response for a path with a version, which determines the version, but not the type.
   */
  varyOnPath: readonly string[]
}

/** Reads the option `sources`. Throws where a source is unknown or incomplete. */
export function readSources({ sources, vendor }: VersioningOptions): Sources {
  const named: readonly VersionSourceOption[] = sources ?? [
    'path',
    'API-Version',
    'Accept-Version',
    ...(vendor === undefined ? [] : (['media-type'] as const)),
  ]
  if (!Array.isArray(named) || named.length === 0)
    throw new TypeError(`versioning: sources must be a list of sources, got ${inspectValue(sources)}`)
  if (named.includes('media-type') && vendor === undefined)
    throw new TypeError('versioning: the source "media-type" needs the option vendor')
  const readers = named.flatMap(toReaders)
  const queries = named.flatMap((source) => (isObject(source) && 'query' in source ? [source.query] : []))
  if (queries.length > 1) throw new TypeError('versioning: sources may name one query parameter')
  const apiVersion = named.includes('API-Version')
  const acceptVersion = named.includes('Accept-Version')
  const varyOnPath = named.includes('media-type') ? ['Accept'] : []
  const fields = [...(apiVersion ? ['API-Version'] : []), ...(acceptVersion ? ['Accept-Version'] : [])]
  return {
    path: named.includes('path'),
    apiVersion,
    acceptVersion,
    vendor: named.includes('media-type') ? vendor : undefined,
    queryName: queries[0],
    readers,
    vary: [...varyOnPath, ...fields, ...readers.flatMap(({ vary = [] }) => vary)],
    varyOnPath,
  }
}

function toReaders(source: VersionSourceOption): SourceReader[] {
  if (['path', 'API-Version', 'Accept-Version', 'media-type'].includes(source as string)) return []
  if (isObject(source)) {
    if ('query' in source && typeof source.query === 'string' && source.query !== '') return []
    if ('header' in source && typeof source.header === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(source.header)) {
      const { header } = source
      const name = header.toLowerCase()
      return [{ name: header, header: name, read: (req) => getHeader(req, name), vary: [header] }]
    }
    if ('read' in source && typeof source.read === 'function' && typeof source.name === 'string') return [source]
  }
  throw new TypeError(
    `versioning: sources must hold 'path', 'API-Version', 'Accept-Version', 'media-type', {query}, {header} or {name, read}, got ${inspectValue(source)}`,
  )
}

function isObject(source: VersionSourceOption): source is Exclude<VersionSourceOption, string> {
  return typeof source === 'object' && source !== null
}
