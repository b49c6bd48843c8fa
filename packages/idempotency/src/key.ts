import { hash, randomBytes } from 'node:crypto'
import { trim } from '../../internal/list.ts'
import { createArgumentError } from '../../internal/options.ts'
import type { Claim } from './state.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const SEMICOLON = 0x3b
const BACKSLASH = 0x5c
const MAX_LENGTH = 255
const SPACE_AROUND = /^[ \t]|[ \t]$/
const STRING = /"(?:[ !#-[\]-~]|\\["\\])*"|%"(?:[ !#$&-~]|%[\da-f]{2})*"/
const OTHER_ITEM = /:[A-Za-z0-9+/]*={0,2}:|\?[01]|@?-?\d{1,15}(?:\.\d{1,3})?|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/
const PARAMETERS = new RegExp(`^(?:; *[a-z*][a-z0-9_.*-]*(?:=(?:${STRING.source}|${OTHER_ITEM.source}))?)*$`)

/**
 * Parses the header Idempotency-Key: a structured-field string (`"8e03"`, parameters ignored, RFC
 * 9651 §4.2.5) or, unless `strict`, the same without quotes (`8e03`), as most clients send it. Both
 * forms are the same key. Returns `undefined` if the key is empty, longer than 255 characters or
 * malformed, or if there are several.
 */
export function parseIdempotencyKey(value: string, strict = false): string | undefined {
  if (typeof value !== 'string')
    throw createArgumentError('idempotency: parseIdempotencyKey', 'value', 'a string', value)
  const text = SPACE_AROUND.test(value) ? trim(value, 0, value.length) : value
  if (text.charCodeAt(0) === QUOTE) return readQuoted(text)
  if (strict || text.length === 0 || text.length > MAX_LENGTH) return undefined
  for (let offset = 0; offset < text.length; offset++) {
    const char = text.charCodeAt(offset)
    if (char <= 0x20 || char >= 0x7f || char === QUOTE || char === COMMA || char === SEMICOLON) return undefined
  }
  return text
}

function readQuoted(text: string): string | undefined {
  let key = ''
  let from = 1
  for (let offset = 1; offset < text.length; offset++) {
    const char = text.charCodeAt(offset)
    if (char < 0x20 || char >= 0x7f) return undefined
    if (char === QUOTE) {
      key += text.slice(from, offset)
      // RFC 9651 §4.2.3.2: parameters are ignored, but must be well-formed.
      return key.length > 0 && key.length <= MAX_LENGTH && PARAMETERS.test(text.slice(offset + 1)) ? key : undefined
    }
    if (char === BACKSLASH) {
      const escaped = text.charCodeAt(offset + 1)
      if (escaped !== QUOTE && escaped !== BACKSLASH) return undefined
      key += text.slice(from, offset)
      from = offset + 1
      offset++
    }
  }
  return undefined
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
  const prefix = `${randomBytes(9).toString('base64url')}.`
  let attempts = 0
  return (fingerprint) => ({ fingerprint, owner: prefix + ++attempts, leaseMs, ttlMs, onLeaseExpired })
}
