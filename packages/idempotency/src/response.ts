/** A stored response, which retries get. */
export interface StoredResponse {
  /** HTTP status. */
  status: number
  /** Names and values in the order in which they are sent. */
  headers: readonly (readonly [name: string, value: string | readonly string[]])[]
  /** The bytes before compression; `undefined` if there were too many to store. */
  body: Uint8Array | undefined
}

/**
 * Packs a response into one string of characters 0 to 255 for any store: in memory it takes one
 * byte per character, and a column of bytes or a Redis string stores it unchanged. It is the
 * status and the headers as JSON, and a line break with the body, if there is one.
 */
export function packResponse({ status, headers, body }: StoredResponse): string {
  const json = JSON.stringify([status, headers])
  // HTTP headers have no characters past 255; those of other callers may.
  const head = WIDE.test(json) ? json.replaceAll(EVERY_WIDE, escape) : json
  if (body === undefined) return head
  // One flat string: a concatenated one would keep its parts, and twice the memory.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  return [head, bytes.toString('latin1')].join('\n')
}

/** Unpacks what `packResponse` returned. */
export function unpackResponse(packed: string): StoredResponse {
  const lineBreak = packed.indexOf('\n')
  const [status, headers] = JSON.parse(lineBreak === -1 ? packed : packed.slice(0, lineBreak)) as Head
  const body = lineBreak === -1 ? undefined : Buffer.from(packed.slice(lineBreak + 1), 'latin1')
  return { status, headers, body }
}

type Head = [status: StoredResponse['status'], headers: StoredResponse['headers']]

const WIDE = /[^\0-\xff]/
const EVERY_WIDE = /[^\0-\xff]/g

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
