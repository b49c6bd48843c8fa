import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Representation } from '@svc/negotiate'
import { decodeBody } from '@svc/negotiate/decode'
import { splitList } from '@svc/negotiate/headers'
import type { MaybePromise } from '../database/maybe-promise.ts'
import { failure } from '../messages/errors.ts'

const MAX_BYTES = 1024 * 1024
const MAX_DECODED_BYTES = 4 * MAX_BYTES
const EMPTY = Buffer.alloc(0)
const PARSED = Promise.resolve()

/**
 * Reads the whole body and decodes it. Rejects a body that is too large (413), incomplete or
 * corrupt (400).
 */
export function readBody(req: IncomingMessage, res: ServerResponse): MaybePromise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': transferEncoding, expect } = req.headers
  if (transferEncoding === undefined && (length === undefined || length === '0')) {
    checkDigests(req, EMPTY)
    return EMPTY
  }
  if (Number(length ?? 0) > MAX_BYTES) throw tooLarge()
  if (expect !== undefined) res.writeContinue()
  return readContent(req, Number(length))
}

async function readContent(req: IncomingMessage, length: number): Promise<Buffer> {
  // A short body arrives together with its head, and has been parsed when the tick is over: the
  // events of the stream would cost more. In a stream that flows, others take a part of it.
  if (req.readableLength !== length) await PARSED
  const early: Buffer | null = req.readableLength === length && req.readableFlowing === null ? req.read() : null
  if (early) req.resume()
  const bytes = early ?? (await readChunks(req))
  const { 'content-digest': content, 'repr-digest': repr, 'content-encoding': encoding } = req.headers
  // Those of a chunked body may follow it.
  if (!early || content !== undefined || repr !== undefined) checkDigests(req, bytes)
  return encoding === undefined
    ? bytes
    : Buffer.from(await decodeBody(bytes, encoding, { maxBytes: MAX_DECODED_BYTES }))
}

async function readChunks(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > MAX_BYTES) break
      chunks.push(chunk)
    }
  } catch {
    throw failure('BODY_INCOMPLETE')
  }
  if (size <= MAX_BYTES) return Buffer.concat(chunks, size)
  // The error handler reads the rest within bounds.
  req.resume()
  throw tooLarge()
}

function tooLarge(): Error {
  return failure('BODY_TOO_LARGE.limit', { maxBytes: MAX_BYTES })
}

const DIGEST = /^(sha-256|sha-512)=:([A-Za-z0-9+/]*={0,2}):(?:;.*)?$/
const WISH = /^(sha-256|sha-512)=([1-9]|10)$/

/**
 * Rejects content that does not match its digests (RFC 9530): 400. A whole request is its own
 * representation, so both headers describe the same bytes. They may follow a chunked body as
 * trailers. Broken algorithms are ignored.
 */
function checkDigests({ headers, trailers }: IncomingMessage, content: Buffer): void {
  for (const name of ['content-digest', 'repr-digest']) {
    const field = headers[name] ?? trailers[name]
    if (field === undefined) continue
    for (const member of splitList(String(field), { maxItems: 10 })) {
      const [, algorithm = '', text = ''] = DIGEST.exec(member) ?? []
      if (algorithm === '') continue
      const [given, actual] = [Buffer.from(text, 'base64'), digest(algorithm, content)]
      if (given.length === actual.length && timingSafeEqual(given, actual)) continue
      throw failure('DIGEST_MISMATCH.algorithm', { algorithm })
    }
  }
}

/**
 * Adds the digests that the client wants to a representation (RFC 9530 §4). The body is then
 * computed immediately and not compressed.
 */
export async function withDigests(
  { headers }: IncomingMessage,
  representation: Representation,
): Promise<Representation> {
  const [repr, content] = [wanted(headers['want-repr-digest']), wanted(headers['want-content-digest'])]
  const body = typeof representation.body === 'function' ? await representation.body() : representation.body
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (!(bytes instanceof Uint8Array)) return { ...representation, body }
  const digests = {
    ...(repr !== undefined && { 'Repr-Digest': computeDigest(repr, bytes) }),
    ...(content !== undefined && { 'Content-Digest': computeDigest(content, bytes) }),
  }
  return { ...representation, body: bytes, compress: false, headers: { ...representation.headers, ...digests } }
}

/**
 * Returns the supported algorithm that a client prefers. The preference 0 excludes an algorithm.
 */
function wanted(field: string | string[] | undefined): string | undefined {
  if (field === undefined) return undefined
  const wishes = splitList(String(field), { maxItems: 10 }).flatMap((member) => {
    const [, algorithm = '', preference] = WISH.exec(member) ?? []
    return algorithm === '' ? [] : [{ algorithm, preference: Number(preference) }]
  })
  return wishes.sort((a, b) => b.preference - a.preference)[0]?.algorithm
}

function computeDigest(algorithm: string, bytes: Uint8Array): string {
  return `${algorithm}=:${digest(algorithm, bytes).toString('base64')}:`
}

function digest(algorithm: string, bytes: Uint8Array): Buffer {
  return hash(algorithm.replace('-', ''), bytes, 'buffer')
}
