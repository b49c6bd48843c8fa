/**
 * A regular expression of XSD (part 2, appendix F) as one of JavaScript: anchored at both ends, `^` and `$` are
 * characters, `\i` and `\c` are those of names, `[a-z-[aeiou]]` subtracts. Throws a SyntaxError on what is neither.
 */
export function translatePattern(pattern: string): RegExp {
  let out = ''
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at)
    if (char === '\\') {
      at++
      out += escapeOf(pattern.charAt(at), depth > 0)
    } else if (char === '[') {
      const subtracts = depth > 0 && out.endsWith('-')
      out = subtracts ? `${out}-[` : `${out}[`
      depth++
    } else if (char === ']') {
      out += ']'
      depth--
    } else if (depth === 0 && (char === '^' || char === '$' || char === '/')) {
      out += `\\${char}`
    } else if (depth > 0 && '(){}/|&!#%,:;<=>@`~*+.?'.includes(char)) {
      out += `\\${char}` // the flag v reserves them inside a class
    } else {
      out += char
    }
  }
  return new RegExp(`^(?:${unionsOf(out)})$`, 'v')
}

const NAME_START = '\\p{L}_:'
const NAME = '\\p{L}\\p{N}\\p{M}_:.·\\-'

function escapeOf(char: string, inClass: boolean): string {
  const wrap = (set: string, negated: boolean): string => (negated ? `[^${set}]` : inClass ? set : `[${set}]`)
  switch (char) {
    case 'i':
      return wrap(NAME_START, false)
    case 'I':
      return wrap(NAME_START, true)
    case 'c':
      return wrap(NAME, false)
    case 'C':
      return wrap(NAME, true)
    case 'd':
      return '\\p{Nd}'
    case 'D':
      return '\\P{Nd}'
    default:
      return `\\${char}`
  }
}

// The flag v wants both sides of `--` to be single operands: `[a-z0-9--[5]]` is `[[a-z0-9]--[5]]`.
function unionsOf(pattern: string): string {
  return pattern.replace(/\[((?:[^[\]\\]|\\.)*)--\[/g, (_, left: string) =>
    left.startsWith('^') ? `[[^${left.slice(1)}]--[` : `[[${left}]--[`,
  )
}
