import type { SoapFault } from '../fault.ts'
import { securityFault } from '../service/security.ts'
import { formatPath, getAttribute, type XmlElement } from '../xml/element.ts'
import { WSSE, WSU } from '../xml/names.ts'
import { DIGESTS, DS, EXCLUSIVE_C14N, STR_TRANSFORM } from './algorithms.ts'
import { parsePrefixList } from './canonicalize.ts'
import { isNamed, readBase64 } from './key-info.ts'

/** A Security block with one signature. */
export interface SecurityBlock {
  readonly signature: XmlElement
  readonly timestamp: XmlElement
  readonly tokens: readonly XmlElement[]
  readonly usernameToken: XmlElement | undefined
}

/**
 * Reads a Security block: one Signature, one Timestamp, certificates, and nothing that would stay
 * unverified.
 */
export function readBlock(
  security: XmlElement,
  { acceptsUsernameToken }: { readonly acceptsUsernameToken: boolean },
): SecurityBlock {
  const parts = new Map<string, XmlElement>()
  const tokens: XmlElement[] = []
  for (const child of security.children) {
    if (isNamed(child, WSSE, 'BinarySecurityToken')) {
      tokens.push(child)
      continue
    }
    const isPart =
      isNamed(child, DS, 'Signature') ||
      isNamed(child, WSU, 'Timestamp') ||
      (acceptsUsernameToken && isNamed(child, WSSE, 'UsernameToken'))
    if (!isPart)
      throw securityFault('UnsupportedSecurityToken', 'The security header contains something that is not supported.')
    if (parts.has(child.local)) throw securityFault('InvalidSecurity', `There is more than one ${child.local}.`)
    parts.set(child.local, child)
  }
  const signature = parts.get('Signature')
  const timestamp = parts.get('Timestamp')
  if (!signature) throw securityFault('InvalidSecurity', 'The message is not signed.')
  if (!timestamp) throw securityFault('InvalidSecurity', 'The security header has no Timestamp.')
  return { signature, timestamp, tokens, usernameToken: parts.get('UsernameToken') }
}

/** The parts of a Signature. */
export interface Signature {
  readonly signedInfo: XmlElement
  readonly signatureValue: XmlElement
  readonly keyInfo: XmlElement
}

/** Reads the parts of a Signature. */
export function readSignature(signature: XmlElement): Signature {
  const [signedInfo, signatureValue, keyInfo] = readSequence(signature, ['SignedInfo', 'SignatureValue', 'KeyInfo'])
  return { signedInfo, signatureValue, keyInfo }
}

/**
 * The children of an element of XML signatures, which must be these in this order: a second one is
 * never skipped.
 */
function readSequence<Names extends readonly string[]>(
  parent: XmlElement,
  names: readonly [...Names],
): { [At in keyof Names]: XmlElement } {
  const { children } = parent
  if (children.length !== names.length || !names.every((name, index) => isNamed(children[index], DS, name)))
    throw securityFault('InvalidSecurity', `${formatPath(parent)} does not contain ${names.join(', ')}.`)
  return children as { [At in keyof Names]: XmlElement }
}

/** Reference of a signature to one part of the message. */
export interface Reference {
  readonly id: string
  readonly prefixes: readonly string[]
  readonly hash: string
  readonly digest: Buffer
}

/** The signed information: the algorithms and the references. */
export interface SignedInfo {
  readonly prefixes: readonly string[]
  readonly algorithm: string
  readonly references: readonly Reference[]
}

const MAX_REFERENCES = 32

/** Reads what is signed, if every algorithm in it is one of those that are allowed. */
export function readSignedInfo(signedInfo: XmlElement): SignedInfo {
  const [method, algorithm, ...references] = signedInfo.children
  if (!method || !isNamed(method, DS, 'CanonicalizationMethod'))
    throw securityFault('InvalidSecurity', 'SignedInfo does not begin with CanonicalizationMethod.')
  if (!algorithm || !isNamed(algorithm, DS, 'SignatureMethod'))
    throw securityFault('InvalidSecurity', 'SignedInfo has no SignatureMethod in its place.')
  if (references.length === 0 || references.length > MAX_REFERENCES)
    throw securityFault('InvalidSecurity', `A signature has 1 to ${MAX_REFERENCES} references.`)
  if (algorithm.children.length > 0) throw unsupportedAlgorithm(algorithm)
  return {
    prefixes: readExclusive(method),
    algorithm: getAttribute(algorithm, '', 'Algorithm') ?? '',
    references: references.map(readReference),
  }
}

function readReference(reference: XmlElement): Reference {
  if (!isNamed(reference, DS, 'Reference'))
    throw securityFault('InvalidSecurity', 'SignedInfo contains something other than references.')
  const [transforms, method, value] = readSequence(reference, ['Transforms', 'DigestMethod', 'DigestValue'])
  const uri = getAttribute(reference, '', 'URI') ?? ''
  if (!uri.startsWith('#') || uri.length === 1 || uri.startsWith('#xpointer('))
    throw securityFault('InvalidSecurity', 'A reference of the signature must be the id of a part of the message.')
  const [transform] = readSequence(transforms, ['Transform'])
  if (getAttribute(transform, '', 'Algorithm') === STR_TRANSFORM)
    throw securityFault(
      'UnsupportedAlgorithm',
      'STR-Transform is not supported: sign the BinarySecurityToken itself, by its wsu:Id.',
    )
  const hash = DIGESTS.get(getAttribute(method, '', 'Algorithm') ?? '')
  if (hash === undefined || method.children.length > 0) throw unsupportedAlgorithm(method)
  return { id: uri.slice(1), prefixes: readExclusive(transform), hash, digest: readBase64(value) }
}

const MAX_PREFIXES = 64

/**
 * Reads a method that must be exclusive canonicalization without comments. Returns its PrefixList.
 */
function readExclusive(method: XmlElement): readonly string[] {
  if (getAttribute(method, '', 'Algorithm') !== EXCLUSIVE_C14N) throw unsupportedAlgorithm(method)
  const [inclusive, ...more] = method.children
  if (!inclusive) return []
  if (more.length > 0 || !isNamed(inclusive, EXCLUSIVE_C14N, 'InclusiveNamespaces')) throw unsupportedAlgorithm(method)
  const prefixes = parsePrefixList(getAttribute(inclusive, '', 'PrefixList') ?? '')
  if (prefixes.length > MAX_PREFIXES) throw unsupportedAlgorithm(inclusive)
  return prefixes
}

function unsupportedAlgorithm({ local }: XmlElement): SoapFault {
  return securityFault('UnsupportedAlgorithm', `The algorithm of ${local} is not one of those that are allowed.`)
}
