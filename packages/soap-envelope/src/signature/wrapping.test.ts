import { describe, expect, test } from 'vitest'
import { BODY, findId, forged, intoHeader, VALID, withForgedBody } from '../testing/attacks.ts'
import { findOutcome, signAgain, signedMessage, signedService, time } from '../testing/signing.ts'
import { WSSE, WSU } from '../xml/names.ts'

const readBody = (xml: string): string => xml.match(BODY)?.[0] ?? ''
const security = (xml: string): string => xml.match(/<wsse:Security.*<\/wsse:Security>/s)?.[0] ?? ''
const intoSecurity = (xml: string, child: string): string => xml.replace('</wsse:Security>', `${child}</wsse:Security>`)

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
