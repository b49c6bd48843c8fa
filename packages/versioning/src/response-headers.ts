import type { ServerResponse } from '../../internal/middleware.ts'
import { vary } from '../../internal/vary.ts'
import type { ApiVersions } from './api-versions.ts'
import type { Header, Lifecycle } from './lifecycle.ts'
import type { RequestVersion } from './resolve-version.ts'
import type { Sources } from './sources.ts'

/**
 * A set of headers. `'minimal'` is `'all'` without `API-Supported-Versions` and
 * `API-Deprecated-Versions`.
 */
export type VersionHeaderSet = 'all' | 'minimal'

/** The headers of responses of one version, created once. */
export interface ResponseHeaders {
  /** Headers that only this package sets. */
  entries: readonly Header[]
  link: string
  vary: readonly string[]
  /** The value of `Vary` if the response has none yet. */
  varyValue: string
  /** All headers, for a response without `Link` and `Vary`. */
  record: Readonly<Record<string, string>>
}

/** The headers of each version. */
export interface VersionHeaders {
  /** Returns the headers for the version of a request; without one, those of an error response. */
  for(version: Pick<RequestVersion, 'version' | 'prefix'> | undefined): ResponseHeaders
}

/** Creates the headers of each version. */
export function createVersionHeaders(
  { names }: ApiVersions,
  sources: Sources,
  lifecycle: Lifecycle,
  links: ReadonlyMap<string, string>,
  set: VersionHeaderSet,
): VersionHeaders {
  const deprecated = names.filter((name) => lifecycle.isDeprecated(name))
  const discovery: Header[] = []
  if (set === 'all') discovery.push(['API-Supported-Versions', names.join(', ')])
  if (set === 'all' && deprecated.length > 0) discovery.push(['API-Deprecated-Versions', deprecated.join(', ')])

  const createAll = (varyNames: readonly string[]): Map<string, ResponseHeaders> => {
    const create = (name: string): ResponseHeaders => {
      const entries: Header[] = [['API-Version', name], ...discovery, ...lifecycle.getDates(name)]
      return createResponseHeaders(entries, links.get(name) ?? '', varyNames)
    }
    return new Map(names.map((name) => [name, create(name)]))
  }
  const unprefixed = createAll(sources.vary)
  const prefixed = createAll(sources.varyOnPath)
  const unknown = createResponseHeaders(discovery, '', sources.vary)
  return {
    for: (version) => (version && (version.prefix === '' ? unprefixed : prefixed).get(version.version)) ?? unknown,
  }
}

/** Sets the headers. `Link` and `Vary` are added to existing values. */
export function setResponseHeaders(
  res: ServerResponse,
  { entries, link, vary: names, varyValue }: ResponseHeaders,
): void {
  for (const [name, value] of entries) res.setHeader(name, value)
  // Existing headers are looked up in lower case: node:http converts other names first.
  if (link !== '') {
    if (res.hasHeader('link')) res.appendHeader('Link', link)
    else res.setHeader('Link', link)
  }
  if (varyValue === '') return
  // Merging costs more than everything else here, and usually there is nothing to merge with.
  if (res.hasHeader('vary')) vary(res, ...names)
  else res.setHeader('Vary', varyValue)
}

function createResponseHeaders(entries: readonly Header[], link: string, names: readonly string[]): ResponseHeaders {
  const varyValue = names.join(', ')
  const record = Object.fromEntries(entries)
  if (link !== '') record['Link'] = link
  if (varyValue !== '') record['Vary'] = varyValue
  return { entries, link, vary: names, varyValue, record: Object.freeze(record) }
}
