import { splitList, trim, unquote } from '../../internal/list.ts'
import { createArgumentError } from '../../internal/options.ts'
import { NO_PARAMETERS } from './offer-match.ts'

const SEMICOLON = 0x3b
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** A parsed media type (RFC 9110 §8.3.1). */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string
  /**
   * Names in lower case, values unquoted; those of `charset` in lower case too (RFC 9110 §8.3.2).
   */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Parses a media type with its parameters. Returns `undefined` if it is not `type/subtype`; a
 * parameter without a name or `=` is ignored, since many clients send `application/json; utf-8`.
 */
export function parseMediaType(text: string): MediaType | undefined {
  if (typeof text !== 'string') throw createArgumentError('negotiate: parseMediaType', 'text', 'a string', text)
  const [name = '', ...rest] = splitList(text, SEMICOLON)
  const slash = name.indexOf('/')
  if (slash === -1 || !isToken(name.slice(0, slash)) || !isToken(name.slice(slash + 1))) return undefined
  if (rest.length === 0) return { essence: name.toLowerCase(), parameters: NO_PARAMETERS }
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const equals = part.indexOf('=')
    const name = trim(part, 0, Math.max(equals, 0)).toLowerCase()
    if (isToken(name) && !parameters.has(name)) parameters.set(name, parseValue(name, part.slice(equals + 1)))
  }
  return { essence: name.toLowerCase(), parameters }
}

/** Parses the value of a parameter. A quoted value equals its unquoted form (RFC 9110 §5.6.6). */
function parseValue(name: string, text: string): string {
  const value = unquote(trim(text, 0, text.length))
  return name === 'charset' ? value.toLowerCase() : value
}

/** Whether a string is a token (RFC 9110 §5.6.2). */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}
