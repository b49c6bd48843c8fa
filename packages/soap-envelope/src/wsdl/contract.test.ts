import { parseContract } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { readShop, shop } from '../testing/shop.ts'

test('reads the operations of the port type with their elements and actions (WSDL 1.1, 2.4)', () => {
  const operations = [...shop.operations.values()].map(({ name, input, output, faults, action }) => [
    ...[name, input.local, output?.local, faults.map(({ local }) => local), action],
  ])
  expect(operations).toEqual([
    ['echo', 'EchoRequest', 'EchoResponse', ['ServiceFault'], 'echo'],
    ['getCustomer', 'GetCustomerRequest', 'GetCustomerResponse', ['ServiceFault'], 'getCustomer'],
    ['listOrders', 'ListOrdersRequest', 'ListOrdersResponse', ['ServiceFault'], 'listOrders'],
    ['note', 'NoteRequest', undefined, [], 'note'],
  ])
  expect(shop).toMatchObject({ targetNamespace: 'urn:test:shop', service: 'ShopService', portType: 'ShopPortType' })
})

describe('publishes its documents', () => {
  test('with the address of the service, escaped, and its schemas under it', () => {
    const text = shop.wsdl('https://example.com/ws?a=1&b="2"')
    expect(text.match(/location="[^"]*"/gi)).toEqual([
      'Location="https://example.com/ws?a=1&amp;b=&quot;2&quot;?xsd=shop.xsd"',
      'location="https://example.com/ws?a=1&amp;b=&quot;2&quot;"',
      'location="https://example.com/ws?a=1&amp;b=&quot;2&quot;"',
    ])
  })

  test('each schema by its name, resolved against the one that refers to it', () => {
    expect(shop.schemas).toEqual(['shop.xsd', 'common/common.xsd', 'common/money.xsd'])
    expect(shop.xsd('shop.xsd', 'http://h/s')).toContain('schemaLocation="http://h/s?xsd=common%2Fcommon.xsd"')
    expect(shop.xsd('common/common.xsd', 'http://h/s')).toContain('schemaLocation="http://h/s?xsd=common%2Fmoney.xsd"')
  })

  test.each(['', 'none.xsd', '../shop.xsd', '/etc/passwd', '__proto__', 'constructor'])('no other: %j', (name) => {
    expect(shop.xsd(name, 'http://h/s')).toBeUndefined()
  })
})

describe('refuses a document at start', () => {
  const wsdl = readShop('shop.wsdl')
  const change = (from: string | RegExp, to: string): string => {
    const changed = wsdl.replace(from, to)
    expect(changed).not.toBe(wsdl)
    return changed
  }
  test.each([
    ['that is no XML', () => 'x', 'not well-formed'],
    ['that is no WSDL', () => '<a/>', 'is no WSDL 1.1 definitions'],
    ['without a service', () => change(/<wsdl:service[^]*<\/wsdl:service>/, ''), 'no service'],
    ['of rpc style', () => change('style="document"/>', 'style="rpc"/>'), 'is not document/literal'],
    ['with encoded use', () => change('use="literal"', 'use="encoded"'), 'is not document/literal'],
    [
      'whose message refers to a type',
      () => change('element="s:EchoRequest"', 'type="s:Everything"'),
      'refers to an element',
    ],
    [
      'whose message has two parts',
      () => change(/(<wsdl:part name="parameters" element="s:NoteRequest"\/>)/, '$1$1'),
      'needs one part',
    ],
    [
      'whose element is not declared',
      () => change('element="s:EchoRequest"', 'element="s:None"'),
      'no schema declares',
    ],
    ['whose message is missing', () => change('message="s:EchoRequest"', 'message="s:None"'), 'None of echo'],
    [
      'with two operations for one element',
      () => change('element="s:NoteRequest"', 'element="s:EchoRequest"'),
      'same element',
    ],
    [
      'whose bindings disagree on an action',
      () => change('soapAction="note"', 'soapAction="other"'),
      'different soapActions',
    ],
    [
      'with a notification',
      () => change('<wsdl:input message="s:NoteRequest"/>', '<wsdl:output message="s:NoteRequest"/>'),
      'notification',
    ],
    [
      'with a solicit-response',
      () =>
        change(
          '<wsdl:input message="s:NoteRequest"/>',
          '<wsdl:output message="s:NoteRequest"/><wsdl:input message="s:NoteRequest"/>',
        ),
      'solicit-response',
    ],
    [
      'with an operation that no binding has',
      () =>
        change(
          '<wsdl:input message="s:NoteRequest"/>\n    </wsdl:operation>',
          '<wsdl:input message="s:NoteRequest"/></wsdl:operation>' +
            '<wsdl:operation name="more"><wsdl:input message="s:NoteRequest"/></wsdl:operation>',
        ),
      'no SOAP binding speaks of the operation more',
    ],
  ])('%s', (_, text, message) => {
    const read = () => parseContract(text(), { resolveImport: readShop })
    expect(read).toThrow(TypeError)
    expect(read).toThrow(message)
  })

  test('whose schema is not found', () => {
    expect(() => parseContract(wsdl)).toThrow('the schema "shop.xsd" was not found')
  })
})

test('reads a WSDL that imports another one, and a schema written inside', () => {
  const inline = readShop('shop.wsdl').replace(
    /<xsd:schema>[^]*<\/xsd:schema>/,
    readShop('shop.xsd').replace(/^<\?.*\?>/, ''),
  )
  const main = `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:main"><w:import namespace="urn:test:shop" location="shop.wsdl"/></w:definitions>`
  const resolveImport = (name: string): string => (name === 'shop.wsdl' ? inline : readShop(name))
  const contract = parseContract(main, { resolveImport })
  expect(contract.operations.size).toBe(4)
  expect(contract.targetNamespace).toBe('urn:main')
  expect(contract.wsdl('http://h/s')).toContain('location="http://h/s?wsdl=shop.wsdl"')
  expect(contract.wsdl('http://h/s', 'shop.wsdl')).toContain('address location="http://h/s"')
  expect(contract.wsdl('http://h/s', 'none.wsdl')).toBeUndefined()
})
