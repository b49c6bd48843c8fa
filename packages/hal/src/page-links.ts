import type { HalLink } from './link.ts'
import { encodeUnreserved } from './percent.ts'
import { listParameters, parameter, type Query, sortParameters } from './query.ts'

/** The positions of the adjacent pages: their numbers or cursors. */
export interface AdjacentPages {
  self: string | undefined
  first: string | undefined
  previous?: string | undefined
  next?: string | undefined
  last?: string | undefined
}

/**
 * The links of a page; its curies are those of its items. A type alias, which is assignable to a
 * record of any relation.
 */
export type PageLinks = {
  /** This page. */
  self: HalLink
  /** The first page. */
  first: HalLink
  /** The previous page; absent on the first. */
  previous?: HalLink
  /** The next page; absent on the last. */
  next?: HalLink
  /** The last page, if the items were counted. */
  last?: HalLink
  /** Documentation of the prefixes of relation names. */
  curies?: HalLink[]
}

export interface PageParameters {
  page: string
  size: string
  cursor: string
}

/**
 * Formats the URL of each adjacent page, with filters and sort in canonical order. `position` is
 * the parameter of the number or cursor; a page whose position is `undefined` has no such
 * parameter.
 */
export function pageLinks(
  url: string,
  query: Query,
  names: PageParameters,
  size: number,
  position: string,
  adjacent: AdjacentPages,
): PageLinks {
  const parameters = listParameters(query, [names.page, names.size, names.cursor])
  parameters.push(parameter(names.size, String(size)))
  let before = ''
  let after = ''
  for (const { name, text } of sortParameters(parameters)) {
    if (name > position) after += `&${text}`
    else before += `${text}&`
  }
  const open = `${url}?${before}${encodeUnreserved(position)}=`
  const bare = `${url}?${before}${after.slice(1)}`.replace(/&$/, '')
  const link = (value: string | undefined): HalLink => ({
    href: value === undefined ? bare : open + encodeUnreserved(value) + after,
  })

  const links: PageLinks = { self: link(adjacent.self), first: link(adjacent.first) }
  if (adjacent.previous !== undefined) links.previous = link(adjacent.previous)
  if (adjacent.next !== undefined) links.next = link(adjacent.next)
  if (adjacent.last !== undefined) links.last = link(adjacent.last)
  return links
}

/** A numbered page. */
export interface NumberedPage {
  number: number
  firstPage: number
  totalPages: number | undefined
  hasNext: boolean
  /** Maximum number of a page that the API accepts. */
  lastAllowed: number
}

/**
 * The numbers of the adjacent: no previous on the first page, no next on the last, and from a page
 * beyond the end back to the last one. Without totals there is no last.
 */
export function findAdjacentPages(page: NumberedPage): AdjacentPages {
  const { number, firstPage, totalPages, hasNext, lastAllowed } = page
  const last = totalPages === undefined ? undefined : firstPage + Math.max(totalPages, 1) - 1
  const isEmpty = totalPages === 0
  const follows = (last === undefined ? hasNext : number < last) && number < lastAllowed
  const adjacent: AdjacentPages = { self: String(number), first: String(firstPage) }
  if (number > firstPage && !isEmpty) adjacent.previous = String(Math.min(number - 1, last ?? number, lastAllowed))
  if (follows) adjacent.next = String(number + 1)
  if (last !== undefined && last <= lastAllowed) adjacent.last = String(last)
  return adjacent
}
