/**
 * Whether a text is of the lexical space of xs:decimal: no exponent, no INF, digits of ASCII (XSD
 * part 2, 3.2.3).
 */
export function isDecimal(text: string): boolean {
  const sign = text.charCodeAt(0)
  let digits = 0
  let hasPoint = false
  for (let index = sign === 0x2d || sign === 0x2b ? 1 : 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x30 && code <= 0x39) digits++
    else if (code !== 0x2e || hasPoint) return false
    else hasPoint = true
  }
  return digits > 0
}

/** Compares two decimals exactly: negative, zero or positive. */
export function compareDecimals(a: string, b: string): number {
  // Up to fifteen digits a double keeps their order.
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b)
  const digits = parseDigits(a)
  const other = parseDigits(b)
  const scale = Math.max(digits.fraction.length, other.fraction.length)
  const difference = unscaled(digits, scale) - unscaled(other, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The digits that count: in total, and after the point. Leading and trailing zeros do not. */
export function countDigits(text: string): { total: number; fraction: number } {
  const point = text.indexOf('.')
  const end = point === -1 ? text.length : point
  let start = 0
  while (start < end && !(text.charCodeAt(start) > 0x30)) start++ // signs and zeros
  let last = text.length
  while (last > end && !(text.charCodeAt(last - 1) > 0x30)) last-- // the point and zeros
  const fraction = point === -1 ? 0 : Math.max(0, last - point - 1)
  return { total: Math.max(1, end - start + fraction), fraction }
}

/** Returns the text that all spellings of a decimal share. */
export function canonicalDecimal(text: string): string {
  const { negative, whole, fraction } = parseDigits(text)
  const digits = `${whole.replace(/^0+/, '')}.${fraction.replace(/0+$/, '')}`
  return negative && digits !== '.' ? `-${digits}` : digits
}

interface Digits {
  negative: boolean
  whole: string
  fraction: string
}

function parseDigits(text: string): Digits {
  const signed = text[0] === '-' || text[0] === '+'
  const [whole = '', fraction = ''] = (signed ? text.slice(1) : text).split('.')
  return { negative: text[0] === '-', whole, fraction }
}

function unscaled({ negative, whole, fraction }: Digits, scale: number): bigint {
  const value = BigInt(whole + fraction.padEnd(scale, '0') || '0')
  return negative ? -value : value
}
