import { assertKnownOptions, assertType, createArgumentError, inspectValue } from '../../internal/options.ts'
import type { Curie } from './definition.ts'
import type { HalLink } from './link.ts'
import { UriTemplate } from './uri-template.ts'

/**
 * Checks prefixes, and returns them as links for `_links.curies` (draft-kelly-json-hal-11 §8.2).
 */
export function compileCuries(owner: string, curies: readonly Curie[]): HalLink[] {
  assertType('hal', `curies of ${owner}`, curies, 'array')
  const names = new Set<string>()
  return curies.map((curie) => {
    const where = `hal: curie ${inspectValue(curie?.name)} of ${owner}`
    assertKnownOptions(where, curie, ['name', 'href'])
    if (!/^[A-Za-z][\w.-]*$/.test(curie.name))
      throw new TypeError(`${where}: name must be letters, digits, ".", "_" and "-", and begin with a letter`)
    if (names.has(curie.name)) throw new TypeError(`${where} must be unique`)
    if (!/^(?:https?:\/\/|\/(?!\/))/.test(curie.href))
      throw createArgumentError(where, 'href', 'an http(s) URL or a path', curie.href)
    if (!new UriTemplate(curie.href).variables.includes('rel'))
      throw new TypeError(`${where}: href must contain {rel}, got ${inspectValue(curie.href)}`)
    names.add(curie.name)
    return { name: curie.name, href: curie.href, templated: true }
  })
}

/** Returns the curies of a resource that the outer resource does not have. */
export function findMissingCuries(outer: readonly HalLink[], inner: readonly HalLink[]): HalLink[] {
  return inner.filter(({ name, href }) => !outer.some((curie) => curie.name === name && curie.href === href))
}

/**
 * Returns the URL of the documentation of a relation: `acme:widgets` becomes
 * `https://docs.example/widgets`. A name without a declared prefix is returned unchanged.
 */
export function expandCurie(relation: string, curies: readonly { name?: string; href: string }[]): string {
  assertType('hal: expandCurie', 'relation', relation, 'string')
  assertType('hal: expandCurie', 'curies', curies, 'array')
  const colon = relation.indexOf(':')
  const curie = colon > 0 ? curies.find(({ name }) => name === relation.slice(0, colon)) : undefined
  return curie ? new UriTemplate(curie.href).expand({ rel: relation.slice(colon + 1) }) : relation
}
