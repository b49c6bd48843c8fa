import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { FOR_AUTHORITIES, FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { authority, client, findOutcome, signAgain, signedMessage, signedService, time } from '../testing/signing.ts'

const start = time.now()
const setTime = (ms: number): void => time.advance(ms - time.now())
beforeEach(() => setTime(start))

describe('certificates', () => {
  const at = (days: number) => start + days * 86_400_000
  const extensions = FOR_SIGNATURES
  const other = issue('/CN=Test authority', { extensions: FOR_AUTHORITIES })
  const between = issue('/CN=Between', { extensions: FOR_AUTHORITIES, issuer: authority })
  const below = issue('/CN=Ada/O=Partner', { extensions, issuer: between })

  test.each([
    ['of an unknown authority', issue('/CN=Eve', { extensions, issuer: other })],
    ['that are self-signed', issue('/CN=Eve', { extensions })],
    ['that are self-signed with the name of the authority', issue('/CN=Test authority', { extensions })],
    ['that are issued by a client, which is no authority', issue('/CN=Eve', { extensions, issuer: client })],
    ['below an authority that the options do not have', below],
    [
      'for something else than signatures',
      issue('/CN=Eve', { extensions: ['keyUsage=critical,keyEncipherment'], issuer: authority }),
    ],
  ])('%s are rejected', async (_, identity) => {
    expect(await findOutcome(signedMessage({ identity }))).toBe('FailedAuthentication')
  })

  test('with a weak key are rejected', async () => {
    const weak = issue('/CN=Weak', { algorithm: 'rsa:1024', extensions, issuer: authority })
    const token = weak.certificate.replace(/-----.*-----|\n/g, '')
    const xml = signedMessage().replace(/(BinarySecurityToken E[^>]*>)[^<]*/, `$1${token}`)
    expect(await findOutcome(signAgain(xml, weak.key))).toBe('FailedAuthentication')
  })

  test('that have expired, or are not valid yet, are rejected', async () => {
    for (const days of [-2, 31]) {
      setTime(at(days))
      expect(await findOutcome(signedMessage())).toBe('FailedAuthentication')
    }
  })

  test('below an authority of intermediateCertificates are accepted', async () => {
    const service = signedService({ intermediateCertificates: [between.certificate] })
    expect(await findOutcome(signedMessage({ identity: below }), service)).toMatch(/^200/)
  })

  test('of trustedCertificates are accepted themselves, and no others', async () => {
    const own = issue('/CN=Own/O=Own', { extensions })
    const service = signedService({ trustedAuthorities: [], trustedCertificates: [own.certificate] })
    expect(await findOutcome(signedMessage({ identity: own }), service)).toMatch(/^200/)
    expect(await findOutcome(signedMessage(), service)).toBe('FailedAuthentication')
  })

  const token = client.certificate.replace(/-----.*-----|\n/g, '')
  const wsse = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0'
  const thumbprint = Buffer.from(
    new X509Certificate(client.certificate).fingerprint.replaceAll(':', ''),
    'hex',
  ).toString('base64')
  test.each([
    [
      'X509IssuerSerial',
      '<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>7</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>',
      true,
    ],
    [
      'an unknown X509IssuerSerial',
      '<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>8</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>',
      false,
    ],
    ['X509Certificate', `<ds:X509Data><ds:X509Certificate>${token}</ds:X509Certificate></ds:X509Data>`, true],
    [
      'a thumbprint',
      `<wsse:KeyIdentifier ValueType="http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#ThumbprintSHA1">${thumbprint}</wsse:KeyIdentifier>`,
      true,
    ],
    [
      'a KeyIdentifier with the certificate',
      `<wsse:KeyIdentifier ValueType="${wsse}#X509v3">${token}</wsse:KeyIdentifier>`,
      true,
    ],
    [
      'a KeyIdentifier of another kind',
      `<wsse:KeyIdentifier ValueType="${wsse}#X509PKIPathv1">${token}</wsse:KeyIdentifier>`,
      false,
    ],
    ['a key name', '<ds:KeyName>ada</ds:KeyName>', false],
  ])('named by %s', async (_, reference, isAccepted) => {
    const service = signedService({ trustedCertificates: [client.certificate] })
    const xml = signedMessage().replace(/<wsse:Reference [^>]*>/, reference)
    expect(await findOutcome(xml, service)).toMatch(
      isAccepted ? /^200/ : /^(UnsupportedSecurityToken|SecurityTokenUnavailable)$/,
    )
  })

  test('named by a key identifier', async () => {
    const identity = issue('/CN=Key', { extensions: [...extensions, 'subjectKeyIdentifier=hash'] })
    const text = execFileSync('openssl', ['x509', '-noout', '-ext', 'subjectKeyIdentifier'], {
      input: identity.certificate,
    })
    const id = Buffer.from(
      String(text)
        .match(/[\dA-F]{2}(:[\dA-F]{2}){19}/)?.[0]
        .replaceAll(':', '') ?? '',
      'hex',
    ).toString('base64')
    const service = signedService({ trustedCertificates: [identity.certificate] })
    const reference = `<wsse:KeyIdentifier ValueType="${wsse}#X509SubjectKeyIdentifier">${id}</wsse:KeyIdentifier>`
    expect(
      await findOutcome(signedMessage({ identity }).replace(/<wsse:Reference [^>]*>/, reference), service),
    ).toMatch(/^200/)
  })
})
