import type { ApiVersions } from './api-versions.ts'
import type { RetiredVersion, VersioningOptions, VersionLifecycle } from './options.ts'

/**
 * Builds the values of `Link` for deprecated and retired versions: the pages of the options, and
 * the roots of the next and the latest version (RFC 5829) if paths have versions. Throws a
 * `TypeError` if a page is not a URI.
 */
export function createLinks(
  options: VersioningOptions,
  apiVersions: ApiVersions,
  hasPath: boolean,
): Map<string, string> {
  const { deprecated = {}, retired = {}, basePath = '', pathPrefix = 'v' } = options
  const formatRoot = (version: string, relation: string): string =>
    `<${basePath}/${pathPrefix}${version}/>; rel="${relation}"`
  const byVersion = new Map<string, string>()
  for (const [version, entry = {}] of [...Object.entries(deprecated), ...Object.entries(retired)]) {
    const values = formatDocs(entry)
    const successor = entry.successor ?? findSuccessor(version, apiVersions)
    if (hasPath && successor !== undefined)
      values.push(formatRoot(successor, 'successor-version'), formatRoot(apiVersions.latest.name, 'latest-version'))
    if (values.length > 0) byVersion.set(version, values.join(', '))
  }
  return byVersion
}

function formatDocs({ docsUrl, sunsetDocsUrl }: VersionLifecycle & RetiredVersion): string[] {
  const pages: string[] = []
  if (docsUrl !== undefined) pages.push(`<${checkUri(docsUrl)}>; rel="deprecation"; type="text/html"`)
  if (sunsetDocsUrl !== undefined) pages.push(`<${checkUri(sunsetDocsUrl)}>; rel="sunset"; type="text/html"`)
  return pages
}

function checkUri(link: string): string {
  if (typeof link === 'string' && /^[\x21\x23-\x3b\x3d\x3f-\x7e]+$/.test(link)) return link
  throw new TypeError(`versioning: docsUrl must be a URI, got ${JSON.stringify(link)}`)
}

function findSuccessor(version: string, { all }: ApiVersions): string | undefined {
  const index = all.findIndex(({ name }) => name === version)
  return all.slice(index + 1).find(({ retired }) => !retired)?.name
}
