import { createHash, X509Certificate } from 'node:crypto'
import { inspectValue } from '../../../internal/options.ts'
import { describeWeakKey } from './algorithms.ts'
import { findExtension } from './der.ts'

/** A certificate: PEM text with one or several, DER bytes, or a parsed one. */
export type CertificateSource = string | Uint8Array | X509Certificate

/** Certificates whose signatures are accepted. */
export interface TrustOptions {
  /** Certificate authorities. Every certificate that they issued is accepted. */
  trustedAuthorities?: readonly CertificateSource[]
  /** Client certificates that are accepted, with any issuer. */
  trustedCertificates?: readonly CertificateSource[]
  /**
   * Certificate authorities between the trusted ones and the certificates. Those in a message are
   * never used.
   */
  intermediateCertificates?: readonly CertificateSource[]
}

/** Name of a certificate that the message does not contain. */
export interface CertificateReference {
  readonly kind: 'serialNumber' | 'subjectKeyIdentifier' | 'thumbprint'
  /** Lowercase hexadecimal digits. */
  readonly value: string
}

/** The certificates of the options. */
export interface Trust {
  /** Those of `trustedCertificates` to which a reference of a message can belong. */
  find(reference: CertificateReference): readonly X509Certificate[]
  /** Says why a certificate is not accepted; `undefined` if it is. */
  reject(certificate: X509Certificate, nowMs: number): string | undefined
}

/**
 * Reads the certificates of options. Throws a TypeError if there is none, or one cannot be used.
 */
export function compileTrust(owner: string, options: TrustOptions): Trust {
  const pinned = readAll(owner, 'trustedCertificates', options.trustedCertificates)
  const authorities = readAll(owner, 'trustedAuthorities', options.trustedAuthorities)
  const between = readAll(owner, 'intermediateCertificates', options.intermediateCertificates)
  if (pinned.length + authorities.length === 0)
    throw new TypeError(`${owner}: trustedCertificates or trustedAuthorities must have a certificate`)
  for (const authority of [...authorities, ...between]) {
    if (!authority.ca)
      throw new TypeError(
        `${owner}: ${inspectValue(authority.subject)} is not an authority; set it in trustedCertificates`,
      )
  }
  const fingerprints = new Set(pinned.map(({ fingerprint256 }) => fingerprint256))
  return {
    find: (reference) => pinned.filter((certificate) => isNamedBy(certificate, reference)),
    reject: (certificate, nowMs) => {
      if (!isCurrent(certificate, nowMs)) return 'The certificate has expired, or is not valid yet.'
      const weakness = describeWeakKey(certificate.publicKey)
      if (weakness !== undefined) return `The certificate has ${weakness}.`
      if (fingerprints.has(certificate.fingerprint256)) return undefined
      if (!hasDigitalSignature(certificate)) return 'The certificate is not meant for signatures.'
      return isIssued(certificate, { authorities, between, nowMs }) ? undefined : 'The certificate is not trusted.'
    },
  }
}

/** Reads the certificates of one option. */
function readAll(owner: string, name: string, sources: readonly CertificateSource[] = []): X509Certificate[] {
  // What is passed is omitted, which may be a private key.
  if (!Array.isArray(sources)) throw new TypeError(`${owner}: ${name} must be an array of certificates`)
  return sources.flatMap((source: CertificateSource) => readCertificates(`${owner}: ${name}`, source))
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Reads all certificates of a source. Throws a TypeError if there is none. */
export function readCertificates(owner: string, source: CertificateSource): X509Certificate[] {
  if (source instanceof X509Certificate) return [source]
  const parts = typeof source === 'string' ? (source.match(PEM) ?? []) : [source]
  if (parts.length === 0) throw new TypeError(`${owner} must be a certificate as PEM or DER`)
  return parts.map((part) => {
    const certificate = parseCertificate(typeof part === 'string' ? Buffer.from(part) : part)
    if (!certificate) throw new TypeError(`${owner} must be a certificate as PEM or DER`)
    return certificate
  })
}

/** Parses a certificate; `undefined` if it is not one. */
export function parseCertificate(bytes: Uint8Array): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(bytes)
    return certificate.publicKey ? certificate : undefined
  } catch {
    return undefined
  }
}

function isNamedBy(certificate: X509Certificate, { kind, value }: CertificateReference): boolean {
  if (kind === 'serialNumber') return trimZeros(certificate.serialNumber.toLowerCase()) === trimZeros(value)
  if (kind === 'thumbprint') return createHash('sha1').update(certificate.raw).digest('hex') === value
  // The value of the extension is an octet string inside the one of the extension: two bytes of tag
  // and length.
  return findExtension(certificate.raw, '551d0e')?.subarray(2).toString('hex') === value
}

function trimZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '')
}

/**
 * A certificate with a key usage must have digitalSignature or nonRepudiation (RFC 5280 §4.2.1.3).
 */
function hasDigitalSignature({ raw }: X509Certificate): boolean {
  const usage = findExtension(raw, '551d0f')
  // A bit string: tag, length, number of unused bits, then the bits, the first in the highest
  // place.
  return usage === undefined || ((usage[3] ?? 0) & 0b1100_0000) !== 0
}

function isCurrent({ validFrom, validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo)
}

const MAX_CHAIN = 4

interface Chain {
  authorities: readonly X509Certificate[]
  between: readonly X509Certificate[]
  nowMs: number
}

/** Whether a trusted authority has issued a certificate, directly or through those in between. */
function isIssued(certificate: X509Certificate, chain: Chain, length = 1): boolean {
  const { authorities, between, nowMs } = chain
  const issuedBy = (issuer: X509Certificate): boolean =>
    isCurrent(issuer, nowMs) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  if (authorities.some(issuedBy)) return true
  return length < MAX_CHAIN && between.some((issuer) => issuedBy(issuer) && isIssued(issuer, chain, length + 1))
}
