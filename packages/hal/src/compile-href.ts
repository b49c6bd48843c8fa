import { inspectValue } from '../../internal/options.ts'
import { compileTemplate } from './compile-template.ts'
import type { LinkDefinition } from './definition.ts'
import { resolveHref } from './href.ts'
import type { HalLink, LinkTarget } from './link.ts'
import { hasPublicHost } from './public-host.ts'

/** The hosts that absolute links of a resource may have. */
export type AllowedHosts = 'any' | 'public'

/** A link. A string has no properties and no variables, and needs no escape in JSON. */
export type CompactLink = string | HalLink | HalLink[] | undefined

/** Returns the link of an item, or `undefined` if it has none. */
export type FindLink<T, C> = (item: T, context: C, base: string) => CompactLink

/**
 * Compiles the `href` of a link. Throws a `TypeError` for a target that is not allowed, now or when
 * an item is rendered.
 */
export function compileHref<T, C>(
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
    throw new TypeError(`${where}: href must be a template or a function, got ${inspectValue(href)}`)
  }
  const isPath = href.startsWith('/')
  const template = resolveHref(href, '', where)
  if (templated) return (_item, _context, base) => ({ href: isPath ? base + template : template, templated: true })
  const fill = compileTemplate(href)
  if (isPath || allowedHosts === 'any') return (item, _context, base) => fill(item as object, base)
  return (item) => {
    const url = fill(item as object, '')
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
  const { templated: _, ...members } = target
  const href = resolve(target.href, base)
  return href.includes('{') ? { ...members, href, templated: true } : { ...members, href }
}

function assertPublicHost(url: string, where: string): void {
  if (!hasPublicHost(url)) throw new TypeError(`${where} must have a public host, got ${inspectValue(url)}`)
}

function isList(value: unknown): value is readonly LinkTarget[] {
  return Array.isArray(value)
}
