const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const STRICT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Parses a weight into thousandths, so that weights compare as integers (RFC 9110 §12.4.2).
 * Leniently: any number of digits, of which three count; above 1 is 1. Returns `undefined` for
 * anything else.
 */
export function parseQuality(text: string, strict = false): number | undefined {
  if (strict && !STRICT.test(text)) return undefined
  let whole = 0
  let digits = 0
  let offset = 0
  for (; offset < text.length && isDigit(text.charCodeAt(offset)); offset++, digits++) {
    if (whole < 1000) whole = whole * 10 + text.charCodeAt(offset) - ZERO
  }
  let thousandths = 0
  if (text.charCodeAt(offset) === DOT) {
    let unit = 100
    for (offset++; offset < text.length && isDigit(text.charCodeAt(offset)); offset++, digits++) {
      thousandths += unit * (text.charCodeAt(offset) - ZERO)
      unit = unit === 1 ? 0 : unit / 10
    }
  }
  if (offset < text.length || digits === 0) return undefined
  return Math.min(1000, whole * 1000 + thousandths)
}

function isDigit(char: number): boolean {
  return char >= ZERO && char <= NINE
}
