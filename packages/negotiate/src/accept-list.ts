import { splitList } from '../../internal/list.ts'

const MAX_LENGTH = 4096
const MAX_MEMBERS = 64

/**
 * The members of an `Accept*` field. `undefined` when the field is absent or longer than 4 KiB or 64 members:
 * such a field is taken as no preference, so that reading it can never cost more than a look at its length.
 */
export function membersOf(field: string | undefined): string[] | undefined {
  if (field === undefined || field.length > MAX_LENGTH) return undefined
  const members = splitList(field, undefined, MAX_MEMBERS + 1)
  return members.length > MAX_MEMBERS ? undefined : members
}
