import { parseContract, parseEnvelope, SoapFault, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { describe, expect, test } from 'vitest'
import { findContract } from '../testing/corpus/contracts.ts'
import { faultIn, post } from '../testing/post.ts'
import { ENV12, envelope, getCustomer, readShop, shop, shopService } from '../testing/shop.ts'
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
})
