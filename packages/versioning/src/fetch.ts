import { type OnRefusedFetch, refuseFetch, withHeaders } from '../../internal/fetch-error.ts'
import { copyFacts, type FetchMiddleware } from '../../internal/fetch-middleware.ts'
import { createHttpError } from '../../internal/http-error.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { mergeVary } from '../../internal/vary.ts'
import { createCore, type VersioningApi } from './core.ts'
import { toVendorType } from './offers.ts'
import type { VersioningOptions, VersionReader, VersionSourceOption } from './options.ts'
import { requestVersion } from './request.ts'
import { findSegment, removeSegment } from './request-target.ts'
import type { RequestVersion, VersionCandidates } from './resolve-version.ts'
import type { ResponseHeaders } from './response-headers.ts'
import type { Sources } from './sources.ts'
import type { VersionError } from './version-error.ts'

export type { OnRefusedFetch } from '../../internal/fetch-error.ts'
export type { FetchMiddleware, FetchNext } from '../../internal/fetch-middleware.ts'
export type { HttpErrorLike } from '../../internal/http-error.ts'
export type { MaybePromise } from '../../internal/maybe-promise.ts'
export type { VersioningApi } from './core.ts'
export { linkPrefix, linkTo, versionOf } from './request.ts'

/** Reads the version from a custom part of a Fetch request. */
export interface FetchVersionReader extends Pick<VersionReader, 'name' | 'vary'> {
  /**
   * Returns the version that the request names, or `undefined`. A throw or a rejection rejects the
   * middleware.
   */
  read(request: Request): MaybePromise<string | undefined>
}

/** Options for `versioning()` on Fetch hosts. */
export interface FetchVersioningOptions<V extends string = string>
  extends Omit<VersioningOptions<V>, 'sources' | 'onRefused'> {
  /**
   * The parts of a request that can name a version.
   * @defaultValue path, both headers, and the media type with `vendor`
   */
  sources?: readonly (Exclude<VersionSourceOption, VersionReader> | FetchVersionReader)[]
  /**
   * Response to a rejected request: `'json'`, `'throw'`, or a function that returns it.
   * @defaultValue 'json'
   */
  onRefused?: OnRefusedFetch
}

/** The middleware `(request, next)` with the properties that are the same for all frameworks. */
export interface FetchVersioning<V extends string = string> extends FetchMiddleware, VersioningApi<V> {}

/**
 * Creates middleware for Fetch hosts that resolves the API version of each request. `next` gets the
 * request without the version prefix of its path; `versionOf` accepts both requests. Throws a
 * `TypeError` if an option is not valid.
 *
 * @example
 * const api = versioning({ versions: ['1', '2'] })
 * export default { fetch: (request) => api(request, handle) }
 */
export function versioning<const V extends string>(options: FetchVersioningOptions<V>): FetchVersioning<V> {
  // Readers and `onRefused` get a Request here.
  const { sources, lifecycle, pathPrefix, api, ...core } = createCore(options as unknown as VersioningOptions<V>, [
    'json',
    'throw',
  ])
  const { onRefused, headers: set = 'all', setContentType = true, now = Date.now } = options
  const headers = core.headers[set === 'none' ? 'all' : set]

  const reject = (error: VersionError, request: Request): MaybePromise<Response> => {
    const all = { ...headers.for(undefined).record, ...error.headers }
    return refuseFetch(createHttpError({ ...error, headers: all }), request, onRefused)
  }
  const handle: FetchMiddleware = async (request, next) => {
    if (requestVersion.get(request)) return next(request)
    const version = api.resolve(await readCandidates(request, sources))
    if ('status' in version) return reject(version, request)
    const endError = lifecycle.checkEnd(version.version, now)
    if (endError) return reject(endError, request)
    const unprefixed = pathPrefix === undefined ? request : removePrefix(request, version, pathPrefix)
    for (const each of new Set([request, unprefixed])) requestVersion.set(each, version)
    const response = await next(unprefixed)
    // A WebSocket upgrade, which cannot be built again; a handler of Bun returns nothing after it.
    if (!response || response.status < 200) return response
    const versionHeaders = set === 'none' ? {} : mergeHeaders(response, headers.for(version))
    const type = setContentType
      ? toVendorType(response.headers.get('content-type'), response.status, version)
      : undefined
    return withHeaders(response, type === undefined ? versionHeaders : { ...versionHeaders, 'Content-Type': type })
  }
  return Object.assign(handle, api)
}

async function readCandidates(request: Request, sources: Sources): Promise<VersionCandidates> {
  const { pathname, search } = new URL(request.url)
  const get = (name: string): string | undefined => request.headers.get(name) ?? undefined
  const custom: (readonly [string, string])[] = []
  for (const reader of sources.readers) {
    const text = reader.header === undefined ? await reader.read(request as never) : get(reader.header)
    if (text !== undefined) custom.push([reader.name, String(text)])
  }
  return {
    path: pathname,
    apiVersion: sources.apiVersion ? get('api-version') : undefined,
    acceptVersion: sources.acceptVersion ? get('accept-version') : undefined,
    accept: get('accept'),
    contentType: get('content-type'),
    query: sources.queryName === undefined ? undefined : search.slice(1),
    custom,
  }
}

function removePrefix(request: Request, { prefix }: RequestVersion, pathPrefix: string): Request {
  const url = new URL(request.url)
  const segment = prefix === '' ? undefined : findSegment(url.pathname, pathPrefix)
  if (!segment) return request
  url.pathname = removeSegment(url.pathname, segment)
  return copyFacts(request, new Request(url, request))
}

/** Merges `Link` and `Vary` with those of the response. */
function mergeHeaders({ headers }: Response, { record, link, vary }: ResponseHeaders): Record<string, string> {
  const merged: Record<string, string> = { ...record }
  const links = [headers.get('link') ?? '', link].filter((text) => text !== '')
  if (links.length > 0) merged['Link'] = links.join(', ')
  if (vary.length > 0) merged['Vary'] = mergeVary(headers.get('vary') ?? '', vary)
  return merged
}
