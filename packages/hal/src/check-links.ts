import { ACCEPT, type BrowseOptions, jsonOf } from './browse.ts'
import { isRecord } from './is-record.ts'
import { parseLinkHeader } from './link-header-parse.ts'
import { readHal } from './read.ts'
import { expand } from './uri-template.ts'

/** How far `checkLinks` goes. */
export interface CheckLinksOptions extends BrowseOptions {
  /** URLs that are asked for at most. @defaultValue 1000 */
  limit?: number
  /** Links that are not to be followed. */
  ignore?: (url: string, relation: string) => boolean
}

/** A link that leads nowhere, or a resource without `self`. */
export interface DeadLink {
  /** URL of the document that has the link. */
  from: string
  /** Relation of the link. */
  relation: string
  /** The link as the document has it. */
  href: string
  /** `404`, `no self link`, `not a URL`, `not a URI template`, or what the request failed with. */
  reason: string
}

/** What `checkLinks` found. */
export interface LinkReport {
  /** Every URL that was asked for. */
  visited: string[]
  /** Links that lead nowhere; empty is what a test asks for. */
  dead: DeadLink[]
  /** Whether links were left unchecked because of `limit`. */
  isCutShort: boolean
}

interface FoundLink {
  from: string
  relation: string
  href: string
}

/**
 * Walks a running service from one URL along every link of every document: `_links` at any depth, targets of forms, and
 * the `Link` field; links to other origins are left alone. Each of them must answer GET with a status below 400.
 */
export async function checkLinks(start: string, options: CheckLinksOptions = {}): Promise<LinkReport> {
  const { limit = 1000, ignore = () => false } = options
  const report: LinkReport = { visited: [], dead: [], isCutShort: false }
  const queue: FoundLink[] = [{ from: start, relation: 'self', href: start }]
  const seen = new Set<string>()
  for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
    const url = URL.canParse(link.href, link.from) ? new URL(link.href, link.from) : undefined
    if (url === undefined) report.dead.push({ ...link, reason: 'not a URL' })
    if (url === undefined || url.origin !== new URL(start).origin) continue
    url.hash = ''
    if (seen.has(url.href) || ignore(url.href, link.relation)) continue
    if (report.visited.length === limit) {
      report.isCutShort = true
      break
    }
    seen.add(url.href)
    report.visited.push(url.href)
    const visit = await visitPage(url.href, options)
    if (visit.reason !== undefined) report.dead.push({ ...link, reason: visit.reason })
    report.dead.push(...visit.dead)
    queue.push(...visit.links)
  }
  return report
}

interface Visit {
  links: FoundLink[]
  dead: DeadLink[]
  reason?: string
}

async function visitPage(url: string, { fetch = globalThis.fetch, headers = {} }: BrowseOptions): Promise<Visit> {
  const visit: Visit = { links: [], dead: [] }
  try {
    const response = await fetch(url, { headers: { accept: ACCEPT, ...headers } })
    const document = await jsonOf(response)
    if (response.status >= 400) return { ...visit, reason: String(response.status) }
    for (const { href, rels } of parseLinkHeader(response.headers.get('link') ?? '')) {
      visit.links.push({ from: url, relation: rels.join(' '), href })
    }
    collect(document, url, visit)
  } catch (error) {
    visit.reason = error instanceof Error ? error.message : String(error)
  }
  return visit
}

/** Finds the links of a document, whatever wraps its resources. */
function collect(document: unknown, from: string, visit: Visit): void {
  const stack: unknown[] = [document]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if ('_links' in value) linksOf(value, from, visit)
    for (const [name, member] of Object.entries(value))
      if (name !== '_links' && member !== undefined) stack.push(member)
  }
}

function linksOf(resource: object, from: string, visit: Visit): void {
  const reader = readHal(resource)
  for (const relation of reader.relations) {
    for (const link of reader.links(relation)) {
      const href = link.templated ? bareUrl(link.href) : link.href
      if (href === undefined) visit.dead.push({ from, relation, href: link.href, reason: 'not a URI template' })
      else visit.links.push({ from, relation, href })
    }
  }
  if (!reader.link('self')) visit.dead.push({ from, relation: 'self', href: '', reason: 'no self link' })
  const templates = '_templates' in resource && isRecord(resource._templates) ? resource._templates : {}
  for (const [relation, template] of Object.entries(templates)) {
    const target = isRecord(template) ? template['target'] : undefined
    if (typeof target === 'string') visit.links.push({ from, relation, href: target })
  }
}

/** What a template gives without any variable. */
function bareUrl(template: string): string | undefined {
  try {
    return expand(template, {})
  } catch {
    return undefined
  }
}
