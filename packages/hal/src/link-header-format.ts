import { inspectValue } from '../../internal/options.ts'
import { encodeReserved, encodeUnreserved } from './percent.ts'

/** A link of a `Link` header field. */
export interface HeaderLink {
  /** Where it leads: a URI reference. */
  href: string
  /** Relation types: registered names, or absolute URIs for your own (RFC 8288 3.3). Several stand in a list. */
  rel: string | readonly string[]
  /** What the link starts from, where that is not the resource itself. */
  anchor?: string
  /** Label for people; what is not ASCII is written as `title*` (RFC 8187). */
  title?: string
  /** Media type that the target is likely to have. */
  type?: string
  /** A media query that the target is made for. */
  media?: string
  /** Language of the target. */
  hreflang?: string
}

const RELATION = /^(?:[a-z][a-z\d.-]*|[a-z][a-z\d+.-]*:[^\s"<>\\]+)$/i
const PRINTABLE = /^[\t\x20-\x7e]*$/
const TEXTS = ['title', 'type', 'media', 'hreflang'] as const

/**
 * Writes a `Link` field (RFC 8288 3): `</employees?page=2>; rel="next"`. Characters that no URI holds are
 * percent-encoded; a title beyond ASCII becomes `title*` (RFC 8187). Throws a TypeError for a name that is no relation.
 */
export function formatLinkHeader(links: readonly HeaderLink[]): string {
  return links.map(formatLink).join(', ')
}

function formatLink(link: HeaderLink): string {
  let text = `<${encodeReserved(link.href)}>; rel="${formatRelations([link.rel].flat())}"`
  if (link.anchor !== undefined) text += `; anchor="${encodeReserved(link.anchor)}"`
  for (const name of TEXTS) {
    const value = link[name]
    if (value === undefined) continue
    if (PRINTABLE.test(value)) text += `; ${name}="${value.replace(/["\\]/g, '\\$&')}"`
    else if (name === 'title') text += `; title*=UTF-8''${encodeUnreserved(value)}`
    else throw new TypeError(`hal: ${name} of a Link field must be ASCII, got ${inspectValue(value)}`)
  }
  return text
}

function formatRelations(relations: readonly string[]): string {
  if (relations.length === 0) throw new TypeError('hal: a link of a Link field needs a rel')
  for (const relation of relations) {
    if (RELATION.test(relation)) continue
    throw new TypeError(`hal: rel of a Link field must be a name or an absolute URI, got ${inspectValue(relation)}`)
  }
  return relations.join(' ')
}
