/** A namespace-qualified name; `uri` is empty for a name in no namespace. */
export interface QName {
  /** The namespace; empty for none. */
  readonly uri: string
  /** The name in its namespace. */
  readonly local: string
}

/** The two versions of SOAP that are spoken. */
export type SoapVersion = '1.2' | '1.1'

export const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'
export const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/'
export const XML = 'http://www.w3.org/XML/1998/namespace'
export const XSD = 'http://www.w3.org/2001/XMLSchema'
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
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

/**
 * Copies a name out of the document that it was cut from. V8 keeps a document in memory as long as a
 * part of 13 characters or more, and compares such parts several times slower than whole texts.
 */
export function copyName(name: string): string {
  return name.length < 13 ? name : Buffer.from(name).toString()
}
