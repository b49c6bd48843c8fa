/** A namespace-qualified name; `uri` is empty for a name in no namespace. */
export interface QName {
  /** URI of the namespace; empty for none. */
  readonly uri: string
  /** Local name. */
  readonly local: string
}

/** A supported version of SOAP. */
export type SoapVersion = '1.2' | '1.1'

export const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'
export const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/'
export const XML = 'http://www.w3.org/XML/1998/namespace'
export const XSD = 'http://www.w3.org/2001/XMLSchema'
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
export const XMLMIME = 'http://www.w3.org/2005/05/xmlmime'
export const WSDL = 'http://schemas.xmlsoap.org/wsdl/'
export const WSDL_SOAP11 = 'http://schemas.xmlsoap.org/wsdl/soap/'
export const WSDL_SOAP12 = 'http://schemas.xmlsoap.org/wsdl/soap12/'

const OASIS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-'
export const WSSE = `${OASIS}wssecurity-secext-1.0.xsd`
export const WSU = `${OASIS}wssecurity-utility-1.0.xsd`
export const PASSWORD_TEXT = `${OASIS}username-token-profile-1.0#PasswordText`
export const PASSWORD_DIGEST = `${OASIS}username-token-profile-1.0#PasswordDigest`
export const BASE64_BINARY = `${OASIS}soap-message-security-1.0#Base64Binary`

/** The namespace of the subcodes of our faults, where a service names no other. */
export const FAULTS = 'http://svc.example/ws/faults/v1'

/** One string for a name: `{uri}local`, the key of every table of names. */
export function clark({ uri, local }: QName): string {
  return `{${uri}}${local}`
}

/** The envelope namespace of a version. */
export function envelopeNamespace(version: SoapVersion): string {
  return version === '1.2' ? SOAP12 : SOAP11
}

/** The first and all characters of a name without a colon, as the inside of a character class. */
export const NCNAME_START =
  'A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}' +
  '\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}'
export const NCNAME = `${NCNAME_START}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}`

const LOCAL_NAME = new RegExp(`^[${NCNAME_START}][${NCNAME}]*$`, 'u')

/** Whether a text is a local name or a prefix (Namespaces in XML 1.0 §3). */
export function isLocalName(text: string): boolean {
  return LOCAL_NAME.test(text)
}

/** Whether two names are the same. */
export function isSameName(name: QName, other: QName): boolean {
  return name.local === other.local && name.uri === other.uri
}

/**
 * Returns a name as the one string that V8 stores of it, as it does with property names. Two such
 * strings are compared by their addresses, and none keeps the document in memory that it was cut
 * from.
 */
export function internName(name: string): string {
  const names: Record<string, true> = Object.create(null)
  names[name] = true
  return Object.keys(names)[0] ?? name
}
