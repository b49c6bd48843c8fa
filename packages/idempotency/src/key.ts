import { hash, randomUUID } from 'node:crypto'
import { createArgumentError } from '../../internal/options.ts'
import type { Claim } from './state.ts'

const MAX_LENGTH = 255
const STRING = /"(?:[ !#-[\]-~]|\\["\\])*"/
const OTHER_ITEM =
  /%"(?:[ !#$&-~]|%[\da-f]{2})*"|:[A-Za-z0-9+/]*={0,2}:|\?[01]|@?-?\d{1,15}(?:\.\d{1,3})?|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/
// RFC 9651 §4.2.3.2: parameters are ignored, but must be well-formed.
const PARAMETER = `; *[a-z*][a-z0-9_.*-]*(?:=(?:${STRING.source}|${OTHER_ITEM.source}))?`
const QUOTED = new RegExp(`^[ \\t]*(${STRING.source})(?:${PARAMETER})*[ \\t]*$`)
const BARE = /^[ \t]*([!#-+\--:<-~]+)[ \t]*$/

/**
 * Parses the header Idempotency-Key: a structured-field string (`"8e03"`, parameters ignored, RFC
 * 9651 §4.2.5) or, unless `strict`, the same without quotes (`8e03`), as most clients send it. Both
 * forms are the same key. Returns `undefined` if the key is empty, longer than 255 characters or
 * malformed, or if there are several.
 */
export function parseIdempotencyKey(value: string, strict = false): string | undefined {
  if (typeof value !== 'string')
    throw createArgumentError('idempotency: parseIdempotencyKey', 'value', 'a string', value)
  const quoted = QUOTED.exec(value)?.[1]
  if (!quoted && strict) return undefined
  // A structured-field string has fewer escapes than a JSON string, and they mean the same.
  const key = quoted ? String(JSON.parse(quoted)) : BARE.exec(value)?.[1]
  return key && key.length <= MAX_LENGTH ? key : undefined
}

/** A key and its owner. */
export interface ScopedKey {
  /** Owner of the key, such as the user: equal keys of two owners are two keys. */
  scope: string
  /** The key as the client sent it, without quotes. */
  key: string
}

/** Bytes of a storage id. The index of an SQL store is half as large as with all 32. */
const ID_BYTES = 18

/**
 * Returns the id under which a store keeps a key: a hash, so that neither the key nor its owner can
 * be read there.
 */
export function createStorageId({ scope, key }: ScopedKey): string {
  // A text of its own: a slice would keep the whole digest in memory.
  return btoa(hash('sha256', `${scope.length}\n${scope}${key}`, 'binary').slice(0, ID_BYTES))
}

/** Creates the function that builds the claims of an engine, each with an owner of its own. */
export function createClaimBuilder(terms: Omit<Claim, 'fingerprint' | 'owner'>): (fingerprint: string) => Claim {
  const { leaseMs, ttlMs, onLeaseExpired } = terms
  const prefix = randomUUID()
  let attempts = 0
  return (fingerprint) => ({ fingerprint, owner: `${prefix}.${++attempts}`, leaseMs, ttlMs, onLeaseExpired })
}
