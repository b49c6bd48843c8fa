import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { intoHeader } from '../testing/attacks.ts'
import { FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { client, findOutcome, signAgain, signedMessage } from '../testing/signing.ts'
import { WSSE, WSU } from '../xml/names.ts'

describe('keys', () => {
  const eve = issue('/CN=Ada/O=Partner', { extensions: FOR_SIGNATURES })
  const token = eve.certificate.replace(/-----.*-----|\n/g, '')
  const keyInfo =
    (content: string) =>
    (xml: string): string =>
      signAgain(xml.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/, `<ds:KeyInfo>${content}</ds:KeyInfo>`), eve.key)
  const { n = '', e = '' } = new X509Certificate(eve.certificate).publicKey.export({ format: 'jwk' })
  test.each<[string, (xml: string) => string, string]>([
    [
      'the own key as KeyValue',
      keyInfo(
        `<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${n}</ds:Modulus><ds:Exponent>${e}</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>`,
      ),
      'UnsupportedSecurityToken',
    ],
    ['a key at a URL', keyInfo('<ds:RetrievalMethod URI="http://localhost:1/key"/>'), 'UnsupportedSecurityToken'],
    [
      'the own certificate',
      keyInfo(`<ds:X509Data><ds:X509Certificate>${token}</ds:X509Certificate></ds:X509Data>`),
      'FailedAuthentication',
    ],
    [
      'the own certificate after the trusted one',
      keyInfo(
        `<ds:X509Data><ds:X509Certificate>${client.certificate.replace(/-----.*-----|\n/g, '')}</ds:X509Certificate><ds:X509Certificate>${token}</ds:X509Certificate></ds:X509Data>`,
      ),
      'UnsupportedSecurityToken',
    ],
    ['nothing', keyInfo(''), 'UnsupportedSecurityToken'],
    [
      'a token with the id of another one',
      (xml) =>
        signAgain(
          xml.replace(
            /<wsse:BinarySecurityToken.*?<\/wsse:BinarySecurityToken>/,
            (one) => one + one.replace(/>[^<]*</, `>${token}<`),
          ),
          eve.key,
        ),
      'SecurityTokenUnavailable',
    ],
    [
      'a token outside of the Security header',
      (xml) => {
        const one = xml.match(/<wsse:BinarySecurityToken.*?<\/wsse:BinarySecurityToken>/)?.[0] ?? ''
        return intoHeader(
          xml.replace(one, ''),
          `<w:w xmlns:w="urn:w" env:role="urn:o" xmlns:wsse="${WSSE}" xmlns:wsu="${WSU}">${one}</w:w>`,
        )
      },
      'SecurityTokenUnavailable',
    ],
    [
      'a token that is no certificate',
      (xml) => xml.replace(/(BinarySecurityToken E[^>]*>)[^<]*/, '$1AAAA'),
      'InvalidSecurityToken',
    ],
    [
      'a token without its encoding, which is Base64 then',
      (xml) => signAgain(xml.replace(/ EncodingType="[^"]*"/, '')),
      '200 42 CN=Ada, O=Partner',
    ],
    [
      'a token in another encoding',
      (xml) => signAgain(xml.replace(/ EncodingType="[^"]*"/, ' EncodingType="urn:hex"')),
      'UnsupportedSecurityToken',
    ],
    [
      'a token of another type',
      (xml) => xml.replace('#X509v3" wsu', '#X509PKIPathv1" wsu'),
      'UnsupportedSecurityToken',
    ],
    ['no KeyInfo', (xml) => xml.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/, ''), 'InvalidSecurity'],
  ])('%s', async (_, edit, expected) => {
    expect(await findOutcome(edit(signedMessage()))).toBe(expected)
  })
})
