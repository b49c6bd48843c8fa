import type { ListCodec } from '../schema/list-codec.ts'
import type { SoapVersion } from '../xml/names.ts'
import { formatEnvelope } from './write.ts'

/** Characters that are sent at once. */
const PIECE_LENGTH = 16_384

/** Returns the items of a value if they are an async iterable rather than an array. */
export function findItems(value: unknown, list: ListCodec | undefined): AsyncIterable<unknown> | undefined {
  if (!list || typeof value !== 'object' || value === null) return undefined
  const items = (value as Record<string, unknown>)[list.key]
  return isAsyncIterable(items) ? items : undefined
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** A message whose items are written while they are iterated. */
export interface StreamedParts {
  version: SoapVersion
  headers: readonly string[]
  value: unknown
  items: AsyncIterable<unknown>
  list: ListCodec
}

/**
 * Writes a message with its items one by one. The first item is awaited before anything is
 * returned, so that what fails until then can still become a fault. `return()` ends the iteration
 * of the items, also if nothing was read.
 */
export async function writeStream(parts: StreamedParts): Promise<AsyncGenerator<string>> {
  const pieces = writePieces(parts)
  await pieces.next()
  return pieces
}

// A character that no message contains (XML 1.0 §2.2).
const SEAM = '\0'

/** Returns an empty piece when the first item is written, and then the message. */
async function* writePieces({ version, headers, value, items, list }: StreamedParts): AsyncGenerator<string> {
  const { open, close } = list.encode(Object.assign({}, value, { [list.key]: undefined }))
  const [before = '', after = ''] = formatEnvelope({ version, headers, body: SEAM }).split(SEAM)
  let piece = before + open
  let count = 0
  for await (const item of items) {
    if (++count > list.max) throw new TypeError(`soap-envelope: ${list.key} must have ${list.max} items or fewer`)
    piece += list.encodeItem(item)
    if (count === 1) yield ''
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  if (count < list.min) throw new TypeError(`soap-envelope: ${list.key} must have ${list.min} items or more`)
  if (count === 0) yield ''
  yield piece + close + after
}

/** Iterates an array as a stream of its items. */
export async function* iterateItems(items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items
}
