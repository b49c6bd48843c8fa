import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { rendererOf, writeCuries } from './compile-embed.ts'
import type { HalDocument, RenderContext } from './definition.ts'
import { resolveHref } from './href.ts'
import { formatLinkHeader } from './link-header-format.ts'
import { type Neighbours, numberedNeighbours, type PageLinks, type PageParameters, pageLinks } from './page-links.ts'
import { writePageInfo, writePageLinks } from './page-text.ts'
import type { Query } from './query.ts'
import { baseOf, type Resource } from './resource.ts'

/** The member `page` of a page. Totals are there where they were counted, the number where pages have numbers. */
export interface PageInfo {
  /** Number of this page; absent where pages have marks. */
  number?: number
  /** Greatest number of items on a page. */
  size: number
  /** How many items there are on all pages, where they were counted. */
  totalElements?: number
  /** How many pages there are, where the items were counted. */
  totalPages?: number
}

/** The parts of a page, for a wrapper of your own. */
export interface PageParts<I = object> {
  /** The rendered items. */
  items: I[]
  /** Which page this is, and of how many. */
  page: PageInfo
  /** The way to the other pages. */
  links: PageLinks
}

/** What `page` takes beside the items: which page they are, and of what. */
export interface PageOptions<T, C extends RenderContext, L, E> {
  /** How the items are rendered. */
  of: Resource<T, C, L, E>
  /** Path of the collection, without a query: `/employees`. */
  path: string
  /** Filters and sort, as an object or URLSearchParams: every link keeps them, in canonical order. */
  query?: Query
  /** Greatest number of items on a page. */
  size: number
  /** Which page this is. @defaultValue the first */
  number?: number
  /** Number of the first page. @defaultValue 0 */
  firstPage?: 0 | 1
  /**
   * How many items there are on all pages. Without it there are no totals and no `last` link. @defaultValue nobody
   * counted
   */
  totalElements?: number
  /** Whether a page follows, where nobody counted. @defaultValue whether this one is full */
  hasNext?: boolean
  /** Pages that start behind this many items are not answered, and never linked to. @defaultValue no bound */
  window?: number
  /** Opaque marks of this page and its neighbours, in place of numbers. */
  cursors?: { self?: string | undefined; next?: string | undefined; previous?: string | undefined }
  /** Names of the parameters. @defaultValue `page`, `size`, `cursor` */
  parameters?: Partial<PageParameters>
  /** What the links and conditions of the items are told. @defaultValue {} */
  context?: C
  /** Makes another plain form, from `{ items, page, links }`. @defaultValue `{ items, page, _links }` */
  wrapper?: (parts: PageParts) => object
}

/** `plain`: `{items, page, _links}`. `hal`: `{_embedded: {<collection>: [...]}, page, _links}`. */
export type PageForm = 'plain' | 'hal'

/** One page of a collection: items, links, totals. */
export interface Page<T, L = unknown, E = unknown> {
  /** Which page this is, and of how many. */
  readonly page: PageInfo
  /** The way to the other pages. */
  readonly links: PageLinks
  /** The page as an object: a HAL document, or the plain form with `items`, `page` and `_links`. */
  render(form: 'hal'): HalPage<T, L, E>
  /** The page as an object: a HAL document, or the plain form with `items`, `page` and `_links`. */
  render(form?: PageForm): object
  /** The `Link` field of the page: first, prev, next and last. */
  linkHeader(): string
  /** The JSON text of {@link Page.render}, made without the objects in between. */
  stringify(form?: PageForm): string
}

/** A page as a HAL document: the items inside, the links around. */
export interface HalPage<T, L = unknown, E = unknown> {
  /** The items, by the name of the collection. */
  _embedded: Record<string, HalDocument<T, L, E>[]>
  /** Which page this is, and of how many. */
  page: PageInfo
  /** The way to the other pages. */
  _links: PageLinks
}

const NAMES: PageParameters = { page: 'page', size: 'size', cursor: 'cursor' }
const OPTIONS = [
  ...['of', 'path', 'query', 'size', 'number', 'firstPage', 'totalElements', 'hasNext', 'window', 'cursors'],
  ...['parameters', 'context', 'wrapper'],
]

/** Makes a page of items: its wrapper in both forms and the links to its neighbours. */
export function page<T extends object, C extends RenderContext, L, E>(
  items: readonly T[],
  options: PageOptions<T, C, L, E>,
): Page<T, L, E> {
  assertKnownOptions('page', options, OPTIONS)
  const { of, wrapper } = options
  const context = options.context ?? ({} as C)
  const base = baseOf(context)
  const renderer = rendererOf<T, C>('page', of)
  const info = pageInfo(options)
  if (/[?#{]/.test(options.path)) throw wrong('path', 'a path without query and variables', options.path)
  const links = linksOf(items, options, info, resolveHref(options.path, base))
  const complete = renderer.curies.length > 0 ? { curies: [...renderer.curies], ...links } : links

  const render = (form: PageForm = 'plain'): object => {
    const rendered = items.map((item) => renderer.read(item, context, base, []))
    if (form === 'hal') return { _embedded: { [of.collection]: rendered }, page: info, _links: complete }
    if (wrapper) return wrapper({ items: rendered, page: info, links: complete })
    return { items: rendered, page: info, _links: complete }
  }
  const stringify = (form: PageForm = 'plain'): string => {
    if (wrapper && form === 'plain') return JSON.stringify(render(form))
    let list = ''
    for (const item of items) list += (list === '' ? '' : ',') + renderer.write(item, context, base, '')
    const rest = `"page":${writePageInfo(info)},"_links":${writePageLinks(writeCuries(renderer.curies), links)}}`
    if (form === 'plain') return `{"items":[${list}],${rest}`
    return `{"_embedded":{${JSON.stringify(of.collection)}:[${list}]},${rest}`
  }
  const linkHeader = (): string => formatPageLinks(links)
  return { page: info, links: complete, render: render as Page<T, L, E>['render'], linkHeader, stringify }
}

function pageInfo({ size, totalElements, cursors, number, firstPage = 0, window }: Numbers): PageInfo {
  if (!Number.isInteger(size) || size < 1) throw wrong('size', 'a positive integer', size)
  if (number !== undefined && (!Number.isInteger(number) || number < firstPage)) {
    throw wrong('number', `an integer from ${firstPage} on`, number)
  }
  if (totalElements !== undefined && (!Number.isInteger(totalElements) || totalElements < 0)) {
    throw wrong('totalElements', 'a natural number', totalElements)
  }
  if (window !== undefined && !(window > 0)) throw wrong('window', 'a positive number', window)
  const totals = totalElements === undefined ? {} : { totalElements, totalPages: Math.ceil(totalElements / size) }
  return cursors ? { size, ...totals } : { number: number ?? firstPage, size, ...totals }
}

type Numbers = Pick<PageOptions<object, RenderContext, unknown, unknown>, NumberOptions>
type NumberOptions = 'size' | 'totalElements' | 'cursors' | 'number' | 'firstPage' | 'window'

function linksOf<T, C extends RenderContext, L, E>(
  items: readonly T[],
  options: PageOptions<T, C, L, E>,
  info: PageInfo,
  url: string,
): PageLinks {
  const { query = {}, firstPage = 0, cursors, size, window = Number.POSITIVE_INFINITY } = options
  const names = { ...NAMES, ...options.parameters }
  const neighbours = cursors
    ? cursorNeighbours(cursors)
    : numberedNeighbours({
        number: info.number ?? firstPage,
        firstPage,
        totalPages: info.totalPages,
        hasNext: options.hasNext ?? items.length >= size,
        lastAllowed: firstPage + Math.floor(window / size),
      })
  return pageLinks(url, query, names, size, cursors ? names.cursor : names.page, neighbours)
}

/** The registered names in a header field are those that clients of other services know: `prev`, not `previous`. */
function formatPageLinks({ first, previous, next, last }: PageLinks): string {
  const fields = [{ rel: 'first', ...first }]
  if (previous) fields.push({ rel: 'prev', ...previous })
  if (next) fields.push({ rel: 'next', ...next })
  if (last) fields.push({ rel: 'last', ...last })
  return formatLinkHeader(fields.map(({ rel, href }) => ({ rel, href })))
}

function cursorNeighbours({ self, next, previous }: NonNullable<Numbers['cursors']>): Neighbours {
  const neighbours: Neighbours = { self, first: undefined }
  if (previous !== undefined) neighbours.previous = previous
  if (next !== undefined) neighbours.next = next
  return neighbours
}

function wrong(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`page: ${name} must be ${expected}, got ${inspectValue(value)}`)
}
