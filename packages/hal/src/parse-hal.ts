import { expandCurie } from './curies.ts'
import { isRecord } from './is-record.ts'
import type { HalLink } from './link.ts'

/** A HAL document of any server. */
export interface HalReader {
  /** The properties of the document except `_links`, `_embedded` and `_templates`. */
  readonly state: Readonly<Record<string, unknown>>
  /** Names of the relations that have links or embedded resources. */
  readonly relations: readonly string[]
  /** Returns the first link of a relation, or the one with this `name`. */
  link(relation: string, name?: string): HalLink | undefined
  /** Returns all links of a relation; an empty array if there are none. */
  links(relation: string): readonly HalLink[]
  /** Returns the embedded resources of a relation, always as an array. */
  embedded(relation: string): readonly HalReader[]
  /**
   * Returns the URL of the documentation of a relation. A curie is expanded by the nearest
   * declaration of its prefix.
   */
  documentation(relation: string): string
}

/**
 * Parses a HAL document of any server, leniently. Never throws: a link that is a string becomes
 * `{ href }`, `templated` is only true for `true`, and an invalid link is omitted.
 */
export function parseHal(document: unknown): HalReader {
  return read(document, [])
}

function read(document: unknown, outer: readonly HalLink[]): HalReader {
  const { _links, _embedded, _templates, ...state } = isRecord(document) ? document : {}
  const links = toLists(_links, (value) => toLinks(value))
  // A prefix of a resource overrides that of the outer resource.
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
        return relation // the declaration of the prefix is not a URI template
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
