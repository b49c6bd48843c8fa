import { assertKnownOptions } from '../../internal/options.ts'
import { type AllowedHosts, compileHref, type FindLink, toObject } from './compile-href.ts'
import { type OneVariable, oneVariable } from './compile-template.ts'
import type { LinkDefinition, LinkEntry } from './definition.ts'
import type { HalLink } from './link.ts'

/** A link of a definition, ready to be rendered in two ways that give the same. */
export interface CompiledLink<T, C> {
  relation: string
  /** The link or links of an item; `undefined` where there are none. */
  read(item: T, context: C, base: string): HalLink | HalLink[] | undefined
  /**
   * Returns the link as JSON after other properties, `,"next":{"href":"/orders/1"}`; only self is
   * first, without a comma.
   */
  write(item: T, context: C, base: string): string
  /**
   * The path that the link always is; not there where it depends on more than one member of the
   * item.
   */
  readonly path?: OneVariable
  /** The text before and after the href. */
  readonly open: string
  readonly close: string
}

const MEMBERS = ['title', 'type', 'deprecation', 'name', 'profile', 'hreflang'] as const
const OPTIONS = ['href', 'when', 'many', 'templated', 'form', ...MEMBERS]

/**
 * Compiles a link once. Throws a TypeError that names the resource and the relation for what can
 * never work.
 */
export function compileLink<T, C>(
  owner: string,
  relation: string,
  entry: LinkEntry<T, C>,
  allowedHosts: AllowedHosts = 'any',
): CompiledLink<T, C> {
  const where = `hal: link "${relation}" of ${owner}`
  const definition = typeof entry === 'object' ? entry : { href: entry }
  const members = compileMembers(where, definition)
  const find = compileConditions(where, definition, compileHref(where, definition, allowedHosts))
  const isBare = Object.keys(members).length === 0
  const path = findPath(definition)
  const head = `${relation === 'self' ? '' : ','}${JSON.stringify(relation)}:`
  const open = `${head}{"href":"`
  const close = isBare ? '"}' : `",${JSON.stringify(members).slice(1)}`

  const complete = ({ href, ...own }: HalLink): HalLink => ({ href, ...members, ...own })
  const toValue = (link: string | HalLink | HalLink[]): HalLink | HalLink[] => {
    if (typeof link === 'string') return isBare ? { href: link } : { href: link, ...members }
    return Array.isArray(link) ? link.map(complete) : complete(link)
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

function findPath<T, C>({ href, when, many, templated, title }: LinkDefinition<T, C>): OneVariable | undefined {
  if (typeof href !== 'string' || when || many || templated || typeof title === 'function') return undefined
  return oneVariable(href)
}

/**
 * Adds what depends on the item: whether the link is there at all, its title, and how many there
 * may be.
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
    if (!many && Array.isArray(link)) throw new TypeError(`${where} is one link, got an array: set "many" to true`)
    const label = typeof title === 'function' ? title(item, context) : undefined
    if (!many && label === undefined) return link
    const links = [link].flat().flatMap((each) => toObject(each) ?? [])
    const titled = label === undefined ? links : links.map((link) => ({ title: label, ...link }))
    return many ? titled : titled[0]
  }
}

function compileMembers<T, C>(where: string, definition: LinkDefinition<T, C>): Omit<HalLink, 'href'> {
  assertKnownOptions(where, definition, OPTIONS)
  const members: Omit<HalLink, 'href'> = {}
  for (const name of MEMBERS) {
    const value = definition[name]
    if (typeof value === 'string') members[name] = value
    else if (value !== undefined && name !== 'title') throw new TypeError(`${where}: ${name} must be a string`)
  }
  return members
}
