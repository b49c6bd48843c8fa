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
  readonly etag: number
  readonly lastModified: number
  readonly length: number
  /** Names of the headers that the last response added, which the next one mostly has too. */
  readonly names: string[]
  /** The position of each of them in the list, or `APPENDED` or `OMITTED`. */
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
const REPEATABLE = /^(?:link|set-cookie)$/i

/** Compiles a header section. Its own values are placeholders. */
export function compileHead(headers: OutgoingHttpHeaders, { etag, lastModified }: HeadValues): Head {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) list.push(name, String(item))
  }
  return {
    list,
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
    else if (position > 0) list[position] = VARY.test(name) ? mergeVary(list[position] ?? '', splitList(value)) : value
  }
  const vary = res.getHeader('vary')
  if (vary === undefined) return list
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index] ?? ''
    if (name.length !== 4 || !VARY.test(name)) continue
    list[index + 1] = mergeVary(String(vary), (list[index + 1] ?? '').split(', '))
  }
  return list
}

/** Decides once for a name where its value goes: comparing it with each one costs more. */
function learnPosition(head: Head, index: number, name: string): void {
  const isOmitted = isFramingHeader(name) || (head.length === 0 && isContentHeader(name))
  head.names[index] = name
  head.positions[index] = isOmitted ? OMITTED : REPEATABLE.test(name) ? APPENDED : findPosition(head.list, name)
}

/** Returns the position of the value of a header, by its name in any case; 0 if it is absent. */
function findPosition(list: readonly string[], name: string): number {
  const key = name.toLowerCase()
  return list.findIndex((item, index) => index % 2 === 0 && item.toLowerCase() === key) + 1
}
