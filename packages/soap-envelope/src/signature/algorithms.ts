import { type KeyObject, sign, verify } from 'node:crypto'

/** Namespace of XML signatures. */
export const DS = 'http://www.w3.org/2000/09/xmldsig#'
/** Exclusive canonicalization without comments, the only transform. */
/** Signs a security token through a reference to it (WSS SOAP Message Security 1.1 §8.3). */
export const STR_TRANSFORM =
  'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform'
export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'

/**
 * Digests by the URI of their algorithm. SHA-1 and MD5 are missing: their collisions can be
 * computed.
 */
export const DIGESTS: ReadonlyMap<string, string> = new Map([
  [`${ENCRYPTION}sha256`, 'sha256'],
  [`${MORE}sha384`, 'sha384'],
  [`${ENCRYPTION}sha512`, 'sha512'],
])

/** An algorithm of signatures. */
export interface SignatureAlgorithm {
  readonly uri: string
  readonly keyType: 'rsa' | 'ec'
  readonly hash: string
}

const SIGNATURES: ReadonlyMap<string, SignatureAlgorithm> = new Map(
  (['rsa', 'ec'] as const).flatMap((keyType) =>
    ['sha256', 'sha384', 'sha512'].map((hash) => {
      const uri = `${MORE}${keyType === 'rsa' ? 'rsa' : 'ecdsa'}-${hash}`
      return [uri, { uri, keyType, hash }]
    }),
  ),
)

/**
 * Returns the algorithm of a URI; `undefined` if it is not allowed, such as HMAC or one with SHA-1.
 */
export function findSignatureAlgorithm(uri: string): SignatureAlgorithm | undefined {
  return SIGNATURES.get(uri)
}

const HASH_OF_CURVE: Readonly<Record<string, string>> = {
  prime256v1: 'sha256',
  secp384r1: 'sha384',
  secp521r1: 'sha512',
}
const MIN_RSA_BITS = 2048

/**
 * Says what is wrong with a key for signatures: only RSA from 2048 bits and the three curves of
 * NIST are taken.
 */
export function describeWeakKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') {
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    return bits < MIN_RSA_BITS ? `an RSA key of ${bits} bits, ${MIN_RSA_BITS} are the minimum` : undefined
  }
  if (asymmetricKeyType !== 'ec') return `a key of type ${asymmetricKeyType}, only rsa and ec are supported`
  const curve = asymmetricKeyDetails?.namedCurve ?? ''
  return Object.hasOwn(HASH_OF_CURVE, curve) ? undefined : `the curve ${curve}`
}

/** The algorithm with which a private key signs. */
export function algorithmForKey(key: KeyObject): SignatureAlgorithm {
  const isRsa = key.asymmetricKeyType === 'rsa'
  const hash = HASH_OF_CURVE[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'sha256'
  const algorithm = SIGNATURES.get(`${MORE}${isRsa ? 'rsa' : 'ecdsa'}-${hash}`)
  if (!algorithm) throw new TypeError('soap-envelope: the key has no algorithm')
  return algorithm
}

/**
 * Signs. ECDSA values are r and s one after the other (RFC 4051 §2.3.6), not the DER of OpenSSL.
 */
export function signData({ hash }: SignatureAlgorithm, data: string, key: KeyObject): Buffer {
  return sign(hash, Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' })
}

/** Verifies a signature. A key of another type than the algorithm's is never tried with it. */
export function verifyData(algorithm: SignatureAlgorithm, data: string, key: KeyObject, signature: Buffer): boolean {
  if (key.asymmetricKeyType !== algorithm.keyType) return false
  return verify(algorithm.hash, Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
