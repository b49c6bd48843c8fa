import type { RecognizedError } from '../classification.ts'

/** A unique constraint: another row has the value. */
export const DUPLICATE: RecognizedError = {
  status: 409,
  code: 'DUPLICATE_VALUE',
  message: 'A value that must be unique is already in use.',
}

/** Another constraint that depends on stored data. */
export const CONFLICT: RecognizedError = { status: 409 }

/** A foreign key: another row references the row to delete. */
export const IN_USE: RecognizedError = {
  status: 409,
  code: 'IN_USE',
  message: 'The resource is still referenced by another one.',
}

/** A foreign key: the referenced row does not exist. */
export const UNKNOWN_REFERENCE: RecognizedError = {
  status: 422,
  code: 'UNKNOWN_REFERENCE',
  message: 'The request refers to something that does not exist.',
}

/** A check constraint. */
export const VALUE_REJECTED: RecognizedError = { status: 422 }
