import { assertKnownOptions, assertTypes, createArgumentError } from '../../internal/options.ts'
import { getRenderer, writeCuries } from './compile-embed.ts'
import type { HalDocument, RenderContext } from './definition.ts'
import { resolveHref } from './href.ts'
import { formatLinkHeader } from './link-header-format.ts'
import {
  type AdjacentPages,
  buildPageLinks,
  findAdjacentPages,
  type PageLinks,
  type PageParameters,
} from './page-links.ts'
import { encodeUnreserved } from './percent.ts'
import type { Query } from './query.ts'
import { type Resource, resolveBase } from './resource.ts'
import { type PageInfo, stringifyPageInfo, stringifyPageLinks } from './stringify-page.ts'

/** The parts of a page, for a custom wrapper. */
export interface PageParts<I = object> {
  /** The rendered items. */
  items: I[]
  /** Number, size and totals of the page. */
  page: PageInfo
  /** The links to the other pages. */
  links: PageLinks
}

/** Options for `page()`. */
export interface PageOptions<T, C extends RenderContext, L, E, S = T> {
  /** The resource that renders the items. */
  resource: Resource<T, C, L, E, S>
  /** Path of the collection, without a query: `/employees`. */
  path: string
  /**
   * Filters and sort, as an object or URLSearchParams. Every link contains them, in canonical
   * order.
   */
  query?: Query
  /** Maximum number of items on a page. */
  size: number
  /** Number of this page. @defaultValue the first */
  number?: number
  /** Number of the first page. @defaultValue 0 */
  firstPage?: 0 | 1
  /**
   * Number of items on all pages. Without it the page has no totals and no `last` link.
   * @defaultValue not counted
   */
  totalElements?: number
  /**
   * Whether there is a next page, if items were not counted.
   * @defaultValue whether this page is full
   */
  hasNext?: boolean
  /**
   * Highest offset of a page that the API accepts; later pages are never linked.
   * @defaultValue no limit
   */
  maxOffset?: number
  /** Opaque cursors of this page and the adjacent ones, instead of numbers. */
  cursors?: {
    /** Cursor of this page. */
    self?: string | undefined
    /** Cursor of the first page. @defaultValue the link to the first page has no cursor */
    first?: string | undefined
    /** Cursor of the next page. */
    next?: string | undefined
    /** Cursor of the previous page. */
    previous?: string | undefined
  }
  /** Names of the query parameters. @defaultValue `page`, `size`, `cursor` */
  parameters?: Partial<PageParameters>
  /**
   * Passed to the links and conditions of the items. Required if the context of the resource has
   * required properties. @defaultValue {}
   */
  context?: C
  /**
   * Builds a custom plain format from `{ items, page, links }`.
   * @defaultValue `{ items, page, _links }`
   */
  wrapper?: (parts: PageParts) => object
  /**
   * Called by `stringify()` for each item. Returns its JSON: what `stringify` returns, or the same
   * text of an earlier call, if the item and all that its links depend on are the same.
   * @defaultValue calls `stringify`
   */
  stringifyItem?: (item: T, stringify: () => string) => string
}

/**
 * Format of a page. `plain`: `{ items, page, _links }`. `hal`:
 * `{ _embedded: { <collection>: [] }, page, _links }`.
 */
export type PageFormat = 'plain' | 'hal'

/** A page of a collection: items, links and totals. */
export interface Page<S, L = unknown, E = unknown> {
  /** Number, size and totals of the page. */
  readonly page: PageInfo
  /** The links to the other pages. */
  readonly links: PageLinks
  /**
   * Returns the page as an object: a HAL document, or the plain format with `items`, `page` and
   * `_links`.
   */
  render(format: 'hal'): HalPage<S, L, E>
  /**
   * Returns the page as an object: a HAL document, or the plain format with `items`, `page` and
   * `_links`.
   */
  render(format?: PageFormat): object
  /** Returns the `Link` header of the page: first, prev, next and last. */
  linkHeader(): string
  /** Returns the JSON of {@link Page.render}, without building the object. */
  stringify(format?: PageFormat): string
}

/** A page as a HAL document. */
export interface HalPage<S, L = unknown, E = unknown> {
  /** The items by the name of the collection. */
  _embedded: Record<string, HalDocument<S, L, E>[]>
  /** Number, size and totals of the page. */
  page: PageInfo
  /** The links to the other pages. */
  _links: PageLinks
}

const NAMES: PageParameters = { page: 'page', size: 'size', cursor: 'cursor' }
const TYPES = {
  hasNext: 'boolean',
  query: 'object',
  cursors: 'object',
  parameters: 'object',
  context: 'object',
  wrapper: 'function',
  stringifyItem: 'function',
} as const
const OPTIONS = [
  'resource',
  'path',
  'query',
  'size',
  'number',
  'firstPage',
  'totalElements',
  'hasNext',
  'maxOffset',
  'cursors',
  'parameters',
  'context',
  'wrapper',
  'stringifyItem',
]

/** The option `context` may be omitted if no property of it is required. */
export type RequiredContext<C> = object extends C ? unknown : { context: C }

const CURSORS = ['self', 'first', 'next', 'previous']

/**
 * Creates a page of items in both formats, with links to the adjacent pages. Throws a `TypeError`
 * if an option is not valid.
 *
 * @example
 * page(rows, { resource: order, path: '/orders', size: 20, number: 2, totalElements: 137
 * }).stringify('hal')
 */
export function page<T extends object, C extends RenderContext, L, E, S>(
  items: readonly T[],
  options: PageOptions<T, C, L, E, S> & RequiredContext<C>,
): Page<S, L, E> {
  assertKnownOptions('hal: page', options, OPTIONS)
  assertTypes('hal: page', options, TYPES)
  const { resource, wrapper, stringifyItem, cursors, parameters } = options
  if (cursors) assertKnownOptions('hal: page: cursors', cursors, CURSORS)
  if (parameters) assertKnownOptions('hal: page: parameters', parameters, Object.keys(NAMES))
  const context = options.context ?? ({} as C)
  const base = resolveBase(context)
  const renderer = getRenderer<T, C>('hal: page', resource)
  const info = buildPageInfo(options)
  if (typeof options.path !== 'string' || /[?#{]/.test(options.path))
    throw createOptionError('path', 'a path without query and variables', options.path)
  const links = collectLinks(items, options, info, resolveHref(options.path, base))
  const allLinks = renderer.curies.length > 0 ? { curies: [...renderer.curies], ...links } : links

  const render = (format: PageFormat = 'plain'): object => {
    const rendered = items.map((item) => renderer.read(item, context, base, []))
    if (format === 'hal') return { _embedded: { [resource.collection]: rendered }, page: info, _links: allLinks }
    if (wrapper) return wrapper({ items: rendered, page: info, links: allLinks })
    return { items: rendered, page: info, _links: allLinks }
  }
  const stringify = (format: PageFormat = 'plain'): string => {
    if (wrapper && format === 'plain') return JSON.stringify(render(format))
    const write = (item: T, start: string): string => renderer.write(item, context, base, '', start)
    const writeItem = stringifyItem
      ? (item: T, start: string): string => start + stringifyItem(item, () => write(item, ''))
      : write
    let list = ''
    for (const item of items) list = writeItem(item, list === '' ? '' : `${list},`)
    const rest = `"page":${stringifyPageInfo(info)},"_links":${stringifyPageLinks(writeCuries(renderer.curies), links)}}`
    if (format === 'plain') return `{"items":[${list}],${rest}`
    return `{"_embedded":{${JSON.stringify(resource.collection)}:[${list}]},${rest}`
  }
  const linkHeader = (): string => formatPageLinks(links)
  return { page: info, links: allLinks, render: render as Page<S, L, E>['render'], linkHeader, stringify }
}

function buildPageInfo({ size, totalElements, cursors, number, firstPage = 0, maxOffset }: NumericOptions): PageInfo {
  if (!Number.isInteger(size) || size < 1) throw createOptionError('size', 'a positive integer', size)
  if (firstPage !== 0 && firstPage !== 1) throw createOptionError('firstPage', '0 or 1', firstPage)
  if (number !== undefined && (!Number.isInteger(number) || number < firstPage)) {
    throw createOptionError('number', `an integer of at least ${firstPage}`, number)
  }
  if (totalElements !== undefined && (!Number.isInteger(totalElements) || totalElements < 0)) {
    throw createOptionError('totalElements', 'a non-negative integer', totalElements)
  }
  if (maxOffset !== undefined && !(typeof maxOffset === 'number' && maxOffset > 0))
    throw createOptionError('maxOffset', 'a positive number', maxOffset)
  const totals = totalElements === undefined ? {} : { totalElements, totalPages: Math.ceil(totalElements / size) }
  return cursors ? { size, ...totals } : { number: number ?? firstPage, size, ...totals }
}

type NumericOptions = Pick<PageOptions<object, RenderContext, unknown, unknown>, NumberOptions>
type NumberOptions = 'size' | 'totalElements' | 'cursors' | 'number' | 'firstPage' | 'maxOffset'

function collectLinks<T, C extends RenderContext, L, E, S>(
  items: readonly T[],
  options: PageOptions<T, C, L, E, S>,
  info: PageInfo,
  url: string,
): PageLinks {
  const { query = {}, firstPage = 0, cursors, size, maxOffset = Number.POSITIVE_INFINITY } = options
  const names = options.parameters === undefined ? NAMES : { ...NAMES, ...options.parameters }
  const adjacent = cursors
    ? toAdjacentPages(cursors)
    : findAdjacentPages({
        number: info.number ?? firstPage,
        firstPage,
        totalPages: info.totalPages,
        hasNext: options.hasNext ?? items.length >= size,
        lastAllowed: firstPage + Math.floor(maxOffset / size),
      })
  return buildPageLinks(url, query, names, size, cursors ? names.cursor : names.page, adjacent)
}

/** Formats the `Link` header with the registered relation names: `prev`, not `previous`. */
function formatPageLinks({ first, previous, next, last }: PageLinks): string {
  const entries = [{ rel: 'first', ...first }]
  if (previous) entries.push({ rel: 'prev', ...previous })
  if (next) entries.push({ rel: 'next', ...next })
  if (last) entries.push({ rel: 'last', ...last })
  return formatLinkHeader(entries.map(({ rel, href }) => ({ rel, href })))
}

function toAdjacentPages({ self, first, next, previous }: NonNullable<NumericOptions['cursors']>): AdjacentPages {
  const encode = (cursor: string | undefined) => (cursor === undefined ? undefined : encodeUnreserved(cursor))
  return { self: encode(self), first: encode(first), previous: encode(previous), next: encode(next) }
}

function createOptionError(name: string, expected: string, value: unknown): TypeError {
  return createArgumentError('hal: page', name, expected, value)
}
