// Characters that a class may contain unescaped with the flag `u` of JSON Schema, but not with `v`
// of HTML.
const RESERVED_IN_CLASS = '(){}/|['
const ESCAPE = /^\\(?:[pPu]\{[^}]*\}|.)/s
const SET = /^\\[dDwWsSpP]/
const DOUBLED = '&!#$%*+,.:;<=>?@^`~'

/**
 * Converts a pattern of JSON Schema, which may match anywhere in a value, to one of HTML, which
 * must match the whole value and is compiled with the flag `v`: `^[A-Z-]+$` becomes `^[A-Z\-]+$`,
 * `abc` becomes `.*(?:abc).*`. Returns `undefined` for one that HTML has no form of.
 */
export function toHtmlPattern(pattern: string): string | undefined {
  const { text, hasAlternatives } = rewritePattern(pattern)
  const isAnchored = text.startsWith('^') && /(?:^|[^\\])(?:\\\\)*\$$/.test(text)
  // With alternatives, each anchor belongs to only one of them.
  const whole = isAnchored && !hasAlternatives ? text : `.*(?:${text}).*`
  return isPattern(whole) ? whole : undefined
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'v') !== undefined
  } catch {
    return false
  }
}

function rewritePattern(pattern: string): { text: string; hasAlternatives: boolean } {
  let text = ''
  let depth = 0
  let hasAlternatives = false
  for (let index = 0; index < pattern.length; ) {
    const char = pattern.charAt(index)
    const end = char === '\\' ? index + 2 : char === '[' ? findClassEnd(pattern, index) : index + 1
    const piece = pattern.slice(index, end)
    text += char === '[' ? rewriteClass(piece) : piece
    if (piece === '(') depth++
    else if (piece === ')') depth--
    else if (piece === '|' && depth === 0) hasAlternatives = true
    index = end
  }
  return { text, hasAlternatives }
}

function findClassEnd(pattern: string, start: number): number {
  for (let index = start + 1; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++
    else if (pattern[index] === ']') return index + 1
  }
  return pattern.length
}

function rewriteClass(piece: string): string {
  const open = piece.startsWith('[^') ? 2 : 1
  const last = piece.length - 2
  let text = piece.slice(0, open)
  for (let index = open; index <= last; index++) {
    const char = piece.charAt(index)
    if (char === '\\') {
      const escape = ESCAPE.exec(piece.slice(index))?.[0] ?? char
      text += escape
      index += escape.length - 1
      // Behind a set of characters a hyphen is itself: `[\w-.]`.
      if (piece[index + 1] === '-' && SET.test(escape)) {
        text += '\\-'
        index++
      }
      continue
    }
    const isHyphen = char === '-' && (index === open || index === last)
    const isDoubled = DOUBLED.includes(char) && char === piece[index - 1] && index > open
    text += isHyphen || isDoubled || RESERVED_IN_CLASS.includes(char) ? `\\${char}` : char
  }
  return text + piece.slice(Math.max(last + 1, open))
}
