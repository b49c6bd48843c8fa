import { hash } from 'node:crypto'

/**
 * Returns 22 characters for a string of any length, which do not reveal it: 132 bits of SHA-256.
 */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
