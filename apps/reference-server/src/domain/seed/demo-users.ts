import type { HashAlgorithm } from '../../engine/index.ts'
import passwordHashes from './password-hashes.json' with { type: 'json' }

/** The users of the demo. Their passwords are public: the name, then `-demo`. */
export interface DemoUser {
  username: string
  displayName: string
  role: 'admin' | 'staff' | 'reader' | 'customer' | 'none'
  /** Id of the customer that the user is. */
  customer?: number
}

export const DEMO_USERS: readonly DemoUser[] = [
  { username: 'ada', displayName: 'Ada Admin', role: 'admin' },
  { username: 'adam', displayName: 'Adam Admin', role: 'admin' },
  { username: 'bob', displayName: 'Bob Staff', role: 'staff' },
  { username: 'eve', displayName: 'Eve Reader', role: 'reader' },
  { username: 'sam', displayName: 'Sam Nobody', role: 'none' },
  { username: 'carl', displayName: 'Carl Customer', role: 'customer', customer: 1 },
  { username: 'cora', displayName: 'Cora Customer', role: 'customer', customer: 2 },
]

export function demoPassword(username: string): string {
  return `${username}-demo`
}

/** Hashes of the demo passwords by username. Hashing at startup would take 60 MiB and 0.4 s. */
export const DEMO_PASSWORD_HASHES: Readonly<Record<string, Record<HashAlgorithm, string>>> = passwordHashes

/** Returns the hashes that no password may have: without the demo, those of its passwords. */
export function disabledHashes({ demo }: { demo: boolean }): readonly string[] {
  return demo ? [] : Object.values(DEMO_PASSWORD_HASHES).flatMap((hashes) => Object.values(hashes))
}
