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
  /** HTTP status of the refusal. */
  status: 400 | 404 | 406 | 410 | 415
  /** Which of the package's codes it is. */
  code: VersioningCode
  /** One sentence about the cause, and one that lists the supported versions. */
  message: string
  /** Fields that the answer must carry. */
  headers?: Record<string, string>
  /** The values that the message names: `sources`, `supported`, and the date `since` or `until`. */
  params?: Readonly<Record<string, unknown>>
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

/** What may be wrong with what one source asks for. */
export type SourceProblem = 'unsupported' | 'malformed' | 'retired'

/** The refusal of what one source asks for: the status depends on where it stands. */
export function refuseSource(source: VersionSource, problem: SourceProblem, catalogue: Catalogue): VersionRefusal {
  const unsupported = (status: 400 | 404 | 406 | 415): VersionRefusal =>
    refusal(status, 'ERR_VERSIONING_UNSUPPORTED', `${named([source])} names a version that is not served.`, catalogue, [
      source,
    ])
  if (source === 'Accept') return unsupported(406)
  if (source === 'Content-Type') return unsupported(415)
  if (problem === 'retired')
    return refusal(410, 'ERR_VERSIONING_RETIRED', 'This version is not served any more.', catalogue)
  if (source === 'path') return unsupported(404)
  if (problem === 'unsupported') return unsupported(400)
  return refusal(400, 'ERR_VERSIONING_MALFORMED', `${named([source])} does not hold a version.`, catalogue, [source])
}

/** The refusal of sources that do not agree, or of one that contradicts itself. */
export function refuseConflict(sources: readonly VersionSource[], catalogue: Catalogue): VersionRefusal {
  const who = [...new Set(sources)]
  const verb = who.length > 1 ? 'name' : 'names'
  return refusal(400, 'ERR_VERSIONING_CONFLICT', `${named(who)} ${verb} different versions.`, catalogue, who)
}

/** The refusal of a request that names no version where one is required. */
export function refuseUnversioned(catalogue: Catalogue): VersionRefusal {
  return refusal(400, 'ERR_VERSIONING_REQUIRED', 'The request must name a version.', catalogue)
}

function named(sources: readonly VersionSource[]): string {
  const words = sources
    .map((source) => (source === 'path' || source === 'query' ? `the ${source}` : source))
    .join(' and ')
  return words.startsWith('the ') ? `The ${words.slice(4)}` : words
}

function refusal(
  status: VersionRefusal['status'],
  code: VersioningCode,
  cause: string,
  catalogue: Catalogue,
  sources?: readonly VersionSource[],
): VersionRefusal {
  const supported = catalogue.supported.map(({ name }) => name)
  const message = `${cause} Supported versions: ${supported.join(', ')}.`
  return { status, code, message, params: { supported, ...(sources && { sources }) } }
}
