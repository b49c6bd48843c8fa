import type { OutgoingHttpHeaders } from 'node:http'

/**
 * A header section as a list of names and values, with the positions of values that differ between
 * items.
 */
export interface Head {
  readonly list: readonly string[]
  readonly etag: number
  readonly lastModified: number
  readonly length: number
}

/** The values of one item; `undefined` where its section has none. */
export interface HeadValues {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly length: number
}

/** Compiles a header section. Its own values are placeholders. */
export function compileHead(headers: OutgoingHttpHeaders, { etag, lastModified }: HeadValues): Head {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) list.push(name, String(item))
  }
  const find = (name: string): number => list.findIndex((item, index) => index % 2 === 0 && item === name) + 1
  return {
    list,
    etag: etag === undefined ? 0 : find('ETag'),
    lastModified: lastModified === undefined ? 0 : find('Last-Modified'),
    length: find('Content-Length'),
  }
}
