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
