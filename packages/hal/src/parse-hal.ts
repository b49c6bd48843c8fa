import { expandCurie } from './curies.ts'
import { isRecord } from './is-record.ts'
import type { HalLink } from './link.ts'

/** A HAL document of any server, parsed leniently. */
export interface HalReader {
  /** The members of the document but `_links`, `_embedded` and `_templates`. */
  readonly state: Readonly<Record<string, unknown>>
  /** Names of the relations that have links or embedded resources. */
  readonly relations: readonly string[]
  /** The first link of a relation, or the one with this `name`. */
  link(relation: string, name?: string): HalLink | undefined
  /** All links of a relation; none where the document does not have it. */
  links(relation: string): readonly HalLink[]
  /**
   * The resources of a relation inside the document: an array, whether there was one or several.
   */
  embedded(relation: string): readonly HalReader[]
  /**
   * Returns the URL of the documentation of a relation: a curie is expanded by the nearest
   * declaration of its prefix.
   */
  documentation(relation: string): string
}

/**
 * Parses a HAL document. Never throws: a link that is a bare string becomes `{ href }`, `templated`
 * is true only for `true`, and an invalid link is omitted.
 */
export function parseHal(document: unknown): HalReader {
  return read(document, [])
}

function read(document: unknown, outer: readonly HalLink[]): HalReader {
  const { _links, _embedded, _templates, ...state } = isRecord(document) ? document : {}
  const links = toLists(_links, (value) => toLinks(value))
  // A prefix that a resource declares itself hides that of the resource around it.
  const curies = [...(links.get('curies') ?? []), ...outer]
  const embedded = toLists(_embedded, (value) => (isRecord(value) ? [value] : []))
  const collectLinks = (relation: string): HalLink[] => links.get(relation) ?? []
  return {
    state,
    relations: [...new Set([...links.keys(), ...embedded.keys()])].filter((relation) => relation !== 'curies'),
    link: (relation, name) => collectLinks(relation).find((link) => name === undefined || link.name === name),
    links: collectLinks,
    embedded: (relation) => (embedded.get(relation) ?? []).map((resource) => read(resource, curies)),
    documentation(relation) {
      try {
        return expandCurie(relation, curies)
      } catch {
        return relation // the declaration of the prefix is no URI template
      }
    },
  }
}

function toLists<V>(members: unknown, convert: (value: unknown) => V[]): Map<string, V[]> {
  const lists = new Map<string, V[]>()
  for (const [relation, value] of isRecord(members) ? Object.entries(members) : []) {
    lists.set(relation, (Array.isArray(value) ? value : [value]).flatMap(convert))
  }
  return lists
}

const TEXTS = ['type', 'deprecation', 'name', 'profile', 'title', 'hreflang'] as const

function toLinks(value: unknown): HalLink[] {
  if (typeof value === 'string') return [{ href: value }]
  if (!isRecord(value) || typeof value['href'] !== 'string') return []
  const link: HalLink = { href: value['href'] }
  if (value['templated'] === true) link.templated = true
  for (const name of TEXTS) {
    const text = value[name]
    if (typeof text === 'string') link[name] = text
  }
  return [link]
}
