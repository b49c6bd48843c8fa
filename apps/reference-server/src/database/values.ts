/** Value of a column. */
export type Stored = string | number | bigint | null

/** Value that a statement is given: bytes are stored by packages with tables of their own. */
export type SqlValue = Stored | Uint8Array

/** A 64-bit id: a number if that is exact, else its digits. */
export type Id = number | string

const MAX_LONG = 2n ** 63n - 1n
/** The digits of an id; at most 2^63 - 1 is not checked. */
export const ID_DIGITS = /^[1-9]\d{0,18}$/

/** Parses a 64-bit id. Returns `undefined` for any other text. */
export function idOf(digits: string): Id | undefined {
  if (!ID_DIGITS.test(digits)) return undefined
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  return BigInt(digits) > MAX_LONG ? undefined : digits
}
