/**
 * Turns a pattern of JSON Schema, which may match anywhere in a value, into one of HTML, which must match the whole:
 * `^[A-Z]+$` stays, `abc` becomes `.*(?:abc).*`.
 */
export function htmlPattern(pattern: string): string {
  const isAnchored = pattern.startsWith('^') && /(?:^|[^\\])(?:\\\\)*\$$/.test(pattern)
  return isAnchored && !hasAlternatives(pattern) ? pattern : `.*(?:${pattern}).*`
}

/** Whether a `|` stands outside of every group and class: then the anchors belong to one alternative each. */
function hasAlternatives(pattern: string): boolean {
  let depth = 0
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '\\') at++
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth === 0) return true
  }
  return false
}
