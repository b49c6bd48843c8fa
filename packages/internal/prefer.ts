import { splitList, trim, unquote } from './list.ts'

/** Registered preferences of a `Prefer` header (RFC 7240 §4). */
export interface Prefer {
  /** Preferred response to a change. */
  return: 'minimal' | 'representation' | undefined
  /** `lenient` asks to ignore unknown input instead of rejecting it. */
  handling: 'strict' | 'lenient' | undefined
  /** Whether the client prefers `202 Accepted` to waiting. */
  respondAsync: boolean
  /** Maximum time that the client waits, in seconds. */
  waitSeconds: number | undefined
}

const MAX_PREFERENCES = 32
const COMMA = 0x2c
const SEMICOLON = 0x3b
const EQUALS = '='

/** Parses `Prefer`. Never throws: unknown and malformed preferences are ignored. */
export function parsePrefer(header: string | undefined): Prefer {
  const values = header === undefined ? new Map<string, string>() : readPreferences(header)
  const wait = values.get('wait') ?? ''
  return {
    return: toPreference(values.get('return'), ['minimal', 'representation']),
    handling: toPreference(values.get('handling'), ['strict', 'lenient']),
    respondAsync: values.has('respond-async'),
    waitSeconds: /^\d{1,9}$/.test(wait) ? Number(wait) : undefined,
  }
}

/**
 * RFC 7240 §2: names are case-insensitive, parameters follow a semicolon, and the first of two with
 * a name counts.
 */
function readPreferences(header: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const preference of splitList(header, COMMA, MAX_PREFERENCES)) {
    const [token = ''] = splitList(preference, SEMICOLON, 1)
    const end = token.indexOf(EQUALS)
    const name = (end === -1 ? token : trim(token, 0, end)).toLowerCase()
    const value = end === -1 ? '' : unquote(trim(token, end + 1, token.length))
    if (!values.has(name)) values.set(name, value)
  }
  return values
}

function toPreference<T extends string>(value: string | undefined, words: readonly T[]): T | undefined {
  return words.find((word) => word === value)
}
