import { assertKnownOptions } from '../../internal/options.ts'
import type { Curie } from './definition.ts'
import type { HalLink } from './link.ts'
import { UriTemplate } from './uri-template.ts'

/**
 * Checks prefixes and gives them as they stand in `_links.curies` (draft-kelly-json-hal-11, section
 * 8.2).
 */
export function compileCuries(owner: string, curies: readonly Curie[]): HalLink[] {
  const names = new Set<string>()
  return curies.map((curie) => {
    const where = `hal: curie "${curie.name}" of ${owner}`
    assertKnownOptions(where, curie, ['name', 'href'])
    if (!/^[A-Za-z][\w.-]*$/.test(curie.name)) throw new TypeError(`${where} needs a name of letters and digits`)
    if (names.has(curie.name)) throw new TypeError(`${where} is there twice`)
    if (!/^(?:https?:\/\/|\/(?!\/))/.test(curie.href)) throw new TypeError(`${where} must lead to http(s) or a path`)
    if (!new UriTemplate(curie.href).variables.includes('rel')) throw new TypeError(`${where} needs {rel} in its href`)
    names.add(curie.name)
    return { name: curie.name, href: curie.href, templated: true }
  })
}

/** Those curies of a resource that the resource around it does not already have. */
export function missingCuries(outer: readonly HalLink[], inner: readonly HalLink[]): HalLink[] {
  return inner.filter(({ name, href }) => !outer.some((curie) => curie.name === name && curie.href === href))
}

/**
 * The URL of the documentation of a relation: `acme:widgets` becomes
 * `https://docs.example/widgets`. Names without a known prefix are returned as they are.
 */
export function expandCurie(relation: string, curies: readonly { name?: string; href: string }[]): string {
  const colon = relation.indexOf(':')
  const curie = colon > 0 ? curies.find(({ name }) => name === relation.slice(0, colon)) : undefined
  return curie ? new UriTemplate(curie.href).expand({ rel: relation.slice(colon + 1) }) : relation
}
