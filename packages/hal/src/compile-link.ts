import { assertKnownOptions, assertTypes, createArgumentError, inspectValue } from '../../internal/options.ts'
import { compileTemplate, findSingleVariable, type SingleVariable } from './compile-template.ts'
import type { LinkDefinition, LinkEntry } from './definition.ts'
import { resolveHref } from './href.ts'
import type { HalLink, LinkTarget } from './link.ts'
import { encodeReserved } from './percent.ts'
import { hasPublicHost } from './public-host.ts'

/** The hosts that absolute links of a resource may have. */
export type AllowedHosts = 'any' | 'public'

/** A link. A string has no properties and no variables, and needs no escape in JSON. */
export type CompactLink = string | HalLink | HalLink[] | undefined

/** Returns the link of an item, or `undefined` if it has none. */
export type FindLink<T, C> = (item: T, context: C, base: string) => CompactLink

/** A compiled link. Both ways of rendering return the same link. */
export interface CompiledLink<T, C> {
  relation: string
  /** Returns the link or links of an item, or `undefined` if there are none. */
  read(item: T, context: C, base: string): HalLink | HalLink[] | undefined
  /**
   * Returns the JSON of the link with a comma before it, unless it is `self`, which comes first:
   * `,"next":{"href":"/orders/1"}`.
   */
  write(item: T, context: C, base: string): string
  /** Whether an item has the link. @defaultValue every item */
  readonly when: LinkDefinition<T, C>['when']
  /** The path of the link, if it depends only on one property of the item. */
  readonly path: SingleVariable | undefined
  /** The JSON before and after the href. */
  readonly open: string
  readonly close: string
}

const PROPERTIES = ['title', 'type', 'deprecation', 'name', 'profile', 'hreflang'] as const
const OPTIONS = ['href', 'when', 'many', 'templated', 'form', ...PROPERTIES]
const TYPES = {
  when: 'function',
  many: 'boolean',
  templated: 'boolean',
  form: 'object',
  type: 'string',
  deprecation: 'string',
  name: 'string',
  profile: 'string',
  hreflang: 'string',
} as const

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
  const { when } = definition
  const find = compileLabels(where, definition, compileHref(where, definition, allowedHosts))
  const isBare = Object.keys(properties).length === 0
  const head = `${relation === 'self' ? '' : ','}${JSON.stringify(relation)}:`
  const open = `${head}{"href":"`
  const close = isBare ? '"}' : `",${JSON.stringify(properties).slice(1)}`

  const addProperties = ({ href, ...ownProperties }: HalLink): HalLink => ({ href, ...properties, ...ownProperties })
  const addToAll = (link: HalLink | HalLink[]): HalLink | HalLink[] =>
    Array.isArray(link) ? link.map(addProperties) : addProperties(link)
  const read = (item: T, context: C, base: string): HalLink | HalLink[] | undefined => {
    if (when !== undefined && !when(item, context)) return undefined
    const link = find(item, context, base)
    if (typeof link === 'string') return isBare ? { href: link } : { href: link, ...properties }
    return link && addToAll(link)
  }
  const write = (item: T, context: C, base: string): string => {
    if (when !== undefined && !when(item, context)) return ''
    const link = find(item, context, base)
    if (link === undefined) return ''
    return typeof link === 'string' ? open + link + close : head + JSON.stringify(addToAll(link))
  }
  return { relation, read, write, open, close, when, path: findPath(definition) }
}

function findPath<T, C>({ href, many, templated, title }: LinkDefinition<T, C>): SingleVariable | undefined {
  if (typeof href !== 'string' || many || templated || typeof title === 'function') return undefined
  return findSingleVariable(href)
}

/** Adds the title of a link, if it depends on the item, and makes it a list if it is one. */
function compileLabels<T, C>(
  where: string,
  { href, many = false, title }: LinkDefinition<T, C>,
  find: FindLink<T, C>,
): FindLink<T, C> {
  if (typeof href === 'string' && !many && typeof title !== 'function') return find
  return (item, context, base) => {
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
  assertTypes(where, definition, TYPES)
  const { title } = definition
  if (title !== undefined && typeof title !== 'string' && typeof title !== 'function')
    throw createArgumentError(where, 'title', 'a string or a function', title)
  const properties: Omit<HalLink, 'href'> = {}
  for (const name of PROPERTIES) {
    const value = definition[name]
    if (typeof value === 'string') properties[name] = value
  }
  return properties
}

/**
 * Compiles the `href` of a link. Throws a `TypeError` for a target that is not allowed, now or when
 * an item is rendered.
 */
function compileHref<T, C>(
  where: string,
  { href, templated }: LinkDefinition<T, C>,
  allowedHosts: AllowedHosts,
): FindLink<T, C> {
  const resolve = (target: string, base: string): string => {
    const url = resolveHref(target, base, where)
    if (allowedHosts === 'public' && !target.startsWith('/')) assertPublicHost(url, where)
    return url
  }
  if (typeof href === 'function') {
    return (item, context, base) => {
      const target = href(item, context)
      if (!isList(target)) return toLink(target, base, resolve)
      return target.flatMap((each) => toObject(toLink(each, base, resolve)) ?? [])
    }
  }
  if (typeof href !== 'string') {
    throw createArgumentError(where, 'href', 'a template or a function', href)
  }
  const isPath = href.startsWith('/')
  const template = resolveHref(href, '', where)
  if (templated) return (_item, _context, base) => ({ href: isPath ? base + template : template, templated: true })
  const fill = compileTemplate(href)
  if (isPath || allowedHosts === 'any') return fill
  return (item, context) => {
    const url = fill(item, context, '')
    return url === undefined ? undefined : resolve(url, '')
  }
}

/** Returns a link as an object. */
export function toObject(link: string | HalLink | undefined): HalLink | undefined {
  return typeof link === 'string' ? { href: link } : link
}

/** Returns the URL of a target relative to a base. */
export type ResolveTarget = (target: string, base: string) => string

/** Converts a target to a link: a string if it only has a URL, `undefined` if there is none. */
export function toLink(target: LinkTarget, base: string, resolve: ResolveTarget): string | HalLink | undefined {
  if (typeof target === 'string') {
    const href = resolve(target, base)
    return href.includes('{') ? { href, templated: true } : href
  }
  if (target === undefined || target === null || target === false) return undefined
  const { templated, ...members } = target
  const text = typeof target === 'object' ? target.href : target
  const href = resolve(templated === false ? encodeReserved(text) : text, base)
  return href.includes('{') ? { ...members, href, templated: true } : { ...members, href }
}

function assertPublicHost(url: string, where: string): void {
  if (!hasPublicHost(url)) throw new TypeError(`${where} must have a public host, got ${inspectValue(url)}`)
}

function isList(value: unknown): value is readonly LinkTarget[] {
  return Array.isArray(value)
}
