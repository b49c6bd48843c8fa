import { createHmac, X509Certificate } from 'node:crypto'
import { x509Signature } from '@svc/soap-envelope/signature'
import { describe, expect, test } from 'vitest'
import { FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { getCustomer, SHOP, shopService } from '../testing/shop.ts'
import {
  authority,
  C14N,
  client,
  DS,
  findElement,
  findOutcome,
  parse,
  signAgain,
  signedMessage,
  signedService,
  time,
} from '../testing/signing.ts'
import { getAttribute } from '../xml/element.ts'
import { WSSE, WSU } from '../xml/names.ts'
import { canonicalize } from './canonicalize.ts'

const VALID = '200 42 CN=Ada, O=Partner'
const P256 = issue('/CN=Ada/O=Partner', { algorithm: 'P-256', extensions: FOR_SIGNATURES, issuer: authority })

const BODY = /<env:Body.*<\/env:Body>/s
const readBody = (xml: string): string => xml.match(BODY)?.[0] ?? ''
const findId = (xml: string, local: string): string => {
  const element = findElement(parse(xml), local)
  return (element && getAttribute(element, WSU, 'Id')) ?? ''
}
const forged = `<env:Body>${getCustomer('666').replace('<s:', `<s:`).replace('>', ` xmlns:s="${SHOP}">`)}</env:Body>`
const security = (xml: string): string => xml.match(/<wsse:Security.*<\/wsse:Security>/s)?.[0] ?? ''
const intoHeader = (xml: string, block: string): string => xml.replace('</env:Header>', `${block}</env:Header>`)
const intoSecurity = (xml: string, child: string): string => xml.replace('</wsse:Security>', `${child}</wsse:Security>`)
const withForgedBody = (xml: string, attributes = ''): string =>
  xml.replace(BODY, forged.replace('<env:Body', `<env:Body${attributes}`))

test('a message without an attack is accepted', async () => {
  expect(await findOutcome(signedMessage())).toBe(VALID)
  expect(await findOutcome(signAgain(signedMessage()))).toBe(VALID)
})

describe('signature wrapping (McIntosh and Austel 2005; Somorovsky and others 2011)', () => {
  const other = 'env:role="urn:other"'
  test.each<[string, (xml: string) => string, string]>([
    [
      'the signed Body in a header block, a new one in its place',
      (xml) => intoHeader(withForgedBody(xml), `<w:w xmlns:w="urn:w">${readBody(xml)}</w:w>`),
      'FailedCheck',
    ],
    [
      'the signed Body in a header block for another role',
      (xml) => intoHeader(withForgedBody(xml), `<w:w xmlns:w="urn:w" ${other}>${readBody(xml)}</w:w>`),
      'FailedCheck',
    ],
    [
      'the signed Body as a header block itself',
      (xml) => intoHeader(withForgedBody(xml), readBody(xml)),
      'FailedCheck',
    ],
    [
      'the signed Body in the Security header',
      (xml) => intoSecurity(withForgedBody(xml), readBody(xml)),
      'UnsupportedSecurityToken',
    ],
    [
      'the signed Body in an Object of the signature',
      (xml) => withForgedBody(xml).replace('</ds:Signature>', `<ds:Object>${readBody(xml)}</ds:Object></ds:Signature>`),
      'InvalidSecurity',
    ],
    [
      'the signed Body in KeyInfo',
      (xml) => withForgedBody(xml).replace('</ds:KeyInfo>', `${readBody(xml)}</ds:KeyInfo>`),
      'UnsupportedSecurityToken',
    ],
    [
      'the signed Body in the Timestamp',
      (xml) => withForgedBody(xml).replace('</wsu:Timestamp>', `${readBody(xml)}</wsu:Timestamp>`),
      'FailedCheck',
    ],
    [
      'the signed Body inside the new one',
      (xml) => xml.replace(BODY, forged.replace('</env:Body>', `${readBody(xml)}</env:Body>`)),
      'InvalidEnvelope',
    ],
    ['a second Body', (xml) => xml.replace(BODY, (body) => forged + body), 'InvalidEnvelope'],
    [
      'a second Envelope around it',
      (xml) =>
        `<env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope"><env:Header>${security(xml)}<w:w xmlns:w="urn:w">${xml.replace(/^<\?.*\?>/, '')}</w:w></env:Header>${forged}</env:Envelope>`,
      'FailedCheck',
    ],
    [
      'the id of the signed Body on both',
      (xml) =>
        intoHeader(
          withForgedBody(xml, ` xmlns:wsu="${WSU}" wsu:Id="${findId(xml, 'Body')}"`),
          `<w:w xmlns:w="urn:w">${readBody(xml)}</w:w>`,
        ),
      'FailedCheck',
    ],
    [
      'the id of the signed Body as xml:id of another element',
      (xml) => intoHeader(xml, `<w:w xmlns:w="urn:w" ${other} xml:id="${findId(xml, 'Body')}"/>`),
      'FailedCheck',
    ],
    [
      'the id of the signed Body as Id of another element',
      (xml) => intoHeader(xml, `<w:w xmlns:w="urn:w" ${other} Id="${findId(xml, 'Body')}"/>`),
      'FailedCheck',
    ],
    [
      'the signed Timestamp in a header block, a new one in its place',
      (xml) => {
        const signed = xml.match(/<wsu:Timestamp.*?<\/wsu:Timestamp>/)?.[0] ?? ''
        return intoHeader(
          xml.replace(
            signed,
            `<wsu:Timestamp><wsu:Created>${new Date(time.now()).toISOString()}</wsu:Created></wsu:Timestamp>`,
          ),
          `<w:w xmlns:w="urn:w" xmlns:wsu="${WSU}" ${other}>${signed}</w:w>`,
        )
      },
      'FailedCheck',
    ],
    ['a second Timestamp', (xml) => intoSecurity(xml, '<wsu:Timestamp/>'), 'InvalidSecurity'],
    ['a second Security header', (xml) => intoHeader(xml, `<wsse:Security xmlns:wsse="${WSSE}"/>`), 'InvalidSecurity'],
    [
      'the Security header for another role, and a new one',
      (xml) =>
        intoHeader(
          withForgedBody(xml).replace('<wsse:Security', `<wsse:Security ${other}`),
          `<wsse:Security xmlns:wsse="${WSSE}"/>`,
        ),
      'InvalidSecurity',
    ],
    [
      'the Security header for another role',
      (xml) => xml.replace('<wsse:Security', `<wsse:Security ${other}`),
      'InvalidSecurity',
    ],
    ['an unsigned header block', (xml) => intoHeader(xml, '<w:w xmlns:w="urn:w"/>'), 'FailedCheck'],
    ['the signature taken away', (xml) => xml.replace(/<ds:Signature .*<\/ds:Signature>/s, ''), 'InvalidSecurity'],
    [
      'a second signature',
      (xml) => intoSecurity(xml, xml.match(/<ds:Signature .*<\/ds:Signature>/s)?.[0] ?? ''),
      'InvalidSecurity',
    ],
    ['a changed Body', (xml) => xml.replace('>42<', '>666<'), 'FailedCheck'],
    ['a changed Timestamp', (xml) => xml.replace(/(Expires>)\d{4}/, '$19999'), 'FailedCheck'],
  ])('%s', async (_, attack, expected) => {
    const xml = signedMessage()
    const attacked = attack(xml)
    expect(attacked).not.toBe(xml)
    expect(await findOutcome(attacked)).toBe(expected)
  })

  test('a header block that is signed, moved, and replaced', async () => {
    const block = '<t:to xmlns:t="urn:t">bank</t:to>'
    const xml = signedMessage({ headers: [block] })
    expect(await findOutcome(xml)).toBe(VALID)
    const signed = xml.match(/<t:to.*<\/t:to>/)?.[0] ?? ''
    const wrapped = `<w:w xmlns:w="urn:w" env:role="urn:other">${signed}</w:w>`
    const again = signedMessage({ headers: [block] })
    expect(await findOutcome(again.replace(/<t:to.*<\/t:to>/, `<t:to xmlns:t="urn:t">eve</t:to>${wrapped}`))).toBe(
      'FailedCheck',
    )
  })

  test('header blocks need no signature if signedHeaders does not name them', async () => {
    const service = signedService({ signedHeaders: [{ uri: 'urn:t', local: 'to' }] })
    expect(await findOutcome(intoHeader(signedMessage(), '<w:w xmlns:w="urn:w"/>'), service)).toBe(VALID)
    expect(await findOutcome(intoHeader(signedMessage(), '<t:to xmlns:t="urn:t"/>'), service)).toBe('FailedCheck')
  })
})

describe('references', () => {
  const reference =
    (uri: string): ((xml: string) => string) =>
    (xml) =>
      xml.replace(/<ds:Reference URI="#B-[^"]*"/, `<ds:Reference URI="${uri}"`)
  test.each<[string, (xml: string) => string, string]>([
    ['to the whole message', reference(''), 'InvalidSecurity'],
    ['without a URI', (xml) => xml.replace(/<ds:Reference URI="#B-[^"]*"/, '<ds:Reference'), 'InvalidSecurity'],
    ['to another document', reference('http://localhost:1/body'), 'InvalidSecurity'],
    ['to a file', reference('file:///etc/passwd'), 'InvalidSecurity'],
    ['by XPointer', reference('#xpointer(/)'), 'InvalidSecurity'],
    ['by XPointer of an id', reference("#xpointer(id('B'))"), 'InvalidSecurity'],
    ['to an id that is not there', reference('#none'), 'FailedCheck'],
    ['to __proto__', reference('#__proto__'), 'FailedCheck'],
    [
      'to the signature',
      (xml) => reference('#S')(xml.replace('<ds:Signature ', `<ds:Signature wsu:Id="S" `)),
      'FailedCheck',
    ],
    ['twice to one part', (xml) => xml.replace(/<ds:Reference URI="#B-.*?<\/ds:Reference>/, '$&$&'), 'FailedCheck'],
    [
      'to the child of the Body only',
      (xml) =>
        reference('#C')(xml.replace('<x:GetCustomerRequest', `<x:GetCustomerRequest xmlns:wsu="${WSU}" wsu:Id="C"`)),
      'FailedCheck',
    ],
    ['to nothing', (xml) => xml.replace(/<ds:Reference .*<\/ds:Reference>/, ''), 'InvalidSecurity'],
    ['without the Timestamp', (xml) => xml.replace(/<ds:Reference URI="#TS-.*?<\/ds:Reference>/, ''), 'FailedCheck'],
    [
      'more than 32',
      (xml) => xml.replace(/<ds:Reference URI="#B-.*?<\/ds:Reference>/, (one) => one.repeat(40)),
      'InvalidSecurity',
    ],
  ])('%s', async (_, edit, expected) => {
    expect(await findOutcome(signAgain(edit(signedMessage())))).toBe(expected)
  })
})

describe('algorithms that are signed for, and still rejected', () => {
  const replaceIn =
    (tag: string, algorithm: string, content = '') =>
    (xml: string): string =>
      xml.replaceAll(
        new RegExp(`<ds:${tag} Algorithm="[^"]*">(<ec.*?>)?`, 'g'),
        `<ds:${tag} Algorithm="${algorithm}">${content}`,
      )
  const transform = (algorithm: string): ((xml: string) => string) => replaceIn('Transform', algorithm)
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
    ['no Transforms', (xml) => xml.replaceAll(/<ds:Transforms>.*?<\/ds:Transforms>/g, ''), 'InvalidSecurity'],
    [
      'a long PrefixList',
      (xml) =>
        xml.replaceAll(
          /<ds:Transform ([^>]*)>/g,
          `<ds:Transform $1><ec:InclusiveNamespaces xmlns:ec="${C14N}" PrefixList="${Array.from({ length: 65 }, (_, index) => `p${index}`).join(' ')}"></ec:InclusiveNamespaces>`,
        ),
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
      'a token of another type',
      (xml) => xml.replace('#X509v3" wsu', '#X509PKIPathv1" wsu'),
      'UnsupportedSecurityToken',
    ],
    ['no KeyInfo', (xml) => xml.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/, ''), 'InvalidSecurity'],
  ])('%s', async (_, edit, expected) => {
    expect(await findOutcome(edit(signedMessage()))).toBe(expected)
  })
})

describe('what canonicalization does not see, the handler does not either', () => {
  test('comments do not cut a value', async () => {
    const commented = signedMessage().replace('>42<', '>4<!-- -->2<')
    expect(await findOutcome(commented)).toBe(VALID)
  })

  test.each<[string, (xml: string) => string, string]>([
    ['a document type declaration', (xml) => xml.replace('?>', '?><!DOCTYPE x>'), 'DtdNotAllowed'],
    [
      'an entity for the value',
      (xml) => xml.replace('?>', '?><!DOCTYPE x [<!ENTITY id "666">]>').replace('>42<', '>&id;<'),
      'DtdNotAllowed',
    ],
    ['an entity that is not declared', (xml) => xml.replace('>42<', '>&id;<'), 'MalformedXml'],
    [
      'an attribute by default',
      (xml) => xml.replace('?>', '?><!DOCTYPE x [<!ATTLIST x y CDATA "z">]>'),
      'DtdNotAllowed',
    ],
    ['a processing instruction', (xml) => xml.replace('>42<', '>4<?x?>2<'), 'ProcessingInstructionNotAllowed'],
    [
      'another namespace for a prefix of a name',
      (xml) => xml.replace(`xmlns:x="${SHOP}"`, 'xmlns:x="urn:evil"'),
      'UnknownOperation',
    ],
    ['white space in an element', (xml) => xml.replace('<x:customerId>', ' <x:customerId>'), 'FailedCheck'],
  ])('%s', async (_, attack, expected) => {
    expect(await findOutcome(attack(signedMessage()))).toBe(expected)
  })

  const typed = (declaration: string, on = ''): string =>
    `<x:EchoRequest xmlns:x="${SHOP}" ${declaration}><x:string>a</x:string><x:long>1</x:long><x:int>1</x:int><x:unsignedByte>1</x:unsignedByte>` +
    '<x:decimal>1</x:decimal><x:double>1</x:double><x:boolean>true</x:boolean><x:dateTime>2026-01-01T00:00:00Z</x:dateTime><x:base64/>' +
    `<x:nillable i:nil="true"/><x:party i:type="p:Customer"${on}><c:id xmlns:c="urn:test:common">1</c:id><c:name xmlns:c="urn:test:common">n</c:name>` +
    '<c:email xmlns:c="urn:test:common">e</c:email></x:party><x:left>l</x:left></x:EchoRequest>'
  const I = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"'
  const P = 'xmlns:p="urn:test:common"'
  const trusting = () =>
    shopService({ security: [x509Signature({ trustedAuthorities: [authority.certificate], now: time.now })] })

  test('a prefix in xsi:type that the signature covers is accepted', async () => {
    expect(await findOutcome(signedMessage({ body: typed(`${I} ${P}`) }), trusting())).toMatch(/^200/)
  })

  test('a prefix in xsi:type that it does not cover is not: it can be bound to another namespace', async () => {
    const loose = signAgain(
      signedMessage({ body: typed(`${I} ${P}`) }).replaceAll(
        /<ec:InclusiveNamespaces.*?<\/ec:InclusiveNamespaces>/g,
        '',
      ),
    )
    expect(await findOutcome(loose, trusting())).toBe('FailedCheck')
    expect(await findOutcome(loose.replace(P, 'xmlns:p="urn:evil"'), trusting())).toBe('FailedCheck')
  })

  test('a prefix from outside of the Body is not either', async () => {
    const outside = signedMessage({ body: typed(I) }).replace('<env:Envelope ', `<env:Envelope ${P} `)
    expect(await findOutcome(outside, trusting())).toBe('FailedCheck')
  })

  test('a prefix of the list is the one that was signed', async () => {
    const xml = signedMessage({ body: typed(`${I} ${P}`) })
    expect(await findOutcome(xml.replace(P, 'xmlns:p="urn:evil"'), trusting())).toBe('FailedCheck')
    expect(await findOutcome(xml.replace('PrefixList="i p"', 'PrefixList="i p env"'), trusting())).toBe('FailedCheck')
  })
})

describe('replay', () => {
  test('a message counts once', async () => {
    const service = signedService()
    const xml = signedMessage()
    expect([await findOutcome(xml, service), await findOutcome(xml, service)]).toEqual([VALID, 'InvalidSecurity'])
  })

  test('also in another form: white space and comments outside of what is signed', async () => {
    const service = signedService()
    const xml = signedMessage()
    await findOutcome(xml, service)
    const other = xml.replace('<env:Header>', '<env:Header><!-- x -->\n').replace(/(SignatureValue>.{9})/, '$1\n')
    expect(await findOutcome(other, service)).toBe('InvalidSecurity')
  })

  test('also with the second signature value that ECDSA has for every message', async () => {
    const service = signedService()
    const xml = signedMessage({ identity: P256 })
    expect(await findOutcome(xml, service)).toMatch(/^200/)
    const value = Buffer.from(xml.match(/SignatureValue>([^<]*)/)?.[1] ?? '', 'base64')
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = order - BigInt(`0x${value.subarray(32).toString('hex')}`)
    const mirrored = value.toString('hex', 0, 32) + s.toString(16).padStart(64, '0')
    const other = xml.replace(/(SignatureValue>)[^<]*/, `$1${Buffer.from(mirrored, 'hex').toString('base64')}`)
    expect(await findOutcome(other, signedService())).toMatch(/^200/)
    expect(await findOutcome(other, service)).toBe('InvalidSecurity')
  })

  test('a message that was rejected does not count, and a full store rejects', async () => {
    const service = signedService()
    const xml = signedMessage()
    expect(await findOutcome(xml.replace('>42<', '>43<'), service)).toBe('FailedCheck')
    expect(await findOutcome(xml, service)).toBe(VALID)
    const full = signedService({ nonceStore: { add: () => 'full' } })
    expect(await findOutcome(signedMessage(), full)).toBe('503 Receiver/Unavailable')
  })
})
