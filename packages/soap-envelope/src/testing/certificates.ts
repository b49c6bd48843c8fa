import { execFileSync } from 'node:child_process'
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate and its private key, as PEM. */
export interface Identity {
  readonly certificate: string
  readonly privateKey: string
  readonly key: KeyObject
}

export interface IssueOptions {
  /** The argument of `openssl req -newkey`. @defaultValue 'rsa:2048' */
  algorithm?: string
  /** Extensions in addition to those of a certificate for signatures. */
  extensions?: readonly string[]
  serial?: number
  /** Without one the certificate is signed with its own key. */
  issuer?: Identity
}

const EC = ['-newkey', 'ec', '-pkeyopt']

/** Creates a key pair and a certificate with OpenSSL. */
export function issue(name: string, options: IssueOptions = {}): Identity {
  const { algorithm = 'rsa:2048', extensions = [], serial = 1, issuer } = options
  const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'))
  const file = (path: string): string => join(folder, path)
  try {
    if (issuer) {
      writeFileSync(file('issuer.pem'), issuer.certificate)
      writeFileSync(file('issuer.key'), issuer.privateKey)
    }
    const curve = algorithm.startsWith('rsa') ? undefined : algorithm
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        ...(curve ? [...EC, `ec_paramgen_curve:${curve}`] : ['-newkey', algorithm]),
        '-nodes',
        '-keyout',
        file('key.pem'),
        '-out',
        file('certificate.pem'),
        '-days',
        '30',
        '-subj',
        name,
        '-set_serial',
        String(serial),
        ...(issuer ? ['-CA', file('issuer.pem'), '-CAkey', file('issuer.key')] : []),
        ...extensions.flatMap((extension) => ['-addext', extension]),
      ],
      { stdio: 'pipe' },
    )
    const privateKey = readFileSync(file('key.pem'), 'utf8')
    return {
      certificate: readFileSync(file('certificate.pem'), 'utf8'),
      privateKey,
      key: createPrivateKey(privateKey),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Extensions of a certificate of a client. */
export const FOR_SIGNATURES = ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature']
/** Extensions of a certificate of an authority. */
export const FOR_AUTHORITIES = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign']
