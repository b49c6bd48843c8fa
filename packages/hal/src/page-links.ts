import type { HalLink } from './link.ts'
import { encodeUnreserved } from './percent.ts'
import { formatParameter, listParameters, type Query, sortParameters } from './query.ts'

/** The positions of the adjacent pages: their numbers or cursors, percent-encoded. */
export interface AdjacentPages {
  self: string | undefined
  first: string | undefined
  previous?: string | undefined
  next?: string | undefined
  last?: string | undefined
}

/**
 * The links of a page, with the curies of its items. A type alias, so that it is assignable to a
 * record of relations.
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
  /** The last page, if items were counted. */
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
 * Builds the links to the adjacent pages, with filters and sort in canonical order. `position` is
 * the name of the parameter for the number or cursor, which is omitted for an `undefined` position.
 */
export function buildPageLinks(
  url: string,
  query: Query,
  names: PageParameters,
  size: number,
  position: string,
  adjacent: AdjacentPages,
): PageLinks {
  const parameters = listParameters(query, [names.page, names.size, names.cursor])
  parameters.push(formatParameter(names.size, String(size)))
  let before = ''
  let after = ''
  for (const { name, text } of sortParameters(parameters)) {
    if (name > position) after += `&${text}`
    else before += `${text}&`
  }
  const open = `${url}?${before}${encodeUnreserved(position)}=`
  const link = (value: string | undefined): HalLink => ({
    href: value === undefined ? `${url}?${before}${after.slice(1)}`.replace(/&$/, '') : open + value + after,
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
  /** Highest page number that the API accepts. */
  lastAllowed: number
}

/**
 * Returns the numbers of the adjacent pages. The first page has no previous one, the last page no
 * next one, and a page beyond the end leads back to the last one. Without totals there is no last
 * page.
 */
export function findAdjacentPages(page: NumberedPage): AdjacentPages {
  const { number, firstPage, totalPages, hasNext, lastAllowed } = page
  const last = totalPages === undefined ? undefined : firstPage + Math.max(totalPages, 1) - 1
  const isEmpty = totalPages === 0
  const hasFollowing = (last === undefined ? hasNext : number < last) && number < lastAllowed
  const adjacent: AdjacentPages = { self: String(number), first: String(firstPage) }
  if (number > firstPage && !isEmpty) adjacent.previous = String(Math.min(number - 1, last ?? number, lastAllowed))
  if (hasFollowing) adjacent.next = String(number + 1)
  if (last !== undefined && last <= lastAllowed) adjacent.last = String(last)
  return adjacent
}
