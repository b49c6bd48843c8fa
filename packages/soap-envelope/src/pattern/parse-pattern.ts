import { NCNAME, NCNAME_START } from '../xml/names.ts'
import { findBlock } from './unicode-blocks.ts'

/**
 * A part of a regular expression: one character of a class, a sequence, alternatives, or a
 * repetition.
 */
export type PatternNode =
  | { readonly kind: 'class'; readonly set: RegExp }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | RepeatNode

export interface RepeatNode {
  readonly kind: 'repeat'
  readonly part: PatternNode
  readonly min: number
  readonly max: number
}

/**
 * Parses a regular expression of XSD (part 2, appendix F). It has no anchors, no groups that
 * capture, no lazy quantifiers and no assertions. Throws a TypeError with the position of the first
 * character that does not belong.
 */
export function parsePattern(pattern: string): PatternNode {
  const state: State = { chars: [...pattern], at: 0, pattern }
  const node = parseChoice(state)
  if (state.at < state.chars.length) throw unexpected(state)
  return node
}

interface State {
  readonly pattern: string
  readonly chars: readonly string[]
  at: number
}

// What `\i`, `\c` and `\w` mean, as the inside of a character class (XML 1.0 §2.3, XSD part 2,
// F.1.1).
const NAME_START = `:${NCNAME_START}`
const NAME = `:${NCNAME}`
const CLASSES: Readonly<Record<string, string>> = {
  s: ' \\t\\n\\r',
  i: NAME_START,
  c: NAME,
  d: '\\p{Nd}',
}
const NOT_WORD = '\\p{P}\\p{Z}\\p{C}'
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const CATEGORY = /^(L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/

function parseChoice(state: State): PatternNode {
  const parts = [parseSequence(state)]
  while (take(state, '|')) parts.push(parseSequence(state))
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts }
}

function parseSequence(state: State): PatternNode {
  const parts: PatternNode[] = []
  for (let char = peek(state); char !== undefined && char !== '|' && char !== ')'; char = peek(state))
    parts.push(parseQuantified(state))
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts }
}

function parseQuantified(state: State): PatternNode {
  const part = parseAtom(state)
  if (take(state, '?')) return { kind: 'repeat', part, min: 0, max: 1 }
  if (take(state, '*')) return { kind: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY }
  if (take(state, '+')) return { kind: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY }
  if (!take(state, '{')) return part
  const min = parseCount(state)
  let max = min
  if (take(state, ',')) max = peek(state) === '}' ? Number.POSITIVE_INFINITY : parseCount(state)
  if (!take(state, '}') || max < min) throw unexpected(state)
  return { kind: 'repeat', part, min, max }
}

function parseCount(state: State): number {
  let digits = ''
  for (let char = peek(state); char !== undefined && char >= '0' && char <= '9'; char = peek(state)) {
    digits += char
    state.at++
  }
  if (digits === '') throw unexpected(state)
  return Number(digits)
}

function parseAtom(state: State): PatternNode {
  if (take(state, '(')) {
    const inner = parseChoice(state)
    if (!take(state, ')')) throw unexpected(state)
    return inner
  }
  if (take(state, '[')) return toClass(parseClass(state))
  if (take(state, '.')) return toClass('[^\\n\\r]')
  if (take(state, '\\')) return toClass(`[${parseEscape(state)}]`)
  const char = peek(state)
  if (char === undefined || '?*+{}|)]'.includes(char)) throw unexpected(state)
  state.at++
  return toClass(`[${literal(char)}]`)
}

/** Parses a character class, whose `[` has been read, into one of JavaScript with the flag `v`. */
function parseClass(state: State): string {
  const negated = take(state, '^')
  let set = ''
  for (;;) {
    const char = peek(state)
    if (char === undefined) throw unexpected(state)
    if (char === ']' && set !== '') {
      state.at++
      return `[${negated ? '^' : ''}${set}]`
    }
    if (char === '-' && set !== '' && state.chars[state.at + 1] === '[') {
      state.at += 2
      const subtracted = parseClass(state)
      if (!take(state, ']')) throw unexpected(state)
      return `[[${negated ? '^' : ''}${set}]--${subtracted}]`
    }
    set += parseRange(state)
  }
}

function parseRange(state: State): string {
  const first = parseMember(state)
  const isRange = peek(state) === '-' && !']['.includes(state.chars[state.at + 1] ?? ']')
  // A hyphen before `-[` or `]`, and one between two members that are not single characters, is
  // itself.
  if (!isRange || first.char === undefined || first.isHyphen) return first.set
  state.at++
  const last = parseMember(state)
  if (last.char === undefined || (last.char.codePointAt(0) ?? 0) < (first.char.codePointAt(0) ?? 0))
    throw unexpected(state)
  return `${first.set}-${last.set}`
}

interface Member {
  /** As part of a class of JavaScript. */
  readonly set: string
  /** The character, if it is a single one. */
  readonly char: string | undefined
  readonly isHyphen: boolean
}

function parseMember(state: State): Member {
  if (take(state, '\\')) {
    const char = state.chars[state.at] ?? ''
    const set = parseEscape(state)
    const single = ESCAPED[char] ?? (/[iIcCdDwWsSpP]/.test(char) ? undefined : char)
    return { set, char: single, isHyphen: false }
  }
  const char = peek(state)
  if (char === undefined || char === '[' || char === ']') throw unexpected(state)
  state.at++
  return { set: literal(char), char, isHyphen: char === '-' }
}

/** Parses what follows a backslash, for the inside of a class of JavaScript. */
function parseEscape(state: State): string {
  const char = peek(state)
  if (char === undefined) throw unexpected(state)
  state.at++
  if (char === 'p' || char === 'P') return parseProperty(state, char === 'P')
  if (char === 'w') return `[^${NOT_WORD}]`
  if (char === 'W') return NOT_WORD
  const inside = CLASSES[char.toLowerCase()]
  if (inside !== undefined) return char === char.toLowerCase() ? inside : `[^${inside}]`
  const control = ESCAPED[char]
  if (control !== undefined) return literal(control)
  if (/[\p{L}\p{N}]/u.test(char)) {
    state.at--
    throw unexpected(state)
  }
  return literal(char)
}

function parseProperty(state: State, negated: boolean): string {
  if (!take(state, '{')) throw unexpected(state)
  const end = state.chars.indexOf('}', state.at)
  const name = end === -1 ? '' : state.chars.slice(state.at, end).join('')
  const block = name.startsWith('Is') ? findBlock(name.slice(2)) : undefined
  if (block === undefined && !CATEGORY.test(name)) throw unexpected(state)
  state.at = end + 1
  if (block !== undefined) return negated ? `[^${block}]` : block
  return `\\${negated ? 'P' : 'p'}{${name}}`
}

function toClass(set: string): PatternNode {
  return { kind: 'class', set: new RegExp(`^${set}$`, 'v') }
}

function literal(char: string): string {
  return /[A-Za-z0-9]/.test(char) ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`
}

function peek(state: State): string | undefined {
  return state.chars[state.at]
}

function take(state: State, char: string): boolean {
  if (state.chars[state.at] !== char) return false
  state.at++
  return true
}

function unexpected({ pattern, chars, at }: State): TypeError {
  const actual = chars[at] === undefined ? 'its end' : `"${chars[at]}"`
  const problem = `${actual} is not expected at position ${at + 1}`
  return new TypeError(`soap-envelope: the pattern "${pattern}" is not valid in XSD: ${problem}`)
}
