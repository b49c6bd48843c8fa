import { splitList } from '../../internal/list.ts'
import { membersOf } from './accept-list.ts'
import { NO_PARAMETERS } from './choice.ts'
import { isToken, parseParameter } from './media-type.ts'
import { parseQuality } from './quality.ts'

const SEMICOLON = 0x3b

export interface MediaRange {
  /** `type/subtype`, `type/*` or the full wildcard, in lower case. */
  readonly essence: string
  /** 1 for the full wildcard, 2 for `type/*`, 3 for a whole type. */
  readonly breadth: 1 | 2 | 3
  readonly parameters: ReadonlyMap<string, string>
  /** Names of parameters that stand after `q`: extensions once, ignored unless the offer has them (RFC 7231 5.3.2). */
  readonly extensions: ReadonlySet<string> | undefined
  /** Weight in thousandths. */
  readonly q: number
  /** As the client wrote it. */
  readonly text: string
}

/**
 * Reads `Accept` (RFC 9110 12.5.1). Never throws: a member that cannot be read is left out, with `strict` also one
 * outside the grammar. `undefined` when there is nothing to obey: absent, empty, or over the limits.
 */
export function parseAccept(field: string | undefined, strict = false): MediaRange[] | undefined {
  const members = membersOf(field)
  if (members === undefined || members.length === 0) return undefined
  const ranges: MediaRange[] = []
  for (const member of members) {
    const range = parseRange(member, strict)
    if (range) ranges.push(range)
  }
  return ranges
}

function parseRange(text: string, strict: boolean): MediaRange | undefined {
  if (!text.includes(';')) return rangeOf(text, NO_PARAMETERS, undefined, 1000, text, strict)
  const [name = '', ...parts] = splitList(text, SEMICOLON)
  let q: number | undefined
  let parameters: Map<string, string> | undefined
  let extensions: Set<string> | undefined
  for (const part of parts) {
    const parameter = parseParameter(part)
    if (parameter.name === 'q') {
      if (strict && q !== undefined) return undefined
      q = parseQuality(strict ? part.slice(part.indexOf('=') + 1) : parameter.value, strict)
      if (q === undefined) return undefined
      continue
    }
    if (q !== undefined) {
      if (strict) return undefined
      extensions ??= new Set()
      extensions.add(parameter.name)
    }
    parameters ??= new Map()
    parameters.set(parameter.name, parameter.value)
  }
  return rangeOf(name, parameters ?? NO_PARAMETERS, extensions, q ?? 1000, text, strict)
}

function rangeOf(
  name: string,
  parameters: MediaRange['parameters'],
  extensions: MediaRange['extensions'],
  q: number,
  text: string,
  strict: boolean,
): MediaRange | undefined {
  const slash = name.indexOf('/')
  if (slash <= 0 || slash === name.length - 1) return undefined
  if (strict && !(isToken(name.slice(0, slash)) && isToken(name.slice(slash + 1)))) return undefined
  const essence = name.toLowerCase()
  if (essence === '*/*') return { essence, breadth: 1, parameters, extensions, q, text }
  if (essence.startsWith('*/')) return undefined
  return { essence, breadth: essence.endsWith('/*') ? 2 : 3, parameters, extensions, q, text }
}
