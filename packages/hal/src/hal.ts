import { inspectValue } from '../../internal/options.ts'
import { toLink, toObject } from './compile-link.ts'
import type { RenderContext } from './definition.ts'
import { resolveHref } from './href.ts'
import type { HalLink, LinkTarget } from './link.ts'
import { toState } from './renderer.ts'
import { listRelations, resolveBase } from './resource.ts'

/**
 * The links of a document by relation: a target, or a list for a relation that is always an array.
 */
export type DocumentLinks = {
  /** The URL of the document. */
  readonly self: Exclude<LinkTarget, null | undefined | false>
} & {
  readonly [relation: string]: LinkTarget | readonly LinkTarget[]
}

/** The embedded resources of a document by relation: one, a list, or none. */
export type DocumentEmbeds = { readonly [relation: string]: object | readonly object[] | null | undefined | false }

type OptionalKeys<R> = { [K in keyof R]: Extract<R[K], null | undefined | false> extends never ? never : K }[keyof R]

type OptionalWhereAbsent<R, V extends Record<keyof R, unknown>> = { [K in Exclude<keyof R, OptionalKeys<R>>]: V[K] } & {
  [K in OptionalKeys<R>]?: V[K]
}

type LinkValues<L> = { [K in keyof L]: L[K] extends readonly unknown[] ? HalLink[] : HalLink }
type EmbedValues<E> = { [K in keyof E]: Exclude<E[K], null | undefined | false> }

/** The document that `hal()` returns. */
export type LinkedDocument<T, L, E> = Omit<T, '_links' | '_embedded' | '_templates'> & {
  /** The links by relation. */
  _links: OptionalWhereAbsent<L, LinkValues<L>>
} & (string extends keyof E
    ? unknown
    : {
        /** The embedded resources by relation. */
        _embedded: OptionalWhereAbsent<E, EmbedValues<E>>
      })

/**
 * Adds links and embedded resources to an object, for documents that need no definition. A target
 * of `undefined`, `null` or `false` is omitted, so it can be a condition. Returns a new object.
 * Throws a `TypeError` if there is no `self`, or if a target is neither a path from the root nor an
 * http(s) URL.
 *
 * @example hal(order, { self: `/orders/${order.id}`, next: isLast ? null : next }, { items })
 */
export function hal<T extends object, const L extends DocumentLinks, E extends DocumentEmbeds = Record<string, never>>(
  state: T,
  links: L,
  embedded?: E,
  context: RenderContext = {},
): LinkedDocument<T, L, E> {
  const base = resolveBase(context)
  const document: Record<string, unknown> = { ...toState('a document', state), _links: buildLinks(links, base) }
  if (embedded) document['_embedded'] = buildEmbedded(embedded)
  return document as LinkedDocument<T, L, E>
}

function buildLinks(links: DocumentLinks, base: string): Record<string, HalLink | HalLink[]> {
  if (typeof links !== 'object' || links === null)
    throw new TypeError(`hal: links of a document must be an object, got ${inspectValue(links)}`)
  const built: Record<string, HalLink | HalLink[]> = {}
  for (const [relation, target] of listRelations<LinkTarget | readonly LinkTarget[]>('a document', links, [
    '__proto__',
  ])) {
    const resolve = (href: string): string => resolveHref(href, base, `hal: link "${relation}" of a document`)
    const convert = (each: LinkTarget): HalLink | undefined => toObject(toLink(each, base, resolve))
    const value = isList(target) ? target.flatMap((each) => convert(each) ?? []) : convert(target)
    if (value !== undefined) built[relation] = value
  }
  if (built['self'] === undefined || Array.isArray(built['self']))
    throw new TypeError('hal: links of a document must have one self link')
  return built
}

function buildEmbedded(embedded: DocumentEmbeds): Record<string, object> {
  const entries = listRelations('a document', embedded, ['__proto__'])
  for (const [relation, value] of entries)
    if (value && typeof value !== 'object')
      throw new TypeError(`hal: embed "${relation}" of a document must be an object or an array, got ${typeof value}`)
  return Object.fromEntries(entries.flatMap(([relation, value]) => (value ? [[relation, value]] : [])))
}

function isList(target: LinkTarget | readonly LinkTarget[]): target is readonly LinkTarget[] {
  return Array.isArray(target)
}
