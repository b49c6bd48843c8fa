import { splitList, trim, unquote } from '../../../internal/list.ts'
import type { SoapVersion } from './names.ts'

export interface ContentType {
  /** Type and subtype in lower case, empty when there is none. */
  type: string
  /** The version of SOAP that the type is for; `undefined` for another type. */
  version: SoapVersion | undefined
  charset: string | undefined
  /** The operation that the client means (RFC 3902 2). */
  action: string | undefined
  /** All parameters by name in lower case; the first of each. */
  parameters: ReadonlyMap<string, string>
}

/** Reads a Content-Type field (RFC 9110 8.3.1): parameters in any order and case, quoted or not. */
export function readContentType(value: string | undefined): ContentType {
  if (value === undefined) return NONE
  const [media = '', ...parameters] = splitList(value ?? '', 0x3b, 16)
  const named = new Map<string, string>()
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=')
    if (equals === -1) continue
    const name = trim(parameter, 0, equals).toLowerCase()
    const text = unquote(trim(parameter, equals + 1, parameter.length))
    if (!named.has(name)) named.set(name, text)
  }
  const type = media.toLowerCase()
  return {
    type,
    version: type === 'application/soap+xml' ? '1.2' : type === 'text/xml' ? '1.1' : undefined,
    charset: named.get('charset'),
    action: named.get('action'),
    parameters: named,
  }
}

const NONE: ContentType = {
  type: '',
  version: undefined,
  charset: undefined,
  action: undefined,
  parameters: new Map(),
}
