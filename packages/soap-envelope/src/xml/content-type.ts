import { splitList, trim, unquote } from '../../../internal/list.ts'

export interface ContentType {
  /** Type and subtype in lower case, empty when there is none. */
  type: string
  charset: string | undefined
  /** The operation that the client means (RFC 3902 2). */
  action: string | undefined
}

/** Reads a Content-Type field (RFC 9110 8.3.1): parameters in any order and case, quoted or not. */
export function readContentType(value: string | undefined): ContentType {
  const [media = '', ...parameters] = splitList(value ?? '', 0x3b, 16)
  const found: ContentType = { type: media.toLowerCase(), charset: undefined, action: undefined }
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=')
    if (equals === -1) continue
    const name = trim(parameter, 0, equals).toLowerCase()
    const text = unquote(trim(parameter, equals + 1, parameter.length))
    if (name === 'charset') found.charset ??= text
    else if (name === 'action') found.action ??= text
  }
  return found
}
