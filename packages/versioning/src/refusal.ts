import type { Catalogue } from './catalogue.ts'

/** Every code of an error that this package hands to `next` or answers with. */
export type VersioningCode =
  | 'ERR_VERSIONING_UNSUPPORTED'
  | 'ERR_VERSIONING_MALFORMED'
  | 'ERR_VERSIONING_CONFLICT'
  | 'ERR_VERSIONING_REQUIRED'
  | 'ERR_VERSIONING_RETIRED'
  | 'ERR_VERSIONING_BROWNOUT'
  | 'ERR_VERSIONING_BODY'
  | 'ERR_VERSIONING_TRANSFORM'
  | 'ERR_VERSIONING_NOT_MOUNTED'

/** Why a request is not served. */
export interface VersionRefusal {
  status: 400 | 404 | 406 | 410 | 415
  code: VersioningCode
  /** One sentence that names the supported versions. */
  message: string
  headers?: Record<string, string>
}

/** What named a version: a source of the options, or `default` where the request named none. */
export type VersionSource =
  | 'path'
  | 'API-Version'
  | 'Accept-Version'
  | 'query'
  | 'media-type'
  | 'default'
  | (string & {})

/** The refusal of what one source asks for. */
export function refuseSource(
  source: VersionSource,
  cause: 'unsupported' | 'malformed' | 'retired',
  catalogue: Catalogue,
): VersionRefusal {
  const supported = listOf(catalogue)
  if (source === 'path') {
    if (cause === 'retired') return retired(supported)
    return refusal(404, 'ERR_VERSIONING_UNSUPPORTED', `The path names a version that does not exist. ${supported}`)
  }
  if (source === 'Accept')
    return refusal(406, 'ERR_VERSIONING_UNSUPPORTED', `Accept names no version that is served. ${supported}`)
  if (source === 'Content-Type')
    return refusal(415, 'ERR_VERSIONING_UNSUPPORTED', `Content-Type names a version that is not served. ${supported}`)
  if (cause === 'retired') return retired(supported)
  return cause === 'malformed'
    ? refusal(400, 'ERR_VERSIONING_MALFORMED', `${source} does not hold a version. ${supported}`)
    : refusal(400, 'ERR_VERSIONING_UNSUPPORTED', `${source} names a version that is not served. ${supported}`)
}

/** The refusal of two sources that do not agree, or of one that contradicts itself. */
export function refuseConflict(sources: readonly VersionSource[], catalogue: Catalogue): VersionRefusal {
  const who = new Set(sources).size > 1 ? `${sources.join(' and ')} name` : `${sources[0] ?? 'The request'} names`
  return refusal(400, 'ERR_VERSIONING_CONFLICT', `${who} different versions. ${listOf(catalogue)}`)
}

/** The refusal of a request that names no version where one is required. */
export function refuseUnversioned(catalogue: Catalogue): VersionRefusal {
  return refusal(400, 'ERR_VERSIONING_REQUIRED', `The request must name a version. ${listOf(catalogue)}`)
}

function retired(supported: string): VersionRefusal {
  return refusal(410, 'ERR_VERSIONING_RETIRED', `This version is not served any more. ${supported}`)
}

function refusal(status: VersionRefusal['status'], code: VersioningCode, message: string): VersionRefusal {
  return { status, code, message }
}

function listOf({ supported }: Catalogue): string {
  return `Supported versions: ${supported.map(({ name }) => name).join(', ')}.`
}
