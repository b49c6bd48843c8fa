import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'

export interface Certificate {
  cert: string
  key: string
  /** SHA-256 of a certificate that was created for this run, for clients to compare. */
  fingerprint?: string
}

const DAY_MS = 86_400_000

/** Returns the certificate; `undefined` for plain HTTP. Throws a `ConfigError` if it is invalid. */
export function loadCertificate({ tls }: Config): Certificate | Promise<Certificate> | undefined {
  if (tls === undefined) return undefined
  if (tls === 'self') return createSelfSigned()
  const [cert, key] = [readFileSync(tls.cert, 'utf8'), readFileSync(tls.key, 'utf8')]
  const problem = checkPair(cert, key)
  if (problem !== undefined) throw new ConfigError([problem])
  return { cert, key }
}

/** Creates a certificate for this host only: P-256, valid for 90 days, stored nowhere. */
export async function createSelfSigned(): Promise<Required<Certificate>> {
  const { generate } = await import('selfsigned')
  const now = Date.now()
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'svc reference server' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + 90 * DAY_MS),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 }
}

function checkPair(cert: string, key: string): string | undefined {
  try {
    const certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return 'SVC_TLS_KEY  is not the key of SVC_TLS_CERT'
    if (Date.parse(certificate.validTo) < Date.now()) return `SVC_TLS_CERT  expired on ${certificate.validTo}`
    return undefined
  } catch {
    return 'SVC_TLS_CERT, SVC_TLS_KEY  must be a certificate and a key in PEM'
  }
}
