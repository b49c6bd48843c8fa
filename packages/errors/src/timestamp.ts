// The last result, complete and up to the second. Date#toISOString costs as much as the rest of a
// record, errors come in bursts, and the result depends only on the time.
let lastMs = Number.NaN
let lastText = ''
let lastSecond = Number.NaN
let untilSecond = ''

/**
 * Formats milliseconds since 1970 by RFC 3339, in UTC with milliseconds. Throws a `RangeError` for
 * an invalid time.
 */
export function formatTimestamp(ms: number): string {
  if (ms === lastMs) return lastText
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    untilSecond = new Date(second * 1000).toISOString().slice(0, -4)
    lastSecond = second
  }
  const rest = Math.floor(ms) - second * 1000
  // `join` returns a flat string, which JSON.stringify serializes several times faster.
  lastText = [untilSecond, String(rest).padStart(3, '0'), 'Z'].join('')
  lastMs = ms
  return lastText
}
