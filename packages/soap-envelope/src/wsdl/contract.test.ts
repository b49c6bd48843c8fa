import { parseContract } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import {
  binding,
  definitions,
  element,
  MESSAGES,
  message,
  part,
  port,
  portType,
  schema,
  sequence,
  service,
  typed,
  types,
} from '../testing/corpus/shapes.ts'
import { readShop, shop } from '../testing/shop.ts'

test('reads the operations of the port type with their elements and actions (WSDL 1.1, 2.4)', () => {
  const operations = [...shop.operations.values()].map(({ name, input, output, faults, action }) => [
    name,
    input.element?.local,
    output?.element?.local,
    faults.map(({ element }) => element.local),
    action,
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

  test('with the addresses of other services as they are', () => {
    const other =
      '<wsdl:service name="Other"><wsdl:port name="P" binding="s:ShopBinding"><a:address xmlns:a="urn:a" location="https://other.example/x"/></wsdl:port></wsdl:service>'
    const wsdl = readShop('shop.wsdl').replace('</wsdl:definitions>', `${other}</wsdl:definitions>`)
    const text = parseContract(wsdl, { resolveImport: readShop }).wsdl('http://h/s')
    expect(text.match(/address.*location="[^"]*"/g)).toEqual([
      expect.stringContaining('"http://h/s"'),
      expect.stringContaining('"http://h/s"'),
      expect.stringContaining('"https://other.example/x"'),
    ])
  })

  test('each schema by its name, resolved against the one that refers to it', () => {
    expect(shop.schemas).toEqual(['shop.xsd', 'common/common.xsd', 'common/money.xsd'])
    expect(shop.xsd('shop.xsd', 'http://h/s')).toContain('schemaLocation="http://h/s?xsd=common%2Fcommon.xsd"')
    expect(shop.xsd('common/common.xsd', 'http://h/s')).toContain('schemaLocation="http://h/s?xsd=common%2Fmoney.xsd"')
  })

  test('a schema whose name must be escaped', () => {
    const wsdl = readShop('shop.wsdl').replace('"shop.xsd"', "' schemas?of=shop&amp;v=&#49;&#x2e;0 '")
    const names: Record<string, string> = { 'schemas?of=shop&v=1.0': 'shop.xsd' }
    const contract = parseContract(wsdl, { resolveImport: (name) => readShop(names[name] ?? name) })
    const name = encodeURIComponent('schemas?of=shop&v=1.0')
    expect(contract.wsdl('http://h/s')).toContain(`schemaLocation="http://h/s?xsd=${name}"`)
    expect(contract.xsd('schemas?of=shop&v=1.0', 'http://h/s')).toContain('xsd=common%2Fcommon.xsd')
  })

  test('with the encoding in which it is sent (XML 1.0, 4.3.3)', () => {
    const read = (name: string): string =>
      readShop(name)
        .replace(/^<\?xml.*?\?>\s*/, '')
        .replace(/^/, "<?xml version='1.0' encoding = 'ISO-8859-1' ?>")
    const contract = parseContract(read('shop.wsdl'), { resolveImport: read })
    for (const text of [contract.wsdl('http://h/s'), contract.xsd('shop.xsd', 'http://h/s')])
      expect(text?.slice(0, 41)).toBe(`<?xml version='1.0' encoding = "UTF-8" ?>`)
    expect(shop.xsd('shop.xsd', 'http://h/s')?.slice(0, 60)).toBe(readShop('shop.xsd').slice(0, 60))
  })

  test('and replaces an address after an attribute with >, and no attribute of another namespace', () => {
    const wsdl = readShop('shop.wsdl')
      .replace('address location', `address xmlns:k='urn:a>"b' k:location="urn:k" location`)
      .replace('" schemaLocation', '" xmlns:k="urn:>" schemaLocation')
    const text = parseContract(wsdl, { resolveImport: readShop }).wsdl('http://h/s')
    expect(text.match(/location="[^"]*"/gi)).toEqual([
      'Location="http://h/s?xsd=shop.xsd"',
      'location="urn:k"',
      'location="http://h/s"',
      'location="http://h/s"',
    ])
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
    ['that is no XML', () => '<a', 'not well-formed'],
    ['that is no WSDL', () => '<a/>', 'is not a WSDL 1.1 definitions'],
    ['that is the name of a file', () => './shop.wsdl', "pass readFileSync('./shop.wsdl', 'utf8')"],
    ['without a binding', () => change(/<wsdl:binding[^]*<\/wsdl:service>/, ''), 'has no wsdl:binding'],
    ['of another style', () => change(/style="document"/g, 'style="literal"'), 'has the style "literal"'],
    [
      'over another transport',
      () => change(/transport="[^"]*"/g, 'transport="urn:jms"'),
      'uses the transport urn:jms, not HTTP',
    ],
    [
      'that requires an extension',
      () =>
        change(
          '<wsdl:operation name="echo">\n      <soap12',
          '<x:y xmlns:x="urn:x" wsdl:required="true"/><wsdl:operation name="echo">\n      <soap12',
        ),
      'requires the extension {urn:x}y',
    ],
    [
      'whose body names a part that does not exist',
      () => change('<soap12:body use="literal"/>', '<soap12:body use="literal" parts="other"/>'),
      'names the part "other"',
    ],
    [
      'whose header names a part that does not exist',
      () =>
        change(
          '<soap12:body use="literal"/>',
          '<soap12:body use="literal"/><soap12:header message="s:EchoRequest" part="other" use="literal"/>',
        ),
      'names the part "other"',
    ],
    ['with encoded use', () => change('use="literal"', 'use="encoded"'), 'has document style with SOAP encoding'],
    [
      'whose message refers to a type',
      () => change('element="s:EchoRequest"', 'type="s:Everythin"'),
      'the schema has no type {urn:test:shop}Everythin',
    ],
    [
      'whose message has two parts',
      () => change(/(<wsdl:part name="parameters" element="s:NoteRequest"\/>)/, '$1$1'),
      'has the part parameters twice',
    ],
    [
      'whose element is not declared',
      () => change('element="s:EchoRequest"', 'element="s:None"'),
      'no schema declares',
    ],
    [
      'whose message is missing',
      () => change('message="s:EchoRequest"', 'message="s:None"'),
      'wsdl:input of echo refers to the message "s:None"',
    ],
    [
      'with an operation that no binding has',
      () =>
        change(
          '<wsdl:input message="s:NoteRequest"/>\n    </wsdl:operation>',
          '<wsdl:input message="s:NoteRequest"/></wsdl:operation>' +
            '<wsdl:operation name="more"><wsdl:input message="s:NoteRequest"/></wsdl:operation>',
        ),
      'the binding ShopBinding lacks the operation more',
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

test('two header blocks whose parts have one name are two values', () => {
  const block = (name: string) => `<s12:header message="t:${name}" part="header" use="literal"/>`
  const elements = typed('Request', sequence()) + typed('Response', sequence())
  const contract = parseContract(
    definitions(
      types(schema(elements + element('h1', 'x:string') + element('h2', 'x:int'))) +
        MESSAGES +
        message('m1', part('header', 'element="t:h1"')) +
        message('m2', part('header', 'element="t:h2"')) +
        portType() +
        binding('s12', 'B', { input: `<s12:body use="literal"/>${block('m1')}${block('m2')}` }) +
        service(port('s12', 'P', 'B')),
    ),
  )
  const headers = contract.operations.get('call')?.input.headers ?? []
  expect(headers.map(({ name, element: { local } }) => [name, local])).toEqual([
    ['header', 'h1'],
    ['header2', 'h2'],
  ])
})
