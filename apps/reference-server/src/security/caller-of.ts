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
    mark: markOf({ subject, roles, scopes, userId: id, customerId }),
    scheme: 'Basic',
    clientId: undefined,
  }
}

/** Stands for everything that decides what a caller is shown: two callers with one mark see the same. */
export function markOf({
  subject,
  roles,
  scopes,
  userId,
  customerId,
}: Omit<Caller, 'name' | 'mark' | 'scheme' | 'clientId'>): string {
  const key = JSON.stringify([subject, roles, [...scopes], userId, customerId])
  let mark = marks.get(key)
  if (mark === undefined) {
    mark = createHash('sha256').update(key).digest('base64url').slice(0, 22)
    if (marks.size >= MAX_MARKS) marks.clear()
    marks.set(key, mark)
  }
  return mark
}
