import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { type AllowedHosts, compileHref, type FindLink, toObject } from './compile-href.ts'
import { findSingleVariable, type SingleVariable } from './compile-template.ts'
import type { LinkDefinition, LinkEntry } from './definition.ts'
import type { HalLink } from './link.ts'

/** A compiled link. Both ways of rendering return the same link. */
export interface CompiledLink<T, C> {
  relation: string
  /** Returns the link or links of an item, or `undefined` if there are none. */
  read(item: T, context: C, base: string): HalLink | HalLink[] | undefined
  /**
   * Returns the JSON of the link with a comma before it, `,"next":{"href":"/orders/1"}`. `self`
   * comes first, without the comma.
   */
  write(item: T, context: C, base: string): string
  /** The path of the link, if it depends only on one property of the item. */
  readonly path?: SingleVariable
  /** The JSON before and after the href. */
  readonly open: string
  readonly close: string
}

const PROPERTIES = ['title', 'type', 'deprecation', 'name', 'profile', 'hreflang'] as const
const OPTIONS = ['href', 'when', 'many', 'templated', 'form', ...PROPERTIES]

/**
 * Compiles a link once. Throws a `TypeError` that names the resource and the relation if the
 * definition is invalid.
 */
export function compileLink<T, C>(
  owner: string,
  relation: string,
  entry: LinkEntry<T, C>,
  allowedHosts: AllowedHosts = 'any',
): CompiledLink<T, C> {
  const where = `hal: link "${relation}" of ${owner}`
  const definition = typeof entry === 'object' ? entry : { href: entry }
  const properties = compileProperties(where, definition)
  const find = compileConditions(where, definition, compileHref(where, definition, allowedHosts))
  const isBare = Object.keys(properties).length === 0
  const path = findPath(definition)
  const head = `${relation === 'self' ? '' : ','}${JSON.stringify(relation)}:`
  const open = `${head}{"href":"`
  const close = isBare ? '"}' : `",${JSON.stringify(properties).slice(1)}`

  const addProperties = ({ href, ...ownProperties }: HalLink): HalLink => ({ href, ...properties, ...ownProperties })
  const toValue = (link: string | HalLink | HalLink[]): HalLink | HalLink[] => {
    if (typeof link === 'string') return isBare ? { href: link } : { href: link, ...properties }
    return Array.isArray(link) ? link.map(addProperties) : addProperties(link)
  }
  const read = (item: T, context: C, base: string): HalLink | HalLink[] | undefined => {
    const link = find(item, context, base)
    return link === undefined ? undefined : toValue(link)
  }
  const write = (item: T, context: C, base: string): string => {
    const link = find(item, context, base)
    if (link === undefined) return ''
    return typeof link === 'string' ? open + link + close : head + JSON.stringify(toValue(link))
  }
  return { relation, read, write, open, close, ...(path && { path }) }
}

function findPath<T, C>({ href, when, many, templated, title }: LinkDefinition<T, C>): SingleVariable | undefined {
  if (typeof href !== 'string' || when || many || templated || typeof title === 'function') return undefined
  return findSingleVariable(href)
}

/**
 * Adds the conditions that depend on the item: whether the link exists, its title, and whether it
 * is a list.
 */
function compileConditions<T, C>(
  where: string,
  { when, many = false, title }: LinkDefinition<T, C>,
  find: FindLink<T, C>,
): FindLink<T, C> {
  return (item, context, base) => {
    if (when !== undefined && !when(item, context)) return undefined
    const link = find(item, context, base)
    if (link === undefined) return undefined
    if (!many && Array.isArray(link))
      throw new TypeError(`${where} must be one link, got an array; for several set many: true`)
    const label = typeof title === 'function' ? title(item, context) : undefined
    if (!many && label === undefined) return link
    const links = [link].flat().flatMap((each) => toObject(each) ?? [])
    const titled = label === undefined ? links : links.map((link) => ({ title: label, ...link }))
    return many ? titled : titled[0]
  }
}

function compileProperties<T, C>(where: string, definition: LinkDefinition<T, C>): Omit<HalLink, 'href'> {
  assertKnownOptions(where, definition, OPTIONS)
  const properties: Omit<HalLink, 'href'> = {}
  for (const name of PROPERTIES) {
    const value = definition[name]
    if (typeof value === 'string') properties[name] = value
    else if (value !== undefined && name !== 'title')
      throw new TypeError(`${where}: ${name} must be a string, got ${inspectValue(value)}`)
  }
  return properties
}
