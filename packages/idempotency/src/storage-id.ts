import { hash } from 'node:crypto'

/** A key and whose it is. */
export interface KeyName {
  /** Whose key it is: equal keys of two principals are two keys. */
  scope: string
  /** The key as the client sent it, without quotes. */
  key: string
}

/** Under what a store keeps a key: a hash, so that neither the key nor its principal can be read there. */
export function idOf({ scope, key }: KeyName): string {
  return hash('sha256', `${scope.length}\n${scope}${key}`, 'base64url')
}
