import type { X509Certificate } from 'node:crypto'
import { assertOptions, type OptionRules } from '../assert-options.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import { type NonceStore, readNonceStore } from '../security/nonce-store.ts'
import { readTimeRules, TIME_OPTIONS } from '../security/security-block.ts'
import type { AuthenticatedUser } from '../service/request.ts'
import { assertSecurity, type SecurityContext, type SecurityMechanism, securityFault } from '../service/security.ts'
import { type QName, WSSE } from '../xml/names.ts'
import { DS } from './algorithms.ts'
import { compileTrust, type TrustOptions } from './certificates.ts'
import { isNamed } from './key-info.ts'
import { messageSigner, readSignedHeaders, type SigningOptions } from './sign.ts'
import { type VerificationRules, verifyMessage } from './verify.ts'

/** Options for verifying signatures of received messages. */
export interface VerificationOptions extends TrustOptions {
  /**
   * The header blocks that must be signed if the message has them. Body and Timestamp always must.
   * Blocks for other roles are exempt, and the Security block itself. @defaultValue 'all'
   */
  signedHeaders?: 'all' | readonly QName[]
  /** Maximum age of a message, in seconds. @defaultValue 300 */
  maxAgeSeconds?: number
  /** Maximum time of a message in the future, in seconds, since clocks differ. @defaultValue 60 */
  clockToleranceSeconds?: number
  /** Store of received messages, so that each is accepted once. @defaultValue memoryNonceStore() */
  nonceStore?: NonceStore
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/** Returns the user of a trusted certificate; `undefined` if it has none or was revoked. */
export type FindCertificateUser = (
  certificate: X509Certificate,
) => AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>

/** Options for `x509Signature()`. */
export interface X509SignatureOptions extends VerificationOptions {
  /** Returns the user of a certificate. @defaultValue `{ name: subject, subject: certificate }` */
  findUser?: FindCertificateUser
  /** Signs the responses to signed requests. @defaultValue responses are not signed */
  sign?: SigningOptions
  /**
   * Accepts a UsernameToken in a signed message. Its user is then that of the message.
   * @defaultValue rejected
   */
  usernameToken?: SecurityMechanism
}

export const VERIFICATION_OPTIONS: OptionRules<VerificationOptions> = {
  ...TIME_OPTIONS,
  trustedAuthorities: 'any',
  trustedCertificates: 'any',
  intermediateCertificates: 'any',
  signedHeaders: 'any',
  nonceStore: 'any',
  now: 'function',
}

/**
 * Creates a mechanism for WS-Security signatures with X.509 certificates (WSS X.509 Token Profile
 * 1.1): exclusive canonicalization, RSA and ECDSA with SHA-256, SHA-384 or SHA-512. Body and
 * Timestamp must be signed, a message is accepted once, and the handler gets the verified elements.
 *
 * @example
 * const service = soapService({
 *   wsdl,
 *   operations,
 *   security: [x509Signature({ trustedAuthorities: [readFileSync('partners-ca.pem', 'utf8')] })],
 * })
 */
export function x509Signature(options: X509SignatureOptions): SecurityMechanism {
  const owner = 'soap-envelope: x509Signature'
  assertOptions(owner, options, { ...VERIFICATION_OPTIONS, findUser: 'function', sign: 'any', usernameToken: 'any' })
  const { findUser = describeUser, usernameToken, sign } = options
  if (usernameToken !== undefined)
    assertSecurity(owner, 'usernameToken', usernameToken, 'authenticate', 'a mechanism such as usernameToken()')
  const rules = readRules(owner, options, usernameToken !== undefined)
  const protect = sign === undefined ? undefined : messageSigner(`${owner}: sign`, sign)
  const mechanism: SecurityMechanism = {
    header: { uri: WSSE, local: 'Security' },
    accepts: ({ element }) => element.children.some((child) => isNamed(child, DS, 'Signature')),
    authenticate: (block, context) => authenticateSigned(block, context, rules, { findUser, usernameToken }),
  }
  return protect ? { ...mechanism, protect } : mechanism
}

/** Reads the options of a verification. Throws a TypeError if one has no sense. */
export function readRules(
  owner: string,
  options: VerificationOptions,
  acceptsUsernameToken: boolean,
): VerificationRules {
  return {
    ...readTimeRules(options),
    trust: compileTrust(owner, options),
    signedHeaders: readSignedHeaders(owner, options.signedHeaders),
    now: options.now ?? Date.now,
    store: readNonceStore(owner, options.nonceStore),
    acceptsUsernameToken,
  }
}

function describeUser(certificate: X509Certificate): AuthenticatedUser {
  return { name: certificate.subject.split('\n').join(', '), subject: certificate }
}

interface Lookup {
  findUser: FindCertificateUser
  usernameToken: SecurityMechanism | undefined
}

async function authenticateSigned(
  block: HeaderBlock,
  context: SecurityContext,
  rules: VerificationRules,
  { findUser, usernameToken }: Lookup,
): Promise<AuthenticatedUser> {
  if (context.attachments.length > 0)
    throw securityFault('InvalidSecurity', 'Attachments that the message does not include are not signed.')
  const { certificate, usernameToken: token } = await verifyMessage(block.element, context.envelope, rules)
  const owner = await findUser(certificate)
  if (!owner) throw securityFault('FailedAuthentication', 'The certificate belongs to no user.')
  if (!usernameToken || !token) return owner
  const onlyToken = { ...block, element: { ...block.element, children: [token] } }
  return await usernameToken.authenticate(onlyToken, context)
}
