import { describe, expect, test } from 'vitest'
import { SoapFault } from '../fault.ts'
import { FAULTS, SOAP11, WSSE } from '../xml/names.ts'
import { parseEnvelope } from './parse.ts'
import { readFault } from './read-fault.ts'
import { type FaultWriting, writeFault } from './write-fault.ts'

function inner(fault: SoapFault, writing: FaultWriting): string {
  return writeFault(fault, writing).replace(/^.*?<env:Envelope[^>]*>|<\/env:Envelope>$/gs, '')
}

const full = new SoapFault({
  code: 'Sender',
  subcodes: [{ uri: 'urn:a', local: 'Outer' }, 'Inner'],
  reason: { en: 'No & none', de: 'Nein' },
  node: 'urn:node',
  role: 'urn:role',
  detail: '<d xmlns="urn:d"/>',
})

test('writes the parts of a 1.2 fault in their order (SOAP 1.2 part 1, 5.4)', () => {
  expect(inner(full, { version: '1.2' })).toBe(
    '<env:Body><env:Fault><env:Code><env:Value>env:Sender</env:Value>' +
      '<env:Subcode><env:Value xmlns:f="urn:a">f:Outer</env:Value>' +
      `<env:Subcode><env:Value xmlns:f="${FAULTS}">f:Inner</env:Value></env:Subcode></env:Subcode></env:Code>` +
      '<env:Reason><env:Text xml:lang="en">No &amp; none</env:Text><env:Text xml:lang="de">Nein</env:Text></env:Reason>' +
      '<env:Node>urn:node</env:Node><env:Role>urn:role</env:Role><env:Detail><d xmlns="urn:d"/></env:Detail>' +
      '</env:Fault></env:Body>',
  )
})

test('writes the parts of a 1.1 fault, a foreign subcode as the code (SOAP 1.1, 4.4)', () => {
  expect(inner(full, { version: '1.1', languages: ['de-DE', 'de'] })).toBe(
    '<env:Body><env:Fault><faultcode xmlns:f="urn:a">f:Outer</faultcode><faultstring>Nein</faultstring>' +
      '<faultactor>urn:role</faultactor><detail><d xmlns="urn:d"/></detail></env:Fault></env:Body>',
  )
})

test.each([
  ['VersionMismatch', 'env:VersionMismatch'],
  ['MustUnderstand', 'env:MustUnderstand'],
  ['DataEncodingUnknown', 'env:Client'],
  ['Sender', 'env:Client'],
  ['Receiver', 'env:Server'],
] as const)('writes %s as %s in SOAP 1.1', (code, faultcode) => {
  const fault = new SoapFault({ code, reason: 'x', subcodes: ['Ours'] })
  expect(inner(fault, { version: '1.1' })).toContain(`<faultcode>${faultcode}</faultcode>`)
})

test('uses the namespace that a service gives its subcodes', () => {
  const fault = new SoapFault({ code: 'Sender', reason: 'x', subcodes: ['Ours'] })
  expect(inner(fault, { version: '1.2', faultNamespace: 'urn:mine' })).toContain('xmlns:f="urn:mine">f:Ours<')
})

test.each(['1.2', '1.1'] as const)(
  'writes a subcode without a namespace without a prefix in SOAP %s',
  async (version) => {
    const fault = new SoapFault({ code: 'Sender', reason: 'x', subcodes: [{ uri: '', local: 'Own' }] })
    const { body } = await parseEnvelope(Buffer.from(writeFault(fault, { version })))
    expect(body && readFault(body, version, 400).subcodes).toEqual([{ uri: '', local: 'Own' }])
  },
)

test('always has a reason', () => {
  expect(inner(new SoapFault({ code: 'Sender', reason: '' }), { version: '1.2' })).toContain(
    '<env:Text xml:lang="en">Sender</env:Text>',
  )
})

describe('header blocks of faults', () => {
  const upgrade = new SoapFault({ code: 'VersionMismatch', reason: 'x' })
  test('Upgrade offers the versions, the best first (SOAP 1.2 part 1, 5.4.7)', () => {
    expect(inner(upgrade, { version: '1.2' })).toMatch(
      /^<env:Header><env:Upgrade><env:SupportedEnvelope qname="s12:Envelope" xmlns:s12="[^"]*soap-envelope"\/><env:SupportedEnvelope qname="s11:Envelope" xmlns:s11="[^"]*soap\/envelope\/"\/><\/env:Upgrade><\/env:Header>/,
    )
    expect(inner(upgrade, { version: '1.2', supported: ['1.2'] })).not.toContain('s11')
    expect(inner(upgrade, { version: '1.1' })).toContain(
      '<env:Upgrade xmlns:env="http://www.w3.org/2003/05/soap-envelope">',
    )
  })

  test('NotUnderstood names each block in 1.2, and 1.1 has none (5.4.8)', () => {
    const fault = new SoapFault({ code: 'MustUnderstand', reason: 'x', notUnderstood: [{ uri: 'urn:"&', local: 'h' }] })
    expect(inner(fault, { version: '1.2' })).toContain(
      '<env:Header><env:NotUnderstood qname="p:h" xmlns:p="urn:&quot;&amp;"/></env:Header>',
    )
    expect(inner(fault, { version: '1.1' })).not.toContain('Header')
  })
})

test.each(['1.2', '1.1'] as const)('a fault of %s is read back', async (version) => {
  const { body } = await parseEnvelope(Buffer.from(writeFault(full, { version })))
  const read = body && readFault(body, version, 400)
  expect(read).toMatchObject({ code: 'Sender', role: 'urn:role', detail: '<d xmlns="urn:d"/>', httpStatus: 400 })
  expect(read?.subcodes[0]).toEqual({ uri: 'urn:a', local: 'Outer' })
  expect(read?.message).toBe('No & none')
  if (version === '1.2') expect(read?.reasons).toEqual(full.reasons)
})

test('reads a fault that lacks everything', async () => {
  const empty = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><e:Fault/></e:Body></e:Envelope>`
  const { body } = await parseEnvelope(Buffer.from(empty))
  expect(body && readFault(body, '1.2', 500)).toMatchObject({ code: 'Receiver', message: '', subcodes: [] })
})

const code = (text: string): string => `<faultcode>${text}</faultcode>`

test.each([
  ['a code of SOAP', code('e:Server.Timeout'), 'Receiver', []],
  ['a code of SOAP, of the client', code('e:Client'), 'Sender', []],
  ['a code without a prefix', code('Server'), 'Receiver', []],
  ['a code without a prefix, of the client', code('Client.Input'), 'Sender', []],
  ['a prefix that is not bound', code('soap:Server'), 'Receiver', []],
  ['a prefix that is not bound, of the client', code('soap:Client'), 'Sender', []],
  ['a name of SOAP 1.2', code('e:Sender'), 'Sender', []],
  ['a code of another namespace', code('o:Busy'), 'Sender', [{ uri: 'urn:o', local: 'Busy' }]],
  ['an unknown code without a prefix', code('Busy'), 'Receiver', [{ uri: '', local: 'Busy' }]],
  ['nothing', '', 'Receiver', []],
])('reads a 1.1 fault with %s (SOAP 1.1, 4.4.1)', async (_, content, expected, subcodes) => {
  const xml = `<e:Envelope xmlns:e="${SOAP11}" xmlns:o="urn:o"><e:Body><e:Fault>${content}</e:Fault></e:Body></e:Envelope>`
  const { body } = await parseEnvelope(Buffer.from(xml))
  expect(body && readFault(body, '1.1', 500)).toMatchObject({ code: expected, subcodes })
})

test('reads a 1.1 fault whose parts are in the namespace of the envelope', async () => {
  const parts = '<faultcode>Server</faultcode><faultstring>boom</faultstring><detail><d xmlns="urn:d"/></detail>'
  const xml = `<Envelope xmlns="${SOAP11}"><Body><Fault>${parts}</Fault></Body></Envelope>`
  const { body } = await parseEnvelope(Buffer.from(xml))
  expect(body && readFault(body, '1.1', 500)).toMatchObject({
    code: 'Receiver',
    message: 'boom',
    detail: '<d xmlns="urn:d"/>',
  })
})

test('a fault of WS-Security keeps its code in 1.1', () => {
  const fault = new SoapFault({ code: 'Sender', reason: 'x', subcodes: [{ uri: WSSE, local: 'FailedAuthentication' }] })
  expect(inner(fault, { version: '1.1' })).toContain(`<faultcode xmlns:f="${WSSE}">f:FailedAuthentication</faultcode>`)
})
