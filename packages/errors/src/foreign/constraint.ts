import type { RecognizedError } from '../classification.ts'

/** A unique constraint: another row has the value. */
export const DUPLICATE: RecognizedError = {
  status: 409,
  code: 'DUPLICATE_VALUE',
  message: 'A value that must be unique is already in use.',
}

/** Another constraint that depends on what is stored. */
export const CONFLICT: RecognizedError = { status: 409 }

/** Something else refers to what is to go. */
export const IN_USE: RecognizedError = {
  status: 409,
  code: 'IN_USE',
  message: 'Something else still refers to the resource.',
}

/** The referenced row does not exist. */
export const UNKNOWN_REFERENCE: RecognizedError = {
  status: 422,
  code: 'UNKNOWN_REFERENCE',
  message: 'The request refers to something that does not exist.',
}

/** A check constraint. */
export const VALUE_REFUSED: RecognizedError = { status: 422 }
