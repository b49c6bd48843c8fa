import { splitList, trim } from '../../internal/list.ts'
import { membersOf } from './accept-list.ts'
import { isToken, parseParameter } from './media-type.ts'
import { parseQuality } from './quality.ts'

const SEMICOLON = 0x3b

export interface Weighted {
  /** The coding, charset or language range in lower case. */
  readonly name: string
  /** Weight in thousandths. */
  readonly q: number
  /** As the client wrote it. */
  readonly text: string
}

/**
 * Reads a list of names with weights: `Accept-Encoding`, `Accept-Charset`, `Accept-Language` (RFC 9110 12.5).
 * Never throws: a member that cannot be read is left out. `undefined` when the field is absent or over the limits.
 */
export function parseWeighted(field: string | undefined, strict = false): Weighted[] | undefined {
  const members = membersOf(field)
  if (members === undefined) return undefined
  const weighted: Weighted[] = []
  for (const text of members) {
    const member = parseMember(text, strict)
    if (member) weighted.push(member)
  }
  return weighted
}

function parseMember(text: string, strict: boolean): Weighted | undefined {
  const end = text.indexOf(';')
  const name = end === -1 ? text : trim(text, 0, end)
  if (strict && !isToken(name)) return undefined
  const q = end === -1 ? 1000 : weightOf(text.slice(end + 1), strict)
  return q === undefined || name === '' ? undefined : { name: name.toLowerCase(), q, text }
}

function weightOf(parameters: string, strict: boolean): number | undefined {
  const parts = splitList(parameters, SEMICOLON)
  if (strict) {
    const [only = ''] = parts
    return parts.length === 1 && /^q=/i.test(only) ? parseQuality(only.slice(2), true) : undefined
  }
  for (const part of parts) {
    const { name, value } = parseParameter(part)
    if (name === 'q') return parseQuality(value)
  }
  return 1000
}
