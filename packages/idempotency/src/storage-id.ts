import { hash } from 'node:crypto'

/** A key and its owner. */
export interface ScopedKey {
  /** Owner of the key, such as the user: equal keys of two owners are two keys. */
  scope: string
  /** The key as the client sent it, without quotes. */
  key: string
}

/**
 * Returns the id under which a store keeps a key: a hash, so that neither the key nor its owner can
 * be read there.
 */
export function createStorageId({ scope, key }: ScopedKey): string {
  return hash('sha256', `${scope.length}\n${scope}${key}`, 'base64url')
}
