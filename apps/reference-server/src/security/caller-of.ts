import { createHash } from 'node:crypto'
import type { Caller } from './caller.ts'
import { scopesOf } from './scopes.ts'
import type { UserRecord } from './users.ts'

const marks = new Map<string, string>()
const MAX_MARKS = 1000

/** The caller that a user of ours is. */
export function callerOfUser({ id, subject, username, roles, customerId }: UserRecord): Caller {
  const scopes = scopesOf(roles)
  return {
    subject,
    name: username,
    userId: id,
    customerId,
    roles,
    scopes,
    mark: markOf(subject, roles, scopes),
    scheme: 'Basic',
    clientId: undefined,
  }
}

/** Stands for everything that decides which links a caller is offered. */
export function markOf(subject: string, roles: readonly string[], scopes: ReadonlySet<string>): string {
  const key = `${subject}\n${roles.join()}\n${[...scopes].join()}`
  let mark = marks.get(key)
  if (mark === undefined) {
    mark = createHash('sha256').update(key).digest('base64url').slice(0, 8)
    if (marks.size >= MAX_MARKS) marks.clear()
    marks.set(key, mark)
  }
  return mark
}
