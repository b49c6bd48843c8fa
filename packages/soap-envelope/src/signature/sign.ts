import { createHash, createPrivateKey, KeyObject, randomUUID } from 'node:crypto'
import { escapeAttribute } from '../../../internal/xml-escape.ts'
import { assertNames, assertOptions, type OptionRules } from '../assert-options.ts'
import { writeEnvelopeWith } from '../envelope/write.ts'
import { resolveIncludes } from '../mime/xop.ts'
import { writeSecurity } from '../security/write-token.ts'
import type { OutgoingMessage } from '../service/security.ts'
import { getAttribute, type XmlElement } from '../xml/element.ts'
import type { MessageLimits } from '../xml/limits.ts'
import { BASE64_BINARY, clark, envelopeNamespace, type QName, type SoapVersion, WSSE, WSU } from '../xml/names.ts'
import { treeReader } from '../xml/tree.ts'
import {
  algorithmForKey,
  DS,
  describeWeakKey,
  EXCLUSIVE_C14N,
  type SignatureAlgorithm,
  signData,
} from './algorithms.ts'
import { canonicalize } from './canonicalize.ts'
import { type CertificateSource, readCertificates } from './certificates.ts'
import { X509_V3 } from './key-info.ts'

/** Options for signing messages. */
export interface SigningOptions {
  /** Private key, as PEM or a `KeyObject`: RSA with at least 2048 bits, P-256, P-384 or P-521. */
  privateKey: string | KeyObject
  /** The certificate of the key. It is sent with every message. */
  certificate: CertificateSource
  /** The header blocks that are signed in addition to Body and Timestamp. @defaultValue 'all' */
  signedHeaders?: 'all' | readonly QName[]
  /** Lifetime of a message, in seconds. @defaultValue 300 */
  ttlSeconds?: number
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/** Writes the envelope of a message with its signature. */
export type MessageSigner = (message: OutgoingMessage) => string

const OPTIONS: OptionRules<SigningOptions> = {
  privateKey: 'any',
  certificate: 'any',
  signedHeaders: 'any',
  ttlSeconds: { min: 1 },
  now: 'function',
}

interface Signing {
  readonly key: KeyObject
  readonly algorithm: SignatureAlgorithm
  /** Base64 of the certificate. */
  readonly token: string
  readonly signedHeaders: 'all' | ReadonlySet<string>
  readonly ttlMs: number
  readonly now: () => number
}

/**
 * Creates a signer. Throws a TypeError if the key or the certificate cannot be used, or do not
 * belong together.
 */
export function messageSigner(owner: string, options: SigningOptions): MessageSigner {
  assertOptions(owner, options, OPTIONS)
  const { ttlSeconds = 300, now = Date.now } = options
  const key = readKey(owner, options.privateKey)
  const [certificate] = readCertificates(`${owner}: certificate`, options.certificate)
  if (!certificate?.checkPrivateKey(key))
    throw new TypeError(`${owner}: certificate must be the certificate of privateKey`)
  const signing: Signing = {
    key,
    algorithm: algorithmForKey(key),
    token: certificate.raw.toString('base64'),
    signedHeaders: readSignedHeaders(owner, options.signedHeaders),
    ttlMs: ttlSeconds * 1000,
    now,
  }
  return (message) => writeSigned(message, signing)
}

function readKey(owner: string, source: string | KeyObject): KeyObject {
  const key = source instanceof KeyObject ? source : parsePrivateKey(source)
  if (key?.type !== 'private') throw new TypeError(`${owner}: privateKey must be a private key as PEM, or a KeyObject`)
  const weakness = describeWeakKey(key)
  if (weakness !== undefined) throw new TypeError(`${owner}: privateKey must not be ${weakness}`)
  return key
}

/** The error of OpenSSL is omitted: the value that cannot be read may be the key itself. */
function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/** Reads the names of header blocks. */
export function readSignedHeaders(owner: string, names: 'all' | readonly QName[] = 'all'): 'all' | ReadonlySet<string> {
  if (names === 'all') return names
  assertNames(owner, 'signedHeaders', names, "'all'")
  return new Set(names.map((name) => clark(name)))
}

function writeSigned(message: OutgoingMessage, signing: Signing): string {
  const id = randomUUID()
  const created = signing.now()
  const { version, body } = message
  const headers = message.headers.map((block, index) => addId(block, `H${index}-${id}`, version, signing))
  const certificate =
    `<wsse:BinarySecurityToken EncodingType="${BASE64_BINARY}" ValueType="${X509_V3}" wsu:Id="X509-${id}">` +
    `${signing.token}</wsse:BinarySecurityToken>`
  const timestamp =
    `<wsu:Timestamp wsu:Id="TS-${id}"><wsu:Created>${new Date(created).toISOString()}</wsu:Created>` +
    `<wsu:Expires>${new Date(created + signing.ttlMs).toISOString()}</wsu:Expires></wsu:Timestamp>`
  const tokens = message.tokens.replace(/^<wsse:UsernameToken>/, `<wsse:UsernameToken wsu:Id="UT-${id}">`)
  const write = (signature: string): string =>
    writeEnvelopeWith(
      { version, body, headers: [writeSecurity(certificate + timestamp + tokens + signature), ...headers] },
      ` xmlns:wsu="${WSU}" wsu:Id="B-${id}"`,
    )
  const root = parse(write(''))
  if (message.attachments.length > 0) resolveIncludes(root, message.attachments)
  return write(writeSignature(findSigned(root), `X509-${id}`, signing))
}

const NO_LIMITS: MessageLimits = {
  maxBytes: Infinity,
  maxDepth: 10_000,
  maxElements: Infinity,
  maxChildren: Infinity,
  maxAttributes: Infinity,
  maxAttributeLength: Infinity,
  maxTextLength: Infinity,
  maxNameLength: Infinity,
  maxHeaderBlocks: Infinity,
}

function parse(xml: string): XmlElement {
  const reader = treeReader({ limits: NO_LIMITS })
  reader.write(xml)
  return reader.end()
}

const START = /^\s*<[^\s/>]+/

/** Gives a header block that is to be signed an id, unless it has one. */
function addId(block: string, id: string, version: SoapVersion, { signedHeaders }: Signing): string {
  const [element] = parse(`<env:_ xmlns:env="${envelopeNamespace(version)}">${block}</env:_>`).children
  if (!element) throw new TypeError('soap-envelope: a header block must be one element')
  const isSigned = signedHeaders === 'all' || signedHeaders.has(clark(element))
  if (!isSigned || getAttribute(element, WSU, 'Id') !== undefined) return block
  return block.replace(START, (start) => `${start} xmlns:wsuid="${WSU}" wsuid:Id="${id}"`)
}

/** The Body, the header blocks with an id, and the children of the Security block with one. */
function findSigned(root: XmlElement): XmlElement[] {
  const [header, body] = root.children
  if (!header || !body) throw new TypeError('soap-envelope: the message has no Header')
  const signed: XmlElement[] = [body]
  for (const block of header.children) {
    const isSecurity = block.uri === WSSE && block.local === 'Security'
    for (const part of isSecurity ? block.children : [block]) if (getAttribute(part, WSU, 'Id')) signed.push(part)
  }
  return signed
}

// The text is the canonical form itself: attributes in order, no empty-element tags, `ds` declared
// on SignedInfo.
function writeSignature(parts: readonly XmlElement[], tokenId: string, { algorithm, key }: Signing): string {
  const references = parts.map((part) => writeReference(part, algorithm.hash))
  const signedInfo =
    `<ds:SignedInfo xmlns:ds="${DS}">` +
    `<ds:CanonicalizationMethod Algorithm="${EXCLUSIVE_C14N}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${algorithm.uri}"></ds:SignatureMethod>${references.join('')}</ds:SignedInfo>`
  const value = signData(algorithm, signedInfo, key).toString('base64')
  return (
    `<ds:Signature xmlns:ds="${DS}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue>` +
    `<ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference URI="#${tokenId}" ValueType="${X509_V3}"/>` +
    '</wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>'
  )
}

const DIGEST_URIS: Readonly<Record<string, string>> = {
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

function writeReference(part: XmlElement, hash: string): string {
  const prefixes = findUnusedPrefixes(part)
  const list = prefixes.map((prefix) => prefix || '#default').join(' ')
  const inclusive =
    prefixes.length === 0
      ? ''
      : `<ec:InclusiveNamespaces xmlns:ec="${EXCLUSIVE_C14N}" PrefixList="${escapeAttribute(list)}"></ec:InclusiveNamespaces>`
  const digest = createHash(hash).update(canonicalize(part, prefixes)).digest('base64')
  return (
    `<ds:Reference URI="#${getAttribute(part, WSU, 'Id')}"><ds:Transforms>` +
    `<ds:Transform Algorithm="${EXCLUSIVE_C14N}">${inclusive}</ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${DIGEST_URIS[hash]}"></ds:DigestMethod>` +
    `<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`
  )
}

/**
 * Prefixes that no name uses where they are declared, if a value such as that of xsi:type may use
 * one: they must be signed too. Without such a value the declarations may move, and do: JAX-WS has
 * them at the parent when a handler verifies the message.
 */
function findUnusedPrefixes(part: XmlElement): string[] {
  const unused = new Set<string>()
  canonicalize(part, [], (element, rendered) => {
    for (const { prefix, local } of element.declarations) {
      const isRendered = rendered.some((other) => other.local === local && other.prefix === prefix)
      if (!isRendered) unused.add(prefix === '' ? '' : local)
    }
  })
  const prefixes = [...unused]
  return prefixes.some((prefix) => prefix === '' || hasValueWith(`${prefix}:`, part)) ? prefixes : []
}

function hasValueWith(text: string, element: XmlElement): boolean {
  return (
    element.text.includes(text) ||
    element.attributes.some(({ value }) => value.includes(text)) ||
    element.children.some((child) => hasValueWith(text, child))
  )
}
