import { parseContract, parseEnvelope, SoapFault, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { describe, expect, test } from 'vitest'
import { findContract } from '../testing/corpus/contracts.ts'
import { faultIn, post } from '../testing/post.ts'
import { ENV11, ENV12, envelope, getCustomer, readShop, shop, shopOperations, shopService } from '../testing/shop.ts'
import { WSA } from './addressing.ts'

const wsa = (name: string, value: string): string => `<a:${name} xmlns:a="${WSA}">${value}</a:${name}>`
const action = wsa('Action', 'getCustomer')
const id = wsa('MessageID', 'urn:uuid:1')
const replyTo = (address: string, name = 'ReplyTo'): string => wsa(name, `<a:Address>${address}</a:Address>`)
const service = shopService({ addressing: true })

async function blocksOf(body: string): Promise<Record<string, string>> {
  const { headers } = await parseEnvelope(Buffer.from(body))
  return Object.fromEntries(headers.map(({ element }) => [element.local, element.text]))
}

test('a reply relates to its request and names its action (WS-Addressing 1.0 Core, 3.4)', async () => {
  const header = action + id + replyTo(`${WSA}/anonymous`)
  const { status, body } = await post(service, envelope(getCustomer(), header))
  expect(status).toBe(200)
  expect(await blocksOf(body)).toEqual({
    Action: 'urn:test:shop:ShopPortType:getCustomerResponse',
    MessageID: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    To: `${WSA}/anonymous`,
    RelatesTo: 'urn:uuid:1',
  })
})

test('a fault relates to its request too', async () => {
  const failing = shopService(
    { addressing: true },
    {
      getCustomer: () => {
        throw new SoapFault({ code: 'Sender', reason: 'no' })
      },
    },
  )
  const { body } = await post(failing, envelope(getCustomer(), action + id))
  expect(await blocksOf(body)).toMatchObject({ Action: `${WSA}/soap/fault`, RelatesTo: 'urn:uuid:1' })
})

describe('rejects', () => {
  test.each([
    [
      'an address to dial',
      action + id + replyTo('http://attacker.example/'),
      'InvalidAddressingHeader/OnlyAnonymousAddressSupported',
    ],
    [
      'an address for faults',
      action + id + replyTo('http://169.254.169.254/', 'FaultTo'),
      'InvalidAddressingHeader/OnlyAnonymousAddressSupported',
    ],
    [
      'none as the address of replies',
      action + id + replyTo(`${WSA}/none`),
      'InvalidAddressingHeader/OnlyAnonymousAddressSupported',
    ],
    ['a reference without an address', action + id + wsa('ReplyTo', ''), 'InvalidAddressingHeader/MissingAddressInEPR'],
    ['two actions', action + action + id, 'InvalidAddressingHeader/InvalidCardinality'],
    ['no action', id, 'MessageAddressingHeaderRequired'],
    ['no id', action, 'MessageAddressingHeaderRequired'],
    ['the action of another operation', wsa('Action', 'note') + id, 'ActionNotSupported'],
  ])('%s', async (_, header, code) => {
    expect(await faultIn(await post(service, envelope(getCustomer(), header)))).toBe(`400 Sender/${code}`)
  })
})

test('none is the address of replies to a message that gets none', async () => {
  const header = wsa('Action', 'note') + id + replyTo(`${WSA}/none`)
  const { status } = await post(service, envelope('<s:NoteRequest><s:text>x</s:text></s:NoteRequest>', header))
  expect(status).toBe(202)
})

test('none is an address of faults', async () => {
  const header = action + id + replyTo(`${WSA}/none`, 'FaultTo')
  expect((await post(service, envelope(getCustomer(), header))).status).toBe(200)
})

test('blocks are understood only where it is used', async () => {
  const must = action.replace('>', ` xmlns:e="${ENV12}" e:mustUnderstand="1">`) + id
  expect((await post(service, envelope(getCustomer(), must))).status).toBe(200)
  expect(await faultIn(await post(shopService(), envelope(getCustomer(), must)))).toBe('500 MustUnderstand')
  expect((await post(service, envelope(getCustomer()))).status).toBe(200)
})

test('a contract says that it is used, and which actions its messages have', () => {
  const text = readShop('shop.wsdl')
    .replaceAll(
      '<wsdl:input message="s:GetCustomerRequest"/>',
      '<wsdl:input message="s:GetCustomerRequest" m:Action="urn:get" xmlns:m="http://www.w3.org/2007/05/addressing/metadata"/>',
    )
    .replace(
      '<soap12:binding',
      '<m:UsingAddressing xmlns:m="http://www.w3.org/2006/05/addressing/wsdl"/><soap12:binding',
    )
  const contract = parseContract(text, { resolveImport: readShop })
  expect([contract.usesAddressing, shop.usesAddressing]).toEqual([true, false])
  expect(contract.operations.get('getCustomer')?.input.action).toBe('urn:get')
  expect(contract.operations.get('note')?.input.action).toBe('note')
})

describe('the action of HTTP', () => {
  const operation = 'getCustomer'
  const contract = parseContract(readShop('shop.wsdl').replaceAll(`soapAction="${operation}"`, 'soapAction=""'), {
    resolveImport: readShop,
  })
  const full = 'urn:test:shop:ShopPortType:getCustomerRequest'
  const send = async (httpAction: string, settings: object = { addressing: true }): Promise<number> => {
    const served = soapService({ wsdl: contract, operations: shopOperations, ...settings })
    const contentType = `application/soap+xml; action="${httpAction}"`
    return (await post(served, envelope(getCustomer(), wsa('Action', full) + id), { contentType })).status
  }
  test('may be that of WS-Addressing (WS-Addressing 1.0 SOAP binding, 3.2)', async () => {
    expect(await send(full)).toBe(200)
    const xml = envelope(getCustomer(), wsa('Action', full) + id, ENV11)
    const served = soapService({ wsdl: contract, operations: shopOperations, addressing: true })
    expect((await post(served, xml, { contentType: 'text/xml', action: `"${full}"` })).status).toBe(200)
  })
  test('must not be another one', async () => {
    expect(await send('urn:test:shop:ShopPortType:noteRequest')).toBe(400)
  })
  test('is not compared with it if WS-Addressing is not used', async () => {
    expect(await send(full, { addressing: false })).toBe(400)
  })
  test('chooses between operations of one element', async () => {
    const shape = findContract('two operations with one element, distinguished by the action')
    const text = shape.documents['main.wsdl']?.replace('soapAction="urn:check"', '')
    const operations = { call: () => ({ id: 1n }), check: () => ({ id: 2n }) }
    const twoOperations = parseContract(text ?? '')
    const served = soapService({ wsdl: twoOperations, operations, addressing: true })
    const check = twoOperations.operations.get('check')?.input.action ?? ''
    const xml = envelope('<Request xmlns="urn:corpus"><id>1</id></Request>', wsa('Action', check) + id)
    const answer = await post(served, xml, { contentType: `application/soap+xml; action="${check}"` })
    expect(answer.body).toContain('>2<')
  })
})

describe('a client', () => {
  const shape = findContract('WCF: policies and a required addressing')
  const contract = parseContract(shape.documents['main.wsdl'] ?? '')
  const served = soapService({ wsdl: contract, operations: { call: (input: unknown) => input } })
  const clientOf = (change: (body: string) => string): ReturnType<typeof soapClient> =>
    soapClient(contract, {
      endpoint: 'http://service/',
      fetch: async (_, init) => {
        const { status, headers, body } = await post(served, String(init?.body))
        return new Response(change(body), { status, headers })
      },
    })
  test('relates responses to requests', async () => {
    const { output, envelope: reply } = await clientOf((body) => body).send('call', { id: 7n })
    expect(output).toEqual({ id: 7n })
    expect(reply?.headers.map(({ element }) => element.local)).toContain('RelatesTo')
  })
  test('rejects the response to another message', async () => {
    const other = clientOf((body) => body.replace(/(<wsa:RelatesTo[^>]*>)[^<]*/, '$1urn:uuid:other'))
    await expect(other.call('call', { id: 7n })).rejects.toThrow('relates to another message')
  })
  test('rejects a response that relates to no message', async () => {
    const other = clientOf((body) => body.replace(/<wsa:RelatesTo.*<\/wsa:RelatesTo>/, ''))
    await expect(other.call('call', { id: 7n })).rejects.toThrow('does not relate to the request')
    const related = clientOf((body) => body.replace('<wsa:RelatesTo', '<wsa:RelatesTo RelationshipType="urn:x"'))
    await expect(related.call('call', { id: 7n })).rejects.toThrow('does not relate to the request')
  })
  test('accepts other relations in addition (WS-Addressing 1.0 Core, 3.4)', async () => {
    const more = clientOf((body) =>
      body
        .replace('<wsa:RelatesTo', `<wsa:RelatesTo RelationshipType="${WSA}/reply"`)
        .replace('<env:Header>', `<env:Header>${wsa('RelatesTo RelationshipType="urn:x"', 'urn:y')}`)
        .replace('</a:RelatesTo RelationshipType="urn:x">', '</a:RelatesTo>'),
    )
    expect(await more.call('call', { id: 7n })).toEqual({ id: 7n })
  })
  test('throws a fault that relates to no message: the service may have read no id', async () => {
    const fault = shopService().fault(new SoapFault({ code: 'Receiver', reason: 'Busy.' }), { method: 'POST' })
    await expect(clientOf(() => fault.body).call('call', { id: 7n })).rejects.toThrow('Busy.')
  })
})
