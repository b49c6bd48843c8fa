import { x509Signature } from '@svc/soap-envelope/signature'
import { describe, expect, test } from 'vitest'
import { P256, VALID } from '../testing/attacks.ts'
import { SHOP, shopService } from '../testing/shop.ts'
import { authority, findOutcome, signAgain, signedMessage, signedService, time } from '../testing/signing.ts'

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
