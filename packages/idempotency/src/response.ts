/** An answer as it is kept: what a retry gets back. */
export interface StoredResponse {
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
  const head = JSON.stringify(body === undefined ? [status, fields] : [status, fields, 1])
  return `${head}\n${body === undefined ? '' : viewOf(body).toString('latin1')}`
}

/** Reads what `packResponse` wrote. */
export function unpackResponse(packed: string): StoredResponse {
  const end = packed.indexOf('\n')
  const [status, fields, hasBody] = JSON.parse(packed.slice(0, end)) as [number, StoredResponse['fields'], 1?]
  return { status, fields, body: hasBody ? Buffer.from(packed.slice(end + 1), 'latin1') : undefined }
}

function viewOf(body: Uint8Array): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
