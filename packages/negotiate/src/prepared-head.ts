import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { splitList } from '../../internal/list.ts'
import { mergeVary } from '../../internal/vary.ts'
import { isContentHeader, isFramingHeader, VARY } from './representation-headers.ts'

/**
 * A header section as a list of names and values, with the positions of values that differ between
 * items.
 */
export interface Head {
  readonly list: readonly string[]
  /** Values of `Set-Cookie`, which must not be joined. */
  readonly cookies: readonly string[]
  readonly etag: number
  readonly lastModified: number
  readonly length: number
  /** Names of the headers that the last response added, which the next one mostly has too. */
  readonly names: string[]
  /** The position of each of them in the list, or `APPENDED`, `OMITTED` or `COOKIE`. */
  readonly positions: number[]
}

/** The values of one item; `undefined` where its section has none. */
export interface HeadValues {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly length: number
}

const APPENDED = 0
const OMITTED = -1
const COOKIE = -2
const LINK = /^link$/i
const SET_COOKIE = /^set-cookie$/i

/** Compiles a header section. Its own values are placeholders. */
export function compileHead(headers: OutgoingHttpHeaders, { etag, lastModified }: HeadValues): Head {
  const list: string[] = []
  const cookies: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    const values = [value].flat()
    if (SET_COOKIE.test(name)) cookies.push(...values.map(String))
    else list.push(name, values.join(', ')) // of a repeated name, Node.js 20 may send only the last
  }
  return {
    list,
    cookies,
    etag: etag === undefined ? 0 : findPosition(list, 'ETag'),
    lastModified: lastModified === undefined ? 0 : findPosition(list, 'Last-Modified'),
    length: findPosition(list, 'Content-Length'),
    names: [],
    positions: [],
  }
}

/** Returns a header section with the values of one item and the headers of one response. */
export function fillHead(
  head: Head,
  { etag, lastModified, length }: HeadValues,
  headers: Readonly<Record<string, string>> | undefined,
  res: ServerResponse,
): string[] {
  const list = head.list.slice()
  for (const cookie of head.cookies) res.appendHeader('Set-Cookie', cookie) // node:http would extend a list
  if (head.etag > 0) list[head.etag] = etag ?? ''
  if (head.lastModified > 0) list[head.lastModified] = lastModified ?? ''
  if (head.length > 0) list[head.length] = String(length)
  const { names, positions } = head
  let count = 0
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (names[count] !== name) learnPosition(head, count, name)
    const position = positions[count++] ?? APPENDED
    if (position === APPENDED) list.push(name, value)
    else if (position === COOKIE) res.appendHeader(name, value)
    else if (position > 0) list[position] = mergeValue(name, list[position], value)
  }
  const vary = res.getHeader('vary')
  const link = res.getHeader('link')
  if (vary === undefined && link === undefined) return list
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index] ?? ''
    if (name.length !== 4) continue
    const earlier = VARY.test(name) ? vary : LINK.test(name) ? link : undefined
    if (earlier !== undefined) list[index + 1] = mergeValue(name, String(earlier), list[index + 1])
  }
  return list
}

/** Adds to a `Vary` or `Link`, which both have four letters. Other values are replaced. */
function mergeValue(name: string, current = '', value = ''): string {
  if (name.length !== 4) return value
  if (VARY.test(name)) return mergeVary(current, splitList(value))
  return LINK.test(name) ? `${current}, ${value}` : value
}

/** Decides once for a name where its value goes: comparing it with each one costs more. */
function learnPosition(head: Head, index: number, name: string): void {
  const isOmitted = isFramingHeader(name) || (head.length === 0 && isContentHeader(name))
  head.names[index] = name
  head.positions[index] = isOmitted ? OMITTED : SET_COOKIE.test(name) ? COOKIE : findPosition(head.list, name)
}

/** Returns the position of the value of a header, by its name in any case; 0 if it is absent. */
function findPosition(list: readonly string[], name: string): number {
  const key = name.toLowerCase()
  return list.findIndex((item, index) => index % 2 === 0 && item.toLowerCase() === key) + 1
}
