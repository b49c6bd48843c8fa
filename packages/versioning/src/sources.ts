import { getHeader } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { VersioningOptions, VersionReader, VersionSourceOption } from './options.ts'

/** A custom reader, or one of a header, which each host reads in its own way. */
export type SourceReader = VersionReader & { header?: string }

/** The enabled sources by kind. */
export interface Sources {
  path: boolean
  apiVersion: boolean
  acceptVersion: boolean
  vendor: string | undefined
  queryName: string | undefined
  readers: readonly SourceReader[]
  /** `Vary` of a response to a path without a version. */
  vary: readonly string[]
  /** `Vary` of a response to a path with a version, which selects the version but not the type. */
  varyOnPath: readonly string[]
}

/** Parses the option `sources`. Throws a `TypeError` if a source is not supported or incomplete. */
export function parseSources({ sources, vendor }: VersioningOptions): Sources {
  const list: readonly VersionSourceOption[] = sources ?? [
    'path',
    'API-Version',
    'Accept-Version',
    ...(vendor === undefined ? [] : (['media-type'] as const)),
  ]
  if (!Array.isArray(list) || list.length === 0)
    throw new TypeError(`versioning: sources must be a list of sources, got ${inspectValue(sources)}`)
  const hasMediaType = list.includes('media-type')
  if (hasMediaType && vendor === undefined)
    throw new TypeError('versioning: vendor must be set for the source "media-type"')
  const readers = list.flatMap(toReaders)
  const queries = list.flatMap((source) => (isObject(source) && 'query' in source ? [source.query] : []))
  if (queries.length > 1) throw new TypeError('versioning: sources must have at most one query parameter')
  const headers = ['API-Version', 'Accept-Version'].filter((name) => list.includes(name))
  const varyOnPath = hasMediaType ? ['Accept'] : []
  return {
    path: list.includes('path'),
    apiVersion: list.includes('API-Version'),
    acceptVersion: list.includes('Accept-Version'),
    vendor: hasMediaType ? vendor : undefined,
    queryName: queries[0],
    readers,
    vary: [...varyOnPath, ...headers, ...readers.flatMap(({ vary = [] }) => vary)],
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
    `versioning: sources must be 'path', 'API-Version', 'Accept-Version', 'media-type', { query }, { header } or { name, read }, got ${inspectValue(source)}`,
  )
}

function isObject(source: VersionSourceOption): source is Exclude<VersionSourceOption, string> {
  return typeof source === 'object' && source !== null
}
