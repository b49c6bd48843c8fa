import { randomBytes } from 'node:crypto'

const SUBJECT = /^user:[0-9a-f]{32}$/

/**
 * Creates the subject of a new user: what tokens, keys, limits and operations know the user by. It is random, so that
 * no other user ever has it: not after a rename, a deletion, a restored backup or a new database.
 */
export function createSubject(): string {
  return `user:${randomBytes(16).toString('hex')}`
}

/** Whether a subject has the form of those that this service gives to its users. */
export function isUserSubject(subject: string): boolean {
  return SUBJECT.test(subject)
}
