import { assertInteger, assertKnownOptions, assertTypes } from '../../internal/options.ts'
import { ACCEPT, type BrowseOptions, readJson } from './browse.ts'
import { isRecord } from './is-record.ts'
import { parseLinkHeader } from './link-header-parse.ts'
import { parseHal } from './parse-hal.ts'
import { expandUriTemplate } from './uri-template.ts'

/** Options for `checkLinks()`. */
export interface CheckLinksOptions extends BrowseOptions {
  /** Maximum number of URLs to request. @defaultValue 1000 */
  maxUrls?: number
  /** Called for each link. Returns whether it is skipped. @defaultValue none */
  skip?: (url: string, relation: string) => boolean
}

/**
 * The first link to a target that does not return a status below 400, or a resource without `self`.
 */
export interface BrokenLink {
  /** URL of the document with the link. */
  from: string
  /** Relation of the link. */
  relation: string
  /** The `href` as it is in the document. */
  href: string
  /**
   * `404`, `no self link`, `not a URL`, `not a URI template`, or the message of a failed request.
   */
  reason: string
}

/** Result of `checkLinks()`. */
export interface LinkReport {
  /** Every requested URL. */
  visited: string[]
  /** The broken links; a test expects none. */
  broken: BrokenLink[]
  /** Whether links were skipped because of `maxUrls`. */
  truncated: boolean
}

interface PendingLink {
  from: string
  relation: string
  href: string
}

/**
 * Follows every link of every document of a running app, beginning at one URL: `_links` at any
 * depth, targets of forms, and the `Link` header. Links to other origins are skipped, except that
 * the start URL may redirect to another port or to https. Each target must respond to GET with a
 * status below 400.
 *
 * @example
 * expect((await checkLinks('http://localhost:3000/')).broken).toEqual([])
 */
export async function checkLinks(start: string, options: CheckLinksOptions = {}): Promise<LinkReport> {
  assertKnownOptions('hal: checkLinks', options, ['fetch', 'headers', 'maxUrls', 'skip'])
  assertTypes('hal: checkLinks', options, { fetch: 'function', headers: 'object', skip: 'function' })
  const { maxUrls = 1000, skip = () => false } = options
  assertInteger('hal: checkLinks', 'maxUrls', maxUrls, { min: 1 })
  const report: LinkReport = { visited: [], broken: [], truncated: false }
  const queue: PendingLink[] = [{ from: start, relation: 'self', href: start }]
  const seen = new Set<string>()
  const origins = new Set<string>()
  for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
    const url = URL.canParse(link.href, link.from) ? new URL(link.href, link.from) : undefined
    if (url === undefined) report.broken.push({ ...link, reason: 'not a URL' })
    if (url === undefined) continue
    if (seen.size === 0) origins.add(url.origin)
    if (!origins.has(url.origin)) continue
    url.hash = ''
    if (seen.has(url.href) || skip(url.href, link.relation)) continue
    if (report.visited.length === maxUrls) {
      report.truncated = true
      break
    }
    seen.add(url.href)
    report.visited.push(url.href)
    const visit = await visitPage(url.href, options)
    const { hostname, origin } = new URL(visit.url)
    if (seen.size === 1 && hostname === url.hostname) origins.add(origin) // the app may redirect to https
    if (visit.reason !== undefined) report.broken.push({ ...link, reason: visit.reason })
    report.broken.push(...visit.broken)
    queue.push(...visit.links)
  }
  return report
}

interface PageVisit {
  /** URL of the document, after redirects. */
  url: string
  links: PendingLink[]
  broken: BrokenLink[]
  reason?: string
}

async function visitPage(url: string, { fetch = globalThis.fetch, headers = {} }: BrowseOptions): Promise<PageVisit> {
  const visit: PageVisit = { url, links: [], broken: [] }
  try {
    const response = await fetch(url, { headers: { accept: ACCEPT, ...headers } })
    const document = await readJson(response)
    visit.url = response.url || url
    if (response.status >= 400) return { ...visit, reason: String(response.status) }
    for (const { href, rels } of parseLinkHeader(response.headers.get('link') ?? '')) {
      visit.links.push({ from: visit.url, relation: rels.join(' '), href })
    }
    collectAllLinks(document, visit)
  } catch (error) {
    visit.reason = error instanceof Error ? error.message : String(error)
  }
  return visit
}

/** Collects the links of a document and of all resources within it. */
function collectAllLinks(document: unknown, visit: PageVisit): void {
  const stack: unknown[] = [document]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if ('_links' in value) collectLinks(value, visit)
    for (const [name, member] of Object.entries(value))
      if (name !== '_links' && member !== undefined) stack.push(member)
  }
}

function collectLinks(resource: object, visit: PageVisit): void {
  const { url: from } = visit
  const reader = parseHal(resource)
  for (const relation of reader.relations) {
    for (const link of reader.links(relation)) {
      const href = link.templated ? expandWithoutVariables(link.href) : link.href
      if (href === undefined) visit.broken.push({ from, relation, href: link.href, reason: 'not a URI template' })
      else visit.links.push({ from, relation, href })
    }
  }
  if (!reader.link('self')) visit.broken.push({ from, relation: 'self', href: '', reason: 'no self link' })
  const templates = '_templates' in resource && isRecord(resource._templates) ? resource._templates : {}
  for (const [relation, template] of Object.entries(templates)) {
    const target = isRecord(template) ? template['target'] : undefined
    if (typeof target === 'string') visit.links.push({ from, relation, href: target })
  }
}

/** Expands a template without variables; `undefined` if it is invalid. */
function expandWithoutVariables(template: string): string | undefined {
  try {
    return expandUriTemplate(template, {})
  } catch {
    return undefined
  }
}
