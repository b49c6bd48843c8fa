/** An answer as it is kept: what a retry gets back. */
export interface StoredResponse {
  /** HTTP status. */
  status: number
  /** Names and values in the order in which they are sent. */
  fields: readonly (readonly [name: string, value: string | readonly string[]])[]
  /** The bytes before any content coding; `undefined` where they were too many to be kept. */
  body: Uint8Array | undefined
}

/**
 * Writes an answer as one string of characters 0 to 255, which every store can keep: in memory it takes a byte a
 * character, and a column of bytes or a string of Redis holds it unchanged.
 */
export function packResponse({ status, fields, body }: StoredResponse): string {
  const head = escapeWide(JSON.stringify(body === undefined ? [status, fields] : [status, fields, 1]))
  if (body === undefined) return `${head}\n`
  // One flat string: joined ones would keep their parts, and twice the memory.
  const bytes = Buffer.allocUnsafe(head.length + 1 + body.length)
  bytes.write(`${head}\n`, 'latin1')
  bytes.set(body, head.length + 1)
  return bytes.toString('latin1')
}

/** Reads what `packResponse` wrote. */
export function unpackResponse(packed: string): StoredResponse {
  const end = packed.indexOf('\n')
  const [status, fields, hasBody] = JSON.parse(packed.slice(0, end)) as [number, StoredResponse['fields'], 1?]
  return { status, fields, body: hasBody ? Buffer.from(packed.slice(end + 1), 'latin1') : undefined }
}

// Fields of HTTP have no such characters; those of other callers may.
function escapeWide(json: string): string {
  return /[^\0-\xff]/.test(json) ? json.replace(/[^\0-\xff]/g, escape) : json
}

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
