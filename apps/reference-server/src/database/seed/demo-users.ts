/** The users of the demo. Their passwords are public: the name, then `-demo`. */
export interface DemoUser {
  username: string
  displayName: string
  role: 'admin' | 'staff' | 'reader' | 'customer' | 'none'
  /** Which customer the user is. */
  customer?: number
  says: string
}

export const DEMO_USERS: readonly DemoUser[] = [
  { username: 'ada', displayName: 'Ada Admin', role: 'admin', says: 'every scope' },
  { username: 'adam', displayName: 'Adam Admin', role: 'admin', says: 'every scope' },
  { username: 'bob', displayName: 'Bob Staff', role: 'staff', says: 'reads all, writes business data' },
  { username: 'eve', displayName: 'Eve Reader', role: 'reader', says: 'reads all' },
  { username: 'sam', displayName: 'Sam Nobody', role: 'none', says: 'no scopes' },
  { username: 'carl', displayName: 'Carl Customer', role: 'customer', customer: 1, says: 'own orders and accounts' },
  { username: 'cora', displayName: 'Cora Customer', role: 'customer', customer: 2, says: 'own orders and accounts' },
]

/** The password of a demo user. */
export function demoPassword(username: string): string {
  return `${username}-demo`
}
