import type { Catalogue } from './catalogue.ts'
import type { RetiredVersion, VersioningOptions, VersionLifecycle } from './options.ts'

/**
 * Makes the values of `Link` for versions on their way out and gone: the pages of the options, and the roots of the
 * next and the latest version (RFC 5829) where paths hold versions. Throws where a page is no URI.
 */
export function makeLinks(options: VersioningOptions, catalogue: Catalogue, hasPath: boolean): Map<string, string> {
  const { deprecated = {}, retired = {}, base = '', pathPrefix = 'v' } = options
  const root = (version: string, relation: string): string => `<${base}/${pathPrefix}${version}/>; rel="${relation}"`
  const byVersion = new Map<string, string>()
  for (const [version, entry = {}] of [...Object.entries(deprecated), ...Object.entries(retired)]) {
    const values = pagesOf(entry)
    const successor = entry.successor ?? successorOf(version, catalogue)
    if (hasPath && successor !== undefined)
      values.push(root(successor, 'successor-version'), root(catalogue.latest.name, 'latest-version'))
    if (values.length > 0) byVersion.set(version, values.join(', '))
  }
  return byVersion
}

function pagesOf({ link, sunsetLink }: VersionLifecycle & RetiredVersion): string[] {
  const pages: string[] = []
  if (link !== undefined) pages.push(`<${checkTarget(link)}>; rel="deprecation"; type="text/html"`)
  if (sunsetLink !== undefined) pages.push(`<${checkTarget(sunsetLink)}>; rel="sunset"; type="text/html"`)
  return pages
}

function checkTarget(link: string): string {
  if (typeof link === 'string' && /^[\x21\x23-\x3b\x3d\x3f-\x7e]+$/.test(link)) return link
  throw new TypeError(`versioning: a link must be a URI, got ${JSON.stringify(link)}`)
}

function successorOf(version: string, { known }: Catalogue): string | undefined {
  const at = known.findIndex(({ name }) => name === version)
  return known.slice(at + 1).find(({ retired }) => !retired)?.name
}
