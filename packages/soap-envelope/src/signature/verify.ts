import { createHash, timingSafeEqual, type X509Certificate } from 'node:crypto'
import type { Envelope } from '../envelope/parse.ts'
import { SoapFault } from '../fault.ts'
import type { NonceStore } from '../security/nonce-store.ts'
import { checkTimestamp, readFreshTime, type TimeRules } from '../security/security-block.ts'
import { securityFault } from '../service/security.ts'
import { formatPath, getAttribute, resolveQName, type XmlAttribute, type XmlElement } from '../xml/element.ts'
import { clark, WSU, XML, XSI } from '../xml/names.ts'
import { DS, findSignatureAlgorithm, verifyData } from './algorithms.ts'
import { canonicalize } from './canonicalize.ts'
import type { Trust } from './certificates.ts'
import { isNamed, readBase64, readKeyInfo } from './key-info.ts'
import {
  type Reference,
  readBlock,
  readSignature,
  readSignedInfo,
  type SecurityBlock,
  type Signature,
  type SignedInfo,
} from './read-signature.ts'

/** Rules of a verification, compiled from its options. */
export interface VerificationRules extends TimeRules {
  readonly trust: Trust
  /** The header blocks that must be signed if the message has them, by their names. */
  readonly signedHeaders: 'all' | ReadonlySet<string>
  readonly now: () => number
  readonly store: NonceStore
  /** Whether a UsernameToken may be in the Security block. */
  readonly acceptsUsernameToken: boolean
}

/** Result of a verification. */
export interface Verification {
  /** The certificate of the key that has signed. */
  readonly certificate: X509Certificate
  /** A UsernameToken, which is signed too. */
  readonly usernameToken: XmlElement | undefined
}

/**
 * Verifies the signature of a message (WSS SOAP Message Security 1.1 §8). The Body, the Timestamp,
 * the header blocks of the rules and a UsernameToken must be signed: they are compared as elements
 * of the tree that the service reads, so that a copy of a signed element elsewhere in the message
 * proves nothing. Rejects with a SoapFault.
 */
export async function verifyMessage(
  security: XmlElement,
  envelope: Envelope,
  rules: VerificationRules,
): Promise<Verification> {
  const block = readBlock(security, rules)
  const { signedInfo, signatureValue, keyInfo } = readSignature(block.signature)
  const nowMs = rules.now()
  const signed = readSignedInfo(signedInfo)
  const { certificate, content } = verifyValue({ signedInfo, signed, signatureValue, keyInfo }, block, rules, nowMs)

  const elements = indexIds(envelope.root)
  const covered = new Map<XmlElement, Reference>()
  for (const reference of signed.references) {
    const element = elements.get(reference.id)
    if (!element || !isProcessed(element, security, envelope))
      throw failedCheck('A reference of the signature must be to exactly one part of the message.')
    if (covered.has(element)) throw failedCheck('The signature has two references to one part.')
    covered.set(element, reference)
  }
  for (const part of findRequired(block, envelope, security, rules)) {
    if (!covered.has(part)) throw failedCheck(`${formatPath(part)} is not signed.`)
  }
  // Before the digests, whose cost grows with the message.
  const created = checkTimestamp(block.timestamp, nowMs, rules)
  if (created === undefined) throw securityFault('InvalidSecurity', 'The Timestamp has no time of creation.')
  const createdMs = readFreshTime(created, nowMs, rules)
  const proved = [...covered].flatMap(([element, reference]) => verifyDigest(element, reference))
  // By what was signed and not by the value of the signature: for ECDSA anybody can compute a
  // second valid value.
  const key = createHash('sha256')
    .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
    .update(content)
    .digest('base64')
  const added = await rules.store.add(key, createdMs + rules.maxAgeMs + rules.clockToleranceMs, nowMs)
  if (added === 'seen') throw securityFault('InvalidSecurity', 'The message has been received before.')
  if (added === 'full') throw unavailable()
  keepProved(proved, envelope)
  return { certificate, usernameToken: block.usernameToken }
}

interface ReadSignature extends Signature {
  readonly signed: SignedInfo
}

/** Verifies SignedInfo with a certificate that is accepted. Nothing is computed for others. */
function verifyValue(
  { signedInfo, signed, signatureValue, keyInfo }: ReadSignature,
  { tokens }: SecurityBlock,
  { trust }: VerificationRules,
  nowMs: number,
): { certificate: X509Certificate; content: string } {
  const algorithm = findSignatureAlgorithm(signed.algorithm)
  if (!algorithm)
    throw securityFault('UnsupportedAlgorithm', 'The algorithm of the signature is not one of those that are allowed.')
  const certificates = readKeyInfo(keyInfo, trust, (uri) => findToken(uri, tokens))
  let reason: string | undefined
  const accepted = certificates.filter((certificate) => {
    const rejection = trust.reject(certificate, nowMs)
    reason ??= rejection
    return rejection === undefined
  })
  if (accepted.length === 0) throw securityFault('FailedAuthentication', reason ?? 'The certificate is not trusted.')
  const content = canonicalize(signedInfo, signed.prefixes)
  const value = readBase64(signatureValue)
  const certificate = accepted.find(({ publicKey }) => verifyData(algorithm, content, publicKey, value))
  if (!certificate) throw failedCheck('The signature is not valid.')
  return { certificate, content }
}

/** A token of the same block, by an id that only one of them has. */
function findToken(uri: string, tokens: readonly XmlElement[]): XmlElement | undefined {
  const [token, ...more] = tokens.filter((candidate) => `#${getAttribute(candidate, WSU, 'Id')}` === uri)
  return more.length > 0 ? undefined : token
}

/**
 * Elements by their wsu:Id; `undefined` if anything else in the message has the same id, of
 * whatever kind.
 */
function indexIds(root: XmlElement): ReadonlyMap<string, XmlElement | undefined> {
  const elements = new Map<string, XmlElement | undefined>()
  const pending = [root]
  for (let element = pending.pop(); element; element = pending.pop()) {
    for (const { uri, local, value } of element.attributes) {
      if (!isId(uri, local)) continue
      elements.set(value, elements.has(value) || uri !== WSU ? undefined : element)
    }
    for (const child of element.children) pending.push(child)
  }
  return elements
}

function isId(uri: string, local: string): boolean {
  if (uri === '') return local === 'Id' || local === 'ID' || local === 'id'
  return (uri === WSU && local === 'Id') || (uri === XML && local === 'id')
}

/**
 * Whether an element is one that the service reads: the Body, a header block, or a child of
 * this Security block.
 */
function isProcessed(element: XmlElement, security: XmlElement, { root, headers }: Envelope): boolean {
  if (element.parent === root) return element.local === 'Body'
  if (element.parent === security) return !isNamed(element, DS, 'Signature')
  return element !== security && headers.some((block) => block.element === element)
}

function findRequired(
  { timestamp, usernameToken }: SecurityBlock,
  { root, headers }: Envelope,
  security: XmlElement,
  { signedHeaders }: VerificationRules,
): XmlElement[] {
  const required = [timestamp, ...root.children.filter(({ local }) => local === 'Body')]
  if (usernameToken) required.push(usernameToken)
  for (const { element, targeted } of headers) {
    if (!targeted || element === security) continue
    if (signedHeaders === 'all' || signedHeaders.has(clark(element))) required.push(element)
  }
  return required
}

type Proved = [element: XmlElement, declarations: readonly XmlAttribute[]][]

/** Verifies the digest of a part. Returns the namespace declarations that it covers. */
function verifyDigest(element: XmlElement, { prefixes, hash, digest }: Reference): Proved {
  const proved: Proved = []
  const content = canonicalize(element, prefixes, (part, declarations) => proved.push([part, declarations]))
  const actual = createHash(hash).update(content).digest()
  if (actual.length !== digest.length || !timingSafeEqual(actual, digest))
    throw failedCheck(`${formatPath(element)} is not what was signed.`)
  return proved
}

/**
 * Exclusive canonicalization leaves out the prefixes that no name uses, so a signature says nothing
 * of them, and an intermediary can bind them anew. From here on the message has only
 * those that are signed: a prefix in a value, such as that of xsi:type, means what the signer
 * meant, or nothing.
 */
function keepProved(proved: Proved, { root }: Envelope): void {
  for (const outer of [root, ...root.children]) setDeclarations(outer, [])
  for (const [element, declarations] of proved) setDeclarations(element, declarations)
  for (const [element] of proved) {
    const type = getAttribute(element, XSI, 'type')
    if (type !== undefined && resolveQName(element, type) === undefined)
      throw failedCheck(`The prefix in xsi:type of ${formatPath(element)} is not signed: it needs a PrefixList.`)
  }
}

function setDeclarations(element: XmlElement, declarations: readonly XmlAttribute[]): void {
  const writable: { -readonly [Key in keyof XmlElement]: XmlElement[Key] } = element
  writable.declarations = declarations
}

function failedCheck(reason: string): SoapFault {
  return securityFault('FailedCheck', reason)
}

function unavailable(): SoapFault {
  const reason = 'Too many recent messages are stored. Retry later.'
  return new SoapFault({
    code: 'Receiver',
    subcodes: ['Unavailable'],
    reason,
    status: 503,
    httpStatus: 503,
    headers: { 'Retry-After': '1' },
  })
}
