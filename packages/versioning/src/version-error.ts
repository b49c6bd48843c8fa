import type { ApiVersions } from './api-versions.ts'

/** Code of an error response. */
export type VersioningErrorCode =
  | 'ERR_VERSIONING_UNSUPPORTED'
  | 'ERR_VERSIONING_MALFORMED'
  | 'ERR_VERSIONING_CONFLICT'
  | 'ERR_VERSIONING_REQUIRED'
  | 'ERR_VERSIONING_RETIRED'
  | 'ERR_VERSIONING_BROWNOUT'
  | 'ERR_VERSIONING_BODY_INVALID'
  | 'ERR_VERSIONING_TRANSFORM_FAILED'
  | 'ERR_VERSIONING_NOT_MOUNTED'
  | 'ERR_VERSIONING_CALLBACK_FAILED'

/** The error of a rejected request. */
export interface VersionError {
  /** HTTP status. */
  status: 400 | 404 | 406 | 410 | 415
  /** Code of the error. */
  code: VersioningErrorCode
  /** A sentence about the cause, and one with the supported versions. */
  message: string
  /** Headers of the response. */
  headers?: Record<string, string>
  /** The values in the message: `sources`, `supported`, and the date `since` or `until`. */
  params?: Readonly<Record<string, unknown>>
}

/** The source of a version, or `default` if the request named none. */
export type VersionSource =
  | 'path'
  | 'API-Version'
  | 'Accept-Version'
  | 'query'
  | 'media-type'
  | 'default'
  | (string & {})

/** The problem of a version from one source. */
export type SourceProblem = 'unsupported' | 'malformed' | 'retired'

/** Creates the error of a version from one source. The status depends on the source. */
export function createSourceError(
  source: VersionSource,
  problem: SourceProblem,
  apiVersions: ApiVersions,
): VersionError {
  const unsupported = (status: 400 | 404 | 406 | 415): VersionError =>
    createError(
      status,
      'ERR_VERSIONING_UNSUPPORTED',
      `${formatSources([source])} names a version that is not supported.`,
      apiVersions,
      [source],
    )
  if (source === 'Accept') return unsupported(406)
  if (source === 'Content-Type') return unsupported(415)
  if (problem === 'retired')
    return createError(410, 'ERR_VERSIONING_RETIRED', 'This version is no longer supported.', apiVersions)
  if (source === 'path') return unsupported(404)
  if (problem === 'unsupported') return unsupported(400)
  return createError(
    400,
    'ERR_VERSIONING_MALFORMED',
    `${formatSources([source])} is not a valid version.`,
    apiVersions,
    [source],
  )
}

/** Creates the error of sources that do not agree, or of one that contradicts itself. */
export function createConflictError(sources: readonly VersionSource[], apiVersions: ApiVersions): VersionError {
  const verb = sources.length > 1 ? 'name' : 'names'
  return createError(
    400,
    'ERR_VERSIONING_CONFLICT',
    `${formatSources(sources)} ${verb} different versions.`,
    apiVersions,
    sources,
  )
}

/** Creates the error of a request that names no version although one is required. */
export function createMissingError(apiVersions: ApiVersions): VersionError {
  return createError(400, 'ERR_VERSIONING_REQUIRED', 'The request must name a version.', apiVersions)
}

function formatSources(sources: readonly VersionSource[]): string {
  const words = sources
    .map((source) => (source === 'path' || source === 'query' ? `the ${source}` : source))
    .join(' and ')
  return words.startsWith('the ') ? `The ${words.slice(4)}` : words
}

function createError(
  status: VersionError['status'],
  code: VersioningErrorCode,
  cause: string,
  { names: supported }: ApiVersions,
  sources?: readonly VersionSource[],
): VersionError {
  const message = `${cause} Supported versions: ${supported.join(', ')}.`
  return { status, code, message, params: { supported, ...(sources && { sources }) } }
}
