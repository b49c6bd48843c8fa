import { createArgumentError, inspectValue } from '../../internal/options.ts'
import { encodeReserved, encodeUnreserved } from './percent.ts'

/** An entry of a `Link` header. */
export interface LinkHeaderEntry {
  /** The target: a URI reference. */
  href: string
  /**
   * One or more relation types: registered names, or absolute URIs for custom ones (RFC 8288 §3.3).
   */
  rel: string | readonly string[]
  /** The context of the link, unless it is the resource itself. */
  anchor?: string
  /** Human-readable label. If it is not ASCII, it is sent as `title*` (RFC 8187). */
  title?: string
  /** Expected media type of the target. */
  type?: string
  /** A media query for the target. */
  media?: string
  /** Language of the target. */
  hreflang?: string
}

const RELATION = /^(?:[a-z][a-z\d.-]*|[a-z][a-z\d+.-]*:[^\s"<>\\]+)$/i
const PRINTABLE = /^[\t\x20-\x7e]*$/
const TEXTS = ['title', 'type', 'media', 'hreflang'] as const

/**
 * Formats a `Link` header (RFC 8288 §3): `</employees?page=2>; rel="next"`. Characters that are
 * invalid in a URI are percent-encoded; a title beyond ASCII becomes `title*` (RFC 8187). Throws a
 * `TypeError` if a relation is not valid.
 */
export function formatLinkHeader(links: readonly LinkHeaderEntry[]): string {
  if (!Array.isArray(links)) throw createArgumentError('hal: formatLinkHeader', 'links', 'an array', links)
  return links.map(formatLink).join(', ')
}

function formatLink(link: LinkHeaderEntry): string {
  let text = `<${encodeReserved(link.href)}>; rel="${formatRelations([link.rel].flat())}"`
  if (link.anchor !== undefined) text += `; anchor="${encodeReserved(link.anchor)}"`
  for (const name of TEXTS) {
    const value = link[name]
    if (value === undefined) continue
    if (PRINTABLE.test(value)) text += `; ${name}="${value.replace(/["\\]/g, '\\$&')}"`
    else if (name === 'title') text += `; title*=UTF-8''${encodeUnreserved(value)}`
    else throw new TypeError(`hal: ${name} of a Link header must be ASCII, got ${inspectValue(value)}`)
  }
  return text
}

function formatRelations(relations: readonly string[]): string {
  if (relations.length === 0) throw new TypeError('hal: rel of a Link header must not be empty')
  for (const relation of relations) {
    if (RELATION.test(relation)) continue
    throw new TypeError(`hal: rel of a Link header must be a name or an absolute URI, got ${inspectValue(relation)}`)
  }
  return relations.join(' ')
}
