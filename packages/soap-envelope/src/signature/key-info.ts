import type { X509Certificate } from 'node:crypto'
import { securityFault } from '../service/security.ts'
import { getAttribute, type XmlElement } from '../xml/element.ts'
import { BASE64_BINARY, WSSE } from '../xml/names.ts'
import { DS } from './algorithms.ts'
import { type CertificateReference, parseCertificate, type Trust } from './certificates.ts'

const TOKEN_PROFILE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0'
/** ValueType of a certificate in a BinarySecurityToken. */
export const X509_V3 = `${TOKEN_PROFILE}#X509v3`
const SUBJECT_KEY_IDENTIFIER = `${TOKEN_PROFILE}#X509SubjectKeyIdentifier`
const THUMBPRINT = 'http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#ThumbprintSHA1'

const MAX_SERIAL_DIGITS = 50

/**
 * Returns the certificates that KeyInfo can mean (WSS X.509 Token Profile 1.1 §3.2): the one in the
 * message, or those of the options that a reference names. Nothing is followed outside of the
 * message.
 *
 * @param findToken - finds a BinarySecurityToken of the same Security block by its id
 */
export function readKeyInfo(
  keyInfo: XmlElement,
  trust: Trust,
  findToken: (uri: string) => XmlElement | undefined,
): readonly X509Certificate[] {
  const only = readOnlyChild(keyInfo)
  const content = isNamed(only, WSSE, 'SecurityTokenReference') ? readOnlyChild(only) : only
  if (isNamed(content, DS, 'X509Data')) return readX509Data(content, trust)
  if (isNamed(content, WSSE, 'KeyIdentifier')) return readKeyIdentifier(content, trust)
  if (!isNamed(content, WSSE, 'Reference')) throw unsupported()
  const token = findToken(getAttribute(content, '', 'URI') ?? '')
  if (!token) throw securityFault('SecurityTokenUnavailable', 'The referenced security token is not in the header.')
  checkType(getAttribute(token, '', 'ValueType'), X509_V3)
  checkType(getAttribute(token, '', 'EncodingType') ?? BASE64_BINARY, BASE64_BINARY)
  return [readCertificate(token)]
}

function readOnlyChild(parent: XmlElement): XmlElement {
  const [child, ...more] = parent.children
  if (!child || more.length > 0) throw unsupported()
  return child
}

/** Whether an element has this name. */
export function isNamed(element: XmlElement | undefined, uri: string, local: string): boolean {
  return element !== undefined && element.local === local && element.uri === uri
}

function unsupported(): Error {
  return securityFault('UnsupportedSecurityToken', 'This reference to the certificate is not supported.')
}

function checkType(type: string | undefined, expected: string): void {
  if (type !== expected) throw unsupported()
}

function readX509Data({ children }: XmlElement, trust: Trust): readonly X509Certificate[] {
  const certificates = children.filter((child) => isNamed(child, DS, 'X509Certificate'))
  if (certificates.length > 1) throw unsupported()
  if (certificates[0]) return [readCertificate(certificates[0])]
  const identifier = children.find((child) => isNamed(child, DS, 'X509SKI'))
  if (identifier)
    return findNamed({ kind: 'subjectKeyIdentifier', value: readBase64(identifier).toString('hex') }, trust)
  const issuerSerial = children.find((child) => isNamed(child, DS, 'X509IssuerSerial'))
  const serial = issuerSerial?.children.find((child) => isNamed(child, DS, 'X509SerialNumber'))?.text.trim() ?? ''
  if (serial.length > MAX_SERIAL_DIGITS || !/^\d+$/.test(serial)) throw unsupported()
  // The issuer, which has many spellings, is not compared: the signature decides which of the
  // trusted ones it is.
  return findNamed({ kind: 'serialNumber', value: BigInt(serial).toString(16) }, trust)
}

function readKeyIdentifier(element: XmlElement, trust: Trust): readonly X509Certificate[] {
  const type = getAttribute(element, '', 'ValueType')
  if (type === X509_V3) return [readCertificate(element)]
  if (type !== THUMBPRINT && type !== SUBJECT_KEY_IDENTIFIER) throw unsupported()
  const kind = type === THUMBPRINT ? 'thumbprint' : 'subjectKeyIdentifier'
  return findNamed({ kind, value: readBase64(element).toString('hex') }, trust)
}

function findNamed(reference: CertificateReference, trust: Trust): readonly X509Certificate[] {
  const certificates = trust.find(reference)
  if (certificates.length === 0)
    throw securityFault('SecurityTokenUnavailable', 'The certificate that the message names is not known.')
  return certificates
}

function readCertificate(element: XmlElement): X509Certificate {
  const certificate = parseCertificate(readBase64(element))
  if (!certificate) throw securityFault('InvalidSecurityToken', 'The security token is not an X.509 certificate.')
  return certificate
}

const MAX_BASE64 = 16_384

/**
 * Reads the Base64 text of an element, white space in it included. Node would skip what is
 * not Base64.
 */
export function readBase64({ text, children }: XmlElement): Buffer {
  const value = text.length > MAX_BASE64 ? '' : text.replace(/[ \t\r\n]+/g, '')
  const bytes = Buffer.from(value, 'base64')
  if (value === '' || children.length > 0 || bytes.toString('base64') !== value)
    throw securityFault('InvalidSecurityToken', 'A value in the security header is not Base64.')
  return bytes
}
