import type { PageLinks } from './page-links.ts'

/**
 * The property `page` of a page. It has totals if the items were counted, and a number unless pages
 * have cursors.
 */
export interface PageInfo {
  /** Number of this page; absent if pages have cursors. */
  number?: number
  /** Maximum number of items on a page. */
  size: number
  /** Number of items on all pages, if they were counted. */
  totalElements?: number
  /** Number of pages, if the items were counted. */
  totalPages?: number
}

/** Returns the JSON of the property `page`, which only has numbers. */
export function stringifyPageInfo({ number, size, totalElements, totalPages }: PageInfo): string {
  const position = number === undefined ? '' : `"number":${number},`
  const totals = totalElements === undefined ? '' : `,"totalElements":${totalElements},"totalPages":${totalPages}`
  return `{${position}"size":${size}${totals}}`
}

/**
 * Returns the JSON of the links of a page after its curies. Their URLs contain no character that
 * JSON escapes.
 */
export function stringifyPageLinks(curies: string, { self, first, previous, next, last }: PageLinks): string {
  let text = `{${curies}"self":{"href":"${self.href}"},"first":{"href":"${first.href}"}`
  if (previous) text += `,"previous":{"href":"${previous.href}"}`
  if (next) text += `,"next":{"href":"${next.href}"}`
  if (last) text += `,"last":{"href":"${last.href}"}`
  return `${text}}`
}
