import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Representation } from '@svc/negotiate'
import { splitList } from '@svc/negotiate/headers'
import { failure } from '../messages/errors.ts'

const HASHES: Readonly<Record<string, string>> = { 'sha-512': 'sha512', 'sha-256': 'sha256' }
const DIGEST = /^(sha-256|sha-512)=:([A-Za-z0-9+/]*={0,2}):(?:;.*)?$/
const WISH = /^(sha-256|sha-512)=([1-9]|10)$/

/**
 * Refuses content that is not what its digests say (RFC 9530): 400. A whole request is its own representation, so both
 * fields are about the same bytes; they may come behind a body in chunks. Algorithms that are broken are not looked at.
 */
export function checkDigests({ headers, trailers }: IncomingMessage, content: Buffer): void {
  for (const name of ['content-digest', 'repr-digest']) {
    const field = headers[name] ?? trailers[name]
    if (field === undefined) continue
    for (const member of splitList(String(field), { limit: 10 })) {
      const [, algorithm = '', text = ''] = DIGEST.exec(member) ?? []
      if (algorithm === '') continue
      const [given, actual] = [Buffer.from(text, 'base64'), hash(algorithm, content)]
      if (given.length === actual.length && timingSafeEqual(given, actual)) continue
      throw failure('DIGEST_MISMATCH.algorithm', { algorithm })
    }
  }
}

/** Whether a client asks for digests at all. */
export function wantsDigests({ headers }: IncomingMessage): boolean {
  return headers['want-repr-digest'] !== undefined || headers['want-content-digest'] !== undefined
}

/** The representation with the digests that the client wants (RFC 9530 4). Then it has no coding, and is made now. */
export async function withDigests(
  { headers }: IncomingMessage,
  representation: Representation,
): Promise<Representation> {
  const [repr, content] = [wanted(headers['want-repr-digest']), wanted(headers['want-content-digest'])]
  const body = typeof representation.body === 'function' ? await representation.body() : representation.body
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (!(bytes instanceof Uint8Array)) return { ...representation, body }
  const digests = {
    ...(repr !== undefined && { 'Repr-Digest': digestOf(repr, bytes) }),
    ...(content !== undefined && { 'Content-Digest': digestOf(content, bytes) }),
  }
  return { ...representation, body: bytes, compress: false, headers: { ...representation.headers, ...digests } }
}

/** The algorithm that a client likes best, of those that are made; 0 is none at all. */
function wanted(field: string | string[] | undefined): string | undefined {
  if (field === undefined) return undefined
  const wishes = splitList(String(field), { limit: 10 }).flatMap((member) => {
    const [, algorithm = '', preference] = WISH.exec(member) ?? []
    return algorithm === '' ? [] : [{ algorithm, preference: Number(preference) }]
  })
  return wishes.sort((a, b) => b.preference - a.preference)[0]?.algorithm
}

function digestOf(algorithm: string, bytes: Uint8Array): string {
  return `${algorithm}=:${hash(algorithm, bytes).toString('base64')}:`
}

function hash(algorithm: string, bytes: Uint8Array): Buffer {
  return createHash(HASHES[algorithm] ?? 'sha256')
    .update(bytes)
    .digest()
}
