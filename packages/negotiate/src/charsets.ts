import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { isBlank, type Member, parseAcceptList } from './accept-list.ts'
import { bestOf, type Choice, type Tie, unmatched, type Verdict } from './choice.ts'
import { judge } from './judge.ts'
import { isToken } from './media-type.ts'

/** How `Accept-Charset` is weighed (RFC 9110 12.5.2). */
export interface CharsetOptions {
  /** Who decides between charsets that the client likes equally. @defaultValue 'server': the first offer */
  tie?: Tie
  /** Leaves out every member of the field that is outside the grammar. @defaultValue false */
  strict?: boolean
}

/** Compiles charsets into the function that reads `Accept-Charset` for them (RFC 9110 12.5.2). */
export function compileCharsets<T extends string>(
  values: readonly T[],
  options: CharsetOptions = {},
): (field: string | undefined) => Verdict<T> {
  assertKnownOptions('charset', options, ['tie', 'strict'])
  const { tie = 'server', strict = false } = options
  const names = values.map((value) => nameOf('charset', value))
  return (field) => {
    const members = field === undefined || isBlank(field) ? undefined : parseAcceptList(field, strict)
    const all = values.map((value, index) =>
      members === undefined ? unmatched(value, index, 1) : judgeName(value, index, names[index] ?? '', members),
    )
    return { best: bestOf(all, tie), all }
  }
}

/** An offered name in lower case; throws on what is no token. */
export function nameOf(owner: string, value: string): string {
  if (!isToken(value)) throw new TypeError(`${owner}: an offer must be a token, got ${inspectValue(value)}`)
  return value.toLowerCase()
}

/** The quality of one name: that of the member which names it, else that of `*`, else 0. Of equals the highest. */
export function judgeName<T extends string>(
  value: T,
  index: number,
  name: string,
  members: readonly Member[],
): Choice<T> {
  return judge(
    unmatched(value, index, 0),
    members,
    (member) => (member.name === name ? 2 : member.name === '*' ? 1 : 0),
    2,
  )
}
