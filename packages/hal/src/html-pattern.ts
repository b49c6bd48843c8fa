// What a class may hold unescaped under the `u` flag of JSON Schema, but not under HTML's `v` flag.
const RESERVED_IN_CLASS = '(){}/|['
const DOUBLED = '&!#$%*+,.:;<=>?@^`~'

/**
 * Turns a pattern of JSON Schema, which may match anywhere in a value, into one of HTML, which must match the whole and
 * is compiled with the `v` flag: `^[A-Z-]+$` becomes `^[A-Z\-]+$`, `abc` becomes `.*(?:abc).*`.
 */
export function htmlPattern(pattern: string): string {
  const { text, hasAlternatives } = rewrite(pattern)
  const isAnchored = text.startsWith('^') && /(?:^|[^\\])(?:\\\\)*\$$/.test(text)
  // With alternatives, each anchor belongs to one of them alone.
  return isAnchored && !hasAlternatives ? text : `.*(?:${text}).*`
}

function rewrite(pattern: string): { text: string; hasAlternatives: boolean } {
  let text = ''
  let depth = 0
  let hasAlternatives = false
  for (let at = 0; at < pattern.length; ) {
    const char = pattern.charAt(at)
    const end = char === '\\' ? at + 2 : char === '[' ? findClassEnd(pattern, at) : at + 1
    const piece = pattern.slice(at, end)
    text += char === '[' ? rewriteClass(piece) : piece
    if (piece === '(') depth++
    else if (piece === ')') depth--
    else if (piece === '|' && depth === 0) hasAlternatives = true
    at = end
  }
  return { text, hasAlternatives }
}

function findClassEnd(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === ']') return at + 1
  }
  return pattern.length
}

function rewriteClass(piece: string): string {
  const open = piece.startsWith('[^') ? 2 : 1
  const last = piece.length - 2
  let text = piece.slice(0, open)
  for (let at = open; at <= last; at++) {
    const char = piece.charAt(at)
    const isHyphen = char === '-' && (at === open || at === last)
    const isDoubled = DOUBLED.includes(char) && char === piece[at - 1] && at > open
    if (char === '\\') text += piece.slice(at, ++at + 1)
    else text += isHyphen || isDoubled || RESERVED_IN_CLASS.includes(char) ? `\\${char}` : char
  }
  return text + piece.slice(Math.max(last + 1, open))
}
