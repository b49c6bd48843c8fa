import type { Finding } from '../classify.ts'

/** A unique constraint: somebody else has the value. */
export const DUPLICATE: Finding = {
  status: 409,
  code: 'DUPLICATE_VALUE',
  message: 'A value that must be unique is already in use.',
}

/** Another constraint that depends on what is stored. */
export const CONFLICT: Finding = { status: 409 }

/** Something else refers to what is to go. */
export const IN_USE: Finding = { status: 409, code: 'IN_USE', message: 'Something else still refers to the resource.' }

/** What is referred to does not exist. */
export const UNKNOWN_REFERENCE: Finding = {
  status: 422,
  code: 'UNKNOWN_REFERENCE',
  message: 'The request refers to something that does not exist.',
}

/** A check constraint. */
export const VALUE_REFUSED: Finding = { status: 422 }
