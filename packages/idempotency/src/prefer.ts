import { splitList, trim } from '../../internal/list.ts'

const SEMICOLON = 0x3b
const COMMA = 0x2c

/**
 * The seconds that a Prefer field is ready to wait for the answer (RFC 7240 4.3); `undefined` where it says nothing.
 */
export function waitOf(prefer: string | undefined): number | undefined {
  if (prefer === undefined) return undefined
  for (const preference of splitList(prefer, COMMA, 32)) {
    const [token = ''] = splitList(preference, SEMICOLON, 1)
    const equals = token.indexOf('=')
    if (equals === -1 || trim(token, 0, equals).toLowerCase() !== 'wait') continue
    const seconds = trim(token, equals + 1, token.length)
    // RFC 7240 2: of a preference that is given twice, the first counts.
    return /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined
  }
  return undefined
}
