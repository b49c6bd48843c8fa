import { refuseUnknown, shown } from '../../internal/options.ts'
import { compileTemplate, type OneVariable, oneVariable } from './compile-template.ts'
import type { LinkDefinition, LinkEntry } from './definition.ts'
import { resolveHref } from './href.ts'
import type { HalLink, LinkTarget } from './link.ts'

/** A link of a definition, ready to be rendered in two ways that give the same. */
export interface CompiledLink<T, C> {
  relation: string
  /** The link or links of an item; `undefined` where there are none. */
  read(item: T, context: C, base: string): HalLink | HalLink[] | undefined
  /** The same as text behind other members, `,"next":{"href":"/orders/1"}`; self alone comes first, without comma. */
  write(item: T, context: C, base: string): string
  /** The path that the link always is; not there where it depends on more than one member of the item. */
  readonly path?: OneVariable
  /** What stands around the href in the text. */
  readonly open: string
  readonly close: string
}

/** A string stands for a link without members and variables, all of whose characters may stand in JSON as they are. */
type Resolved = string | HalLink | HalLink[] | undefined

const MEMBERS = ['title', 'type', 'deprecation', 'name', 'profile', 'hreflang'] as const
const OPTIONS = ['href', 'when', 'many', 'templated', 'form', ...MEMBERS]

/** Compiles a link once. Throws a TypeError that names the resource and the relation for what can never work. */
export function compileLink<T, C>(owner: string, relation: string, entry: LinkEntry<T, C>): CompiledLink<T, C> {
  const where = `hal: link "${relation}" of ${owner}`
  const definition = typeof entry === 'object' ? entry : { href: entry }
  const members = membersOf(where, definition)
  const resolve = compileResolve(where, definition)
  const isBare = Object.keys(members).length === 0
  const path = pathOf(definition)
  const head = `${relation === 'self' ? '' : ','}${JSON.stringify(relation)}:`
  const open = `${head}{"href":"`
  const close = isBare ? '"}' : `",${JSON.stringify(members).slice(1)}`
  const read = (item: T, context: C, base: string): HalLink | HalLink[] | undefined => {
    const found = resolve(item, context, base)
    if (typeof found === 'string') return isBare ? { href: found } : { href: found, ...members }
    const complete = ({ href, ...own }: HalLink): HalLink => ({ href, ...members, ...own })
    return Array.isArray(found) ? found.map(complete) : found && complete(found)
  }
  const write = (item: T, context: C, base: string): string => {
    const found = resolve(item, context, base)
    if (found === undefined) return ''
    return typeof found === 'string' ? open + found + close : head + JSON.stringify(read(item, context, base))
  }
  return { relation, read, write, open, close, ...(path && { path }) }
}

function pathOf<T, C>({ href, when, many, templated, title }: LinkDefinition<T, C>): OneVariable | undefined {
  if (typeof href !== 'string' || when || many || templated || typeof title === 'function') return undefined
  return oneVariable(href)
}

function compileResolve<T, C>(where: string, definition: LinkDefinition<T, C>) {
  const { when, many = false, title } = definition
  const find = compileHref(where, definition)
  return (item: T, context: C, base: string): Resolved => {
    if (when !== undefined && !when(item, context)) return undefined
    const found = find(item, context, base)
    if (found === undefined) return undefined
    if (!many && Array.isArray(found)) throw new TypeError(`${where} is one link, got an array: set "many" to true`)
    const label = typeof title === 'function' ? title(item, context) : undefined
    if (!many && label === undefined) return found
    const links = [found].flat().flatMap((link) => withTitle(link, label) ?? [])
    return many ? links : links[0]
  }
}

type Find<T, C> = (item: T, context: C, base: string) => Resolved

function compileHref<T, C>(where: string, { href, templated }: LinkDefinition<T, C>): Find<T, C> {
  if (typeof href === 'function') {
    return (item, context, base) => {
      const target = href(item, context)
      if (!isList(target)) return toLink(target, base, where)
      return target.flatMap((each) => withTitle(toLink(each, base, where)) ?? [])
    }
  }
  if (typeof href !== 'string')
    throw new TypeError(`${where} needs an href: a template or a function, got ${shown(href)}`)
  resolveHref(href, '', where)
  if (templated) return (_item, _context, base) => ({ href: resolveHref(href, base, where), templated: true })
  const fill = compileTemplate(href)
  return (item, _context, base) => fill(item as object, base)
}

function toLink(target: LinkTarget, base: string, where: string): string | HalLink | undefined {
  if (typeof target === 'string') {
    const href = resolveHref(target, base, where)
    return href.includes('{') ? { href, templated: true } : href
  }
  if (target === undefined || target === null || target === false) return undefined
  const { templated: _, ...members } = target
  const href = resolveHref(target.href, base, where)
  return href.includes('{') ? { ...members, href, templated: true } : { ...members, href }
}

function withTitle(link: string | HalLink | undefined, title?: string): HalLink | undefined {
  if (link === undefined) return undefined
  const object = typeof link === 'string' ? { href: link } : link
  return title === undefined ? object : { title, ...object }
}

function membersOf<T, C>(where: string, definition: LinkDefinition<T, C>): Omit<HalLink, 'href'> {
  refuseUnknown(where, definition, OPTIONS)
  const members: Omit<HalLink, 'href'> = {}
  for (const name of MEMBERS) {
    const value = definition[name]
    if (typeof value === 'string') members[name] = value
    else if (value !== undefined && name !== 'title') throw new TypeError(`${where}: ${name} must be a string`)
  }
  return members
}

function isList(value: unknown): value is readonly LinkTarget[] {
  return Array.isArray(value)
}
