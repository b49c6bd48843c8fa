import { getHeader } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { VersionFrom, VersioningOptions, VersionReader } from './options.ts'

/** The sources of the options, sorted by kind. */
export interface Sources {
  path: boolean
  apiVersion: boolean
  acceptVersion: boolean
  vendor: string | undefined
  queryName: string | undefined
  readers: readonly VersionReader[]
  /** `Vary` of an answer to a path without a version. */
  vary: readonly string[]
  /** `Vary` of an answer to a path with a version: the path has settled it, but not the type. */
  varyOfPath: readonly string[]
}

/** Reads the option `from`. Throws where a source is unknown or incomplete. */
export function readSources({ from, vendor }: VersioningOptions): Sources {
  const named: readonly VersionFrom[] = from ?? [
    'path',
    'API-Version',
    'Accept-Version',
    ...(vendor === undefined ? [] : (['media-type'] as const)),
  ]
  if (!Array.isArray(named) || named.length === 0)
    throw new TypeError(`versioning: from must be a list of sources, got ${inspectValue(from)}`)
  if (named.includes('media-type') && vendor === undefined)
    throw new TypeError('versioning: the source "media-type" needs the option vendor')
  const readers = named.flatMap(readerOf)
  const queries = named.flatMap((source) => (isObject(source) && 'query' in source ? [source.query] : []))
  if (queries.length > 1) throw new TypeError('versioning: from may name one query parameter')
  const apiVersion = named.includes('API-Version')
  const acceptVersion = named.includes('Accept-Version')
  const varyOfPath = named.includes('media-type') ? ['Accept'] : []
  const fields = [...(apiVersion ? ['API-Version'] : []), ...(acceptVersion ? ['Accept-Version'] : [])]
  return {
    path: named.includes('path'),
    apiVersion,
    acceptVersion,
    vendor: named.includes('media-type') ? vendor : undefined,
    queryName: queries[0],
    readers,
    vary: [...varyOfPath, ...fields, ...readers.flatMap(({ vary = [] }) => vary)],
    varyOfPath,
  }
}

function readerOf(source: VersionFrom): VersionReader[] {
  if (['path', 'API-Version', 'Accept-Version', 'media-type'].includes(source as string)) return []
  if (isObject(source)) {
    if ('query' in source && typeof source.query === 'string' && source.query !== '') return []
    if ('header' in source && typeof source.header === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(source.header)) {
      const { header } = source
      const name = header.toLowerCase()
      return [{ name: header, read: (req) => getHeader(req, name), vary: [header] }]
    }
    if ('read' in source && typeof source.read === 'function' && typeof source.name === 'string') return [source]
  }
  throw new TypeError(
    `versioning: from must hold 'path', 'API-Version', 'Accept-Version', 'media-type', {query}, {header} or {name, read}, got ${inspectValue(source)}`,
  )
}

function isObject(source: VersionFrom): source is Exclude<VersionFrom, string> {
  return typeof source === 'object' && source !== null
}
