import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'
import { selfSigned } from './self-signed.ts'

export interface Certificate {
  cert: string
  key: string
  /** Of a certificate that was made at the start. */
  fingerprint?: string
}

/** The certificate that the service shows; `undefined`: plain HTTP. Throws a ConfigError for one that cannot be used. */
export function certificateOf({ tls }: Config): Certificate | undefined {
  if (tls === undefined) return undefined
  if (tls === 'self') return selfSigned()
  const [cert, key] = [readFileSync(tls.cert, 'utf8'), readFileSync(tls.key, 'utf8')]
  const problem = problemOf(cert, key)
  if (problem !== undefined) throw new ConfigError([problem])
  return { cert, key }
}

function problemOf(cert: string, key: string): string | undefined {
  try {
    const certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return 'SVC_TLS_KEY  is not the key of SVC_TLS_CERT'
    if (Date.parse(certificate.validTo) < Date.now()) return `SVC_TLS_CERT  expired on ${certificate.validTo}`
    return undefined
  } catch {
    return 'SVC_TLS_CERT, SVC_TLS_KEY  are no certificate and key in PEM'
  }
}
