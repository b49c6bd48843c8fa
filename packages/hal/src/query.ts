import { encodeUnreserved } from './percent.ts'

type QueryValue = string | number | bigint | boolean | null | undefined

/** Parameters of a collection: filters, sort, and any others for the links of a page. */
export type Query = URLSearchParams | { readonly [name: string]: QueryValue | readonly QueryValue[] }

/** A parameter of a URL: its name and the encoded pair. */
export interface Parameter {
  name: string
  text: string
}

/** Returns the encoded parameters of a query except those in `without`; absent ones are omitted. */
export function listParameters(query: Query, without: readonly string[]): Parameter[] {
  const parameters: Parameter[] = []
  for (const [name, value] of query instanceof URLSearchParams ? query : Object.entries(query)) {
    if (without.includes(name)) continue
    for (const item of isList(value) ? value : [value]) {
      if (item !== undefined && item !== null) parameters.push(formatParameter(name, String(item)))
    }
  }
  return parameters
}

export function formatParameter(name: string, value: string): Parameter {
  return { name, text: `${encodeUnreserved(name)}=${encodeUnreserved(value)}` }
}

/**
 * Sorts parameters into canonical order: by name, repeated ones in their original order. The same
 * page has one URL, regardless of the order in which a client wrote its filters.
 */
export function sortParameters(parameters: Parameter[]): Parameter[] {
  return parameters.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function isList(value: unknown): value is readonly QueryValue[] {
  return Array.isArray(value)
}
