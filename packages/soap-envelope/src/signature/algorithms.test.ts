import { createHmac, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findId, P256, withForgedBody } from '../testing/attacks.ts'
import { C14N, client, DS, findElement, findOutcome, parse, signAgain, signedMessage } from '../testing/signing.ts'
import { WSU } from '../xml/names.ts'
import { canonicalize } from './canonicalize.ts'

describe('algorithms that are signed for, and still rejected', () => {
  const replaceIn =
    (tag: string, algorithm: string, content = '') =>
    (xml: string): string =>
      xml.replaceAll(
        new RegExp(`<ds:${tag} Algorithm="[^"]*">(<ec.*?>)?`, 'g'),
        `<ds:${tag} Algorithm="${algorithm}">${content}`,
      )
  const transform = (algorithm: string): ((xml: string) => string) => replaceIn('Transform', algorithm)
  const exclusive = (prefixes: string, more = ''): ((xml: string) => string) => {
    const inclusive = `<ec:InclusiveNamespaces xmlns:ec="${C14N}" PrefixList="${prefixes}"></ec:InclusiveNamespaces>`
    return replaceIn('Transform', C14N, inclusive + more)
  }
  const before =
    (algorithm: string) =>
    (xml: string): string =>
      xml.replaceAll('<ds:Transforms>', `<ds:Transforms><ds:Transform Algorithm="${algorithm}"></ds:Transform>`)
  test.each<[string, (xml: string) => string, string]>([
    ['RSA with SHA-1', replaceIn('SignatureMethod', `${DS}rsa-sha1`), 'UnsupportedAlgorithm'],
    ['DSA', replaceIn('SignatureMethod', `${DS}dsa-sha1`), 'UnsupportedAlgorithm'],
    [
      'HMAC',
      replaceIn('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'),
      'UnsupportedAlgorithm',
    ],
    ['none', replaceIn('SignatureMethod', 'none'), 'UnsupportedAlgorithm'],
    ['a name of Object.prototype', replaceIn('SignatureMethod', 'constructor'), 'UnsupportedAlgorithm'],
    [
      'a truncated HMAC (CVE-2009-0217)',
      replaceIn('SignatureMethod', `${DS}hmac-sha1`, '<ds:HMACOutputLength>1</ds:HMACOutputLength>'),
      'UnsupportedAlgorithm',
    ],
    [
      'an output length of RSA',
      replaceIn(
        'SignatureMethod',
        'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        '<ds:HMACOutputLength>1</ds:HMACOutputLength>',
      ),
      'UnsupportedAlgorithm',
    ],
    [
      'ECDSA with an RSA key',
      replaceIn('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'),
      'FailedCheck',
    ],
    [
      'another hash than the one that was used',
      replaceIn('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512'),
      'FailedCheck',
    ],
    ['digests of SHA-1', replaceIn('DigestMethod', `${DS}sha1`), 'UnsupportedAlgorithm'],
    ['digests of MD5', replaceIn('DigestMethod', 'http://www.w3.org/2001/04/xmldsig-more#md5'), 'UnsupportedAlgorithm'],
    [
      'canonicalization with comments',
      replaceIn('CanonicalizationMethod', `${C14N}WithComments`),
      'UnsupportedAlgorithm',
    ],
    [
      'inclusive canonicalization',
      replaceIn('CanonicalizationMethod', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'),
      'UnsupportedAlgorithm',
    ],
    ['a transform with comments', transform(`${C14N}WithComments`), 'UnsupportedAlgorithm'],
    ['an inclusive transform', transform('http://www.w3.org/TR/2001/REC-xml-c14n-20010315'), 'UnsupportedAlgorithm'],
    ['XPath', transform('http://www.w3.org/TR/1999/REC-xpath-19991116'), 'UnsupportedAlgorithm'],
    ['XPath filter 2', transform('http://www.w3.org/2002/06/xmldsig-filter2'), 'UnsupportedAlgorithm'],
    ['XSLT', transform('http://www.w3.org/TR/1999/REC-xslt-19991116'), 'UnsupportedAlgorithm'],
    ['Base64', transform(`${DS}base64`), 'UnsupportedAlgorithm'],
    [
      'the STR transform',
      transform('http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform'),
      'UnsupportedAlgorithm',
    ],
    ['two transforms', before(`${DS}enveloped-signature`), 'InvalidSecurity'],
    [
      'no transform',
      (xml) => xml.replaceAll(/<ds:Transforms>.*?<\/ds:Transforms>/g, '<ds:Transforms></ds:Transforms>'),
      'InvalidSecurity',
    ],
    [
      'a transform with another parameter than its prefixes',
      exclusive('', '<x:other xmlns:x="urn:x"></x:other>'),
      'UnsupportedAlgorithm',
    ],
    ['no Transforms', (xml) => xml.replaceAll(/<ds:Transforms>.*?<\/ds:Transforms>/g, ''), 'InvalidSecurity'],
    [
      'a long PrefixList',
      exclusive(Array.from({ length: 65 }, (_, index) => `p${index}`).join(' ')),
      'UnsupportedAlgorithm',
    ],
  ])('%s', async (_, edit, expected) => {
    expect(await findOutcome(signAgain(edit(signedMessage())))).toBe(expected)
  })

  test('HMAC with the public key of the certificate as its secret', async () => {
    const hmac = 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'
    const xml = signedMessage().replace(
      /<ds:SignatureMethod Algorithm="[^"]*"/,
      `<ds:SignatureMethod Algorithm="${hmac}"`,
    )
    const signedInfo = findElement(parse(xml), 'SignedInfo')
    const { publicKey } = new X509Certificate(client.certificate)
    for (const secret of [
      client.certificate,
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
    ]) {
      const value = createHmac('sha256', secret)
        .update(signedInfo ? canonicalize(signedInfo) : '')
        .digest('base64')
      expect(await findOutcome(xml.replace(/(SignatureValue>)[^<]*/, `$1${value}`))).toBe('UnsupportedAlgorithm')
    }
  })
})

describe('values', () => {
  const value =
    (text: string) =>
    (xml: string): string =>
      xml.replace(/(<ds:SignatureValue>)[^<]*/, `$1${text}`)
  const zeros = (length: number): string => Buffer.alloc(length).toString('base64')
  test.each<[string, (xml: string) => string, string]>([
    ['empty', value(''), 'InvalidSecurityToken'],
    ['not Base64', value('****'), 'InvalidSecurityToken'],
    ['of zeros for RSA', value(zeros(256)), 'FailedCheck'],
    ['with elements in it', value('<ds:x>AAAA</ds:x>'), 'InvalidSecurityToken'],
    ['too long', value('A'.repeat(20_000)), 'InvalidSecurityToken'],
    ['of another message', value(signedMessage().match(/SignatureValue>([^<]*)/)?.[1] ?? ''), 'FailedCheck'],
    ['two of them', (xml) => xml.replace(/<ds:SignatureValue>.*?<\/ds:SignatureValue>/, '$&$&'), 'InvalidSecurity'],
    [
      'a second SignedInfo (CVE-2025-29774)',
      (xml) => withForgedBody(xml).replace(/<ds:SignedInfo .*<\/ds:SignedInfo>/, '$&$&'),
      'InvalidSecurity',
    ],
    [
      'a comment in DigestValue (CVE-2025-29775)',
      (xml) =>
        withForgedBody(xml, ` xmlns:wsu="${WSU}" wsu:Id="${findId(xml, 'Body')}"`).replace(
          /(<ds:Reference URI="#B-.*?<ds:DigestValue>)/,
          '$1<!--Zm9yZ2Vk-->',
        ),
      'FailedCheck',
    ],
    ['a digest of another length', (xml) => signAgain(xml).replace(/(DigestValue>)[^<]*/, '$1AAAA'), 'FailedCheck'],
  ])('%s', async (_, edit, expected) => {
    expect(await findOutcome(edit(signedMessage()))).toBe(expected)
  })

  test.each([
    ['of zeros', zeros(64)],
    ['of zeros, DER (CVE-2022-21449)', Buffer.from('3006020100020100', 'hex').toString('base64')],
    ['of another length', zeros(10)],
  ])('for ECDSA %s', async (_, text) => {
    expect(await findOutcome(value(text)(signedMessage({ identity: P256 })))).toBe('FailedCheck')
  })
})
