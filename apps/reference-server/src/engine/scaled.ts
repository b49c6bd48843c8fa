/** How many digits an amount has at most before the decimal point: with two more it is still an exact number. */
export const MAX_WHOLE_DIGITS = 13

const DECIMAL = new RegExp(`^(-?)(\\d{1,${MAX_WHOLE_DIGITS}})(?:\\.(\\d+))?$`)

/** Reads a decimal number as an integer of its smallest unit: `10.5` with scale 2 is 1050. Exact or `undefined`. */
export function parseScaled(text: string, scale: number): number | undefined {
  const match = DECIMAL.exec(text)
  if (!match) return undefined
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > scale) return undefined
  const units = Number(`${whole}${fraction.padEnd(scale, '0')}`)
  if (!Number.isSafeInteger(units)) return undefined
  return sign && units !== 0 ? -units : units
}

/** Writes what `parseScaled` read, with all its digits: 1050 with scale 2 is `10.50`. */
export function formatScaled(units: number, scale: number): string {
  if (!Number.isSafeInteger(units)) throw new TypeError(`an amount needs whole units, got ${units}`)
  if (scale === 0) return String(units)
  const digits = String(Math.abs(units)).padStart(scale + 1, '0')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
