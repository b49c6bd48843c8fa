import {
  attribute,
  type BindingOptions,
  binding,
  complex,
  definitions,
  element,
  extension,
  facet,
  MESSAGES,
  message,
  NS,
  operation,
  part,
  port,
  portType,
  REST,
  type Shape,
  schema,
  sequence,
  service,
  text,
  typed,
  types,
  XSD,
} from './shapes.ts'

const DATA = sequence(element('id', 'x:long'), element('name', 'x:string', 'minOccurs="0"'))
const SCHEMA = schema(typed('Request', DATA) + typed('Response', DATA))
const writeImport = (namespace: string, location?: string): string =>
  `<x:import namespace="${namespace}"${location === undefined ? '' : ` schemaLocation="${location}"`}/>`
const include = (location: string): string => `<x:include schemaLocation="${location}"/>`

function shape(
  name: string,
  main: string,
  more: Readonly<Record<string, string>> = {},
  rest: Partial<Shape> = {},
): Shape {
  return { name, main: 'main.wsdl', documents: { 'main.wsdl': main, ...more }, ...rest }
}

/** A contract whose schemas are files: a driver imports the first. */
function files(name: string, main: Readonly<Record<string, string>>, first = 'types.xsd'): Shape {
  return shape(name, definitions(types(`<x:schema>${writeImport(NS, first)}</x:schema>`) + REST), main)
}

const both = (options: BindingOptions = {}): string => binding('s', 'B11', options) + binding('s12', 'B12', options)
const bothPorts = port('s', 'P11', 'B11') + port('s12', 'P12', 'B12')

// ASMX writes four ports: SOAP of both versions, and HTTP GET and POST.
const httpBinding = (verb: string): string =>
  `<w:binding name="Http${verb}" type="t:Http${verb}"><h:binding xmlns:h="http://schemas.xmlsoap.org/wsdl/http/" verb="${verb}"/><w:operation name="call"><h:operation xmlns:h="http://schemas.xmlsoap.org/wsdl/http/" location="/call"/><w:input><h:urlEncoded xmlns:h="http://schemas.xmlsoap.org/wsdl/http/"/></w:input><w:output/></w:operation></w:binding>`
const httpType = (verb: string): string =>
  `<w:portType name="Http${verb}"><w:operation name="call"><w:input message="t:HttpIn"/><w:output message="t:HttpOut"/></w:operation></w:portType>`
const httpPort = (verb: string): string =>
  `<w:port name="Http${verb}" binding="t:Http${verb}"><h:address xmlns:h="http://schemas.xmlsoap.org/wsdl/http/" location="http://localhost/"/></w:port>`
const asmx = definitions(
  types(SCHEMA) +
    MESSAGES +
    message('HttpIn', part('id', 'type="x:string"')) +
    message('HttpOut', part('Body', 'element="t:Response"')) +
    portType() +
    ['GET', 'POST'].map(httpType).join('') +
    both() +
    ['GET', 'POST'].map(httpBinding).join('') +
    service(bothPorts + ['GET', 'POST'].map(httpPort).join('')),
)

const header = (soap: 's' | 's12', name = 'session', of = 'Headers'): string =>
  `<${soap}:header message="t:${of}" part="${name}" use="literal"/>`
const HEADER_SCHEMA = schema(
  typed('Request', DATA) +
    typed('Response', DATA) +
    typed('Session', sequence(element('token', 'x:string'))) +
    element('Trace', 'x:int'),
)
const HEADERS = message('Headers', part('session', 'element="t:Session"'), part('trace', 'element="t:Trace"'))
const withHeaders = (input: string, output: string): string =>
  definitions(
    types(HEADER_SCHEMA) +
      MESSAGES +
      HEADERS +
      portType() +
      binding('s12', 'B', { input, output }) +
      service(port('s12', 'P', 'B')),
  )

const fault = (name: string, of: string): string => `<w:fault name="${name}" message="t:${of}"/>`
const boundFault = (name: string): string =>
  `<w:fault name="${name}"><s12:fault name="${name}" use="literal"/></w:fault>`

const wsdlImport = (namespace: string, location: string): string =>
  `<w:import namespace="${namespace}" location="${location}"/>`
const rpcBody = (soap: 's' | 's12', more = ''): string => `<${soap}:body use="literal" namespace="urn:rpc"${more}/>`
const rpcWrappers = (call: string, response: string): NonNullable<Shape['wrappers']> => ({
  'urn:rpc': typed('call', call) + typed('callResponse', response),
})

/** The ways in which contracts are put together. */
export const PACKAGINGS: readonly Shape[] = [
  shape('ASMX: SOAP of both versions next to HTTP GET and POST', asmx),
  shape(
    'SOAP 1.1 only',
    definitions(types(SCHEMA) + MESSAGES + portType() + binding('s', 'B') + service(port('s', 'P', 'B'))),
  ),
  shape(
    'both versions on one port type',
    definitions(types(SCHEMA) + MESSAGES + portType() + both() + service(bothPorts)),
  ),
  shape(
    'a port by name',
    definitions(types(SCHEMA) + MESSAGES + portType() + both() + service(bothPorts)),
    {},
    { options: { port: 'P12' } },
  ),
  shape(
    'two services',
    definitions(
      types(SCHEMA) +
        MESSAGES +
        portType() +
        both() +
        service(port('s', 'P11', 'B11'), 'One') +
        service(port('s12', 'P12', 'B12'), 'Two'),
    ),
    {},
    { options: { service: 'Two' } },
  ),
  shape('no service', definitions(types(SCHEMA) + MESSAGES + portType() + binding('s12', 'B'))),
  shape(
    'no address',
    definitions(
      types(SCHEMA) + MESSAGES + portType() + binding('s12', 'B') + service('<w:port name="P" binding="t:B"/>'),
    ),
  ),
  shape(
    'WCF: the service in one WSDL, the port type in another, the schemas by ?xsd',
    definitions(
      wsdlImport('urn:contract', '?wsdl=wsdl0') +
        `<w:binding name="B" type="c:Port" xmlns:c="urn:contract">${binding('s', 'B').replace(/^<w:binding[^>]*>/, '')}` +
        service(port('s', 'P', 'B')),
    ),
    {
      '?wsdl=wsdl0': definitions(
        types(
          `<x:schema targetNamespace="urn:contract/Imports">${writeImport(NS, '?xsd=xsd0')}${writeImport('urn:data', '?xsd=xsd1')}</x:schema>`,
        ) +
          message('Request', '<w:part name="parameters" element="q:Request" xmlns:q="urn:corpus"/>') +
          message('Response', '<w:part name="parameters" element="q:Response" xmlns:q="urn:corpus"/>') +
          portType(),
        '',
        'urn:contract',
      ),
      '?xsd=xsd0': `<x:schema xmlns:x="${XSD}" xmlns:d="urn:data" targetNamespace="${NS}" elementFormDefault="qualified">${writeImport('urn:data', '?xsd=xsd1')}${typed('Request', sequence(element('data', 'd:Data', 'nillable="true" minOccurs="0"')))}${typed('Response', sequence(element('data', 'd:Data', 'nillable="true" minOccurs="0"')))}</x:schema>`,
      '?xsd=xsd1': schema(
        complex('Data', DATA) + element('Data', 't:Data', 'nillable="true"'),
        'elementFormDefault="qualified"',
        'urn:data',
      ),
    },
  ),
  shape(
    'WCF: policies and a required addressing',
    definitions(
      `<p:Policy xmlns:p="http://www.w3.org/ns/ws-policy" u:Id="pol" xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"/>${types(SCHEMA)}${MESSAGES}${portType()}${binding('s12', 'B').replace('<s12:binding', '<wsaw:UsingAddressing xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl" w:required="true"/><s12:binding')}${service(port('s12', 'P', 'B'))}`,
    ),
  ),
  shape(
    'JAX-WS: the abstract part is imported',
    definitions(wsdlImport(NS, 'abstract.wsdl') + binding('s', 'B') + service(port('s', 'P', 'B'))),
    { 'abstract.wsdl': definitions(types(SCHEMA) + MESSAGES + portType()) },
  ),
  {
    name: 'WSDLs that import each other',
    main: 'main.wsdl',
    documents: {
      'main.wsdl': definitions(wsdlImport(NS, 'other.wsdl') + binding('s12', 'B') + service(port('s12', 'P', 'B'))),
      'other.wsdl': definitions(wsdlImport(NS, 'main.wsdl') + types(SCHEMA) + MESSAGES + portType()),
    },
  },
  shape('a schema imported like a WSDL', definitions(wsdlImport(NS, 'types.xsd') + REST), { 'types.xsd': SCHEMA }),
  files('one included file', {
    'types.xsd': schema(include('data.xsd') + element('Request', 't:Data') + element('Response', 't:Data')),
    'data.xsd': schema(complex('Data', DATA)),
  }),
  files('an included file without a namespace', {
    'types.xsd': schema(include('data.xsd') + element('Request', 't:Data') + element('Response', 't:Data')),
    'data.xsd': schema(
      complex('Data', sequence(element('inner', 'Inner'))) + complex('Inner', DATA),
      'elementFormDefault="qualified"',
      '',
    ),
  }),
  files('included in a circle', {
    'types.xsd': schema(include('data.xsd') + element('Request', 't:Data') + element('Response', 't:Data')),
    'data.xsd': schema(include('types.xsd') + complex('Data', DATA)),
  }),
  files('included by two files', {
    'types.xsd': schema(
      include('a.xsd') +
        include('b.xsd') +
        typed('Request', sequence(element('a', 't:A'))) +
        typed('Response', sequence(element('b', 't:B'))),
    ),
    'a.xsd': schema(include('data.xsd') + complex('A', extension('t:Data', ''))),
    'b.xsd': schema(include('data.xsd') + complex('B', extension('t:Data', sequence(element('more', 'x:int'))))),
    'data.xsd': schema(complex('Data', DATA)),
  }),
  files(
    'government: directories above and below',
    {
      'v1/types.xsd': schema(
        include('../common/base.xsd') +
          include('parts/data.xsd') +
          element('Request', 't:Data') +
          element('Response', 't:Data'),
      ),
      'v1/parts/data.xsd': schema(
        include('../../common/base.xsd') + complex('Data', extension('t:Base', sequence(element('b', 'x:date')))),
      ),
      'common/base.xsd': schema(
        complex('Base', sequence(element('version', 'x:string')) + attribute('id', 'x:string')),
      ),
    },
    'v1/types.xsd',
  ),
  shape(
    'one schema by include and by import',
    definitions(types(schema(include('types.xsd')), `<x:schema>${writeImport(NS, 'types.xsd')}</x:schema>`) + REST),
    { 'types.xsd': SCHEMA },
  ),
  shape(
    'namespaces that import each other',
    definitions(types(`<x:schema>${writeImport(NS, 'a.xsd')}</x:schema>`) + REST),
    {
      'a.xsd': `<x:schema xmlns:x="${XSD}" xmlns:t="${NS}" xmlns:b="urn:b" targetNamespace="${NS}" elementFormDefault="qualified">${writeImport('urn:b', 'b.xsd')}${typed('Request', sequence(element('b', 'b:B')))}${element('Response', 't:A')}${complex('A', DATA)}</x:schema>`,
      'b.xsd': `<x:schema xmlns:x="${XSD}" xmlns:a="${NS}" targetNamespace="urn:b" elementFormDefault="qualified">${writeImport(NS, 'a.xsd')}${complex('B', sequence(element('a', 'a:A'), element('k', 'x:int')))}</x:schema>`,
    },
  ),
  shape(
    'SAP: inline schemas that import each other by namespace',
    definitions(
      types(
        `<x:schema xmlns:x="${XSD}" xmlns:n="urn:rfc" targetNamespace="${NS}" elementFormDefault="unqualified">${writeImport('urn:rfc')}${typed('Request', sequence(element('IT_ITEMS', 'n:TableOfItem', 'minOccurs="0"'), element('IV_DATE', 'n:date10')))}${typed('Response', sequence(element('EV_RC', 'n:numeric3')))}</x:schema>`,
        schema(
          complex(
            'Item',
            sequence(element('MATNR', 'x:string', 'minOccurs="0"'), element('MENGE', 'x:decimal', 'minOccurs="0"')),
          ) +
            complex('TableOfItem', sequence(element('item', 't:Item', 'minOccurs="0" maxOccurs="unbounded"'))) +
            `<x:simpleType name="date10"><x:restriction base="x:string">${facet('maxLength', '10')}${facet('pattern', '\\d\\d\\d\\d-\\d\\d-\\d\\d')}</x:restriction></x:simpleType>` +
            `<x:simpleType name="numeric3"><x:restriction base="x:string">${facet('maxLength', '3')}${facet('pattern', '\\d*')}</x:restriction></x:simpleType>`,
          'elementFormDefault="unqualified"',
          'urn:rfc',
        ),
      ) + REST,
    ),
  ),
  shape('redefined types', definitions(types(`<x:schema>${writeImport(NS, 'types.xsd')}</x:schema>`) + REST), {
    'types.xsd': schema(
      `<x:redefine schemaLocation="data.xsd">${complex('Data', extension('t:Data', sequence(element('more', 'x:int'))))}<x:simpleType name="Code"><x:restriction base="t:Code">${facet('maxLength', '3')}</x:restriction></x:simpleType></x:redefine>` +
        element('Request', 't:Data') +
        element('Response', 't:Data'),
    ),
    'data.xsd': schema(
      complex('Data', sequence(element('code', 't:Code'))) +
        `<x:simpleType name="Code"><x:restriction base="x:string"/></x:simpleType>`,
    ),
  }),
  shape('a redefined group', definitions(types(`<x:schema>${writeImport(NS, 'types.xsd')}</x:schema>`) + REST), {
    'types.xsd': schema(
      `<x:redefine schemaLocation="data.xsd"><x:group name="G">${sequence('<x:group ref="t:G"/>', element('more', 'x:int'))}</x:group></x:redefine>` +
        typed('Request', '<x:group ref="t:G"/>') +
        typed('Response', '<x:group ref="t:G"/>'),
    ),
    'data.xsd': schema(`<x:group name="G">${sequence(element('a', 'x:int'))}</x:group>`),
  }),
  shape(
    'a schema with a DOCTYPE, instructions and comments',
    definitions(types(`<x:schema>${writeImport(NS, 'types.xsd')}</x:schema>`) + REST),
    {
      'types.xsd': `<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><!DOCTYPE x:schema [<!ATTLIST x:schema id ID #IMPLIED><!ENTITY e "SYSTEM">]><!-- - -->${SCHEMA}`,
    },
  ),
  shape(
    'xml, xmldsig and wsa from the web',
    definitions(
      types(
        `<x:schema xmlns:x="${XSD}" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:wsa="http://www.w3.org/2005/08/addressing" targetNamespace="${NS}" elementFormDefault="qualified">${writeImport('http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2001/xml.xsd')}${writeImport('http://www.w3.org/2000/09/xmldsig#', 'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd')}${writeImport('http://www.w3.org/2005/08/addressing')}${typed('Request', `${sequence('<x:element ref="ds:KeyInfo"/>', element('to', 'wsa:EndpointReferenceType'))}<x:attribute ref="xml:lang"/>`)}${typed('Response', sequence('<x:element ref="ds:Signature" minOccurs="0"/>'))}</x:schema>`,
      ) + REST,
    ),
  ),
  shape(
    'a header by its own message',
    withHeaders(`${header('s12')}<s12:body use="literal"/>`, '<s12:body use="literal"/>'),
  ),
  shape(
    'headers of request and response',
    withHeaders(
      `<s12:body use="literal"/>${header('s12')}${header('s12', 'trace')}`,
      `<s12:body use="literal"/>${header('s12', 'trace')}`,
    ),
  ),
  shape(
    'a message of two parts, one of them a header',
    definitions(
      types(HEADER_SCHEMA) +
        message('Request', part('body', 'element="t:Request"'), part('head', 'element="t:Session"')) +
        message('Response', part('body', 'element="t:Response"')) +
        portType() +
        binding('s', 'B', {
          input: `<s:body parts="body" use="literal"/><s:header message="t:Request" part="head" use="literal"/>`,
        }) +
        service(port('s', 'P', 'B')),
    ),
  ),
  shape(
    'a header part without parts=',
    definitions(
      types(HEADER_SCHEMA) +
        message('Request', part('body', 'element="t:Request"'), part('head', 'element="t:Session"')) +
        message('Response', part('body', 'element="t:Response"')) +
        portType() +
        binding('s', 'B', {
          input: `<s:body use="literal"/><s:header message="t:Request" part="head" use="literal"/>`,
        }) +
        service(port('s', 'P', 'B')),
    ),
  ),
  shape(
    'a Body of two elements',
    definitions(
      types(HEADER_SCHEMA) +
        message('Request', part('one', 'element="t:Request"'), part('two', 'element="t:Session"')) +
        message('Response', part('body', 'element="t:Response"')) +
        portType() +
        binding('s', 'B') +
        service(port('s', 'P', 'B')),
    ),
  ),
  shape(
    'an empty Body',
    definitions(
      types(SCHEMA) +
        message('Request') +
        message('Response', part('p', 'element="t:Response"')) +
        portType() +
        binding('s', 'B') +
        service(port('s', 'P', 'B')),
    ),
  ),
  shape(
    'faults by name',
    definitions(
      types(
        schema(
          typed('Request', DATA) + typed('Response', DATA) + typed('NotFound', DATA) + element('Denied', 'x:string'),
        ),
      ) +
        MESSAGES +
        message('NotFoundMessage', part('fault', 'element="t:NotFound"')) +
        message('DeniedMessage', part('fault', 'element="t:Denied"')) +
        portType(
          operation(
            'call',
            `<w:output message="t:Response"/>${fault('notFound', 'NotFoundMessage')}${fault('denied', 'DeniedMessage')}`,
          ),
        ) +
        binding('s12', 'B', { faults: boundFault('notFound') + boundFault('denied') }) +
        service(port('s12', 'P', 'B')),
    ),
  ),
  shape(
    'faults of an imported schema',
    definitions(
      types(schema(writeImport('urn:faults', 'faults.xsd') + typed('Request', DATA) + typed('Response', DATA))) +
        MESSAGES +
        message('F', '<w:part name="fault" element="f:Problem" xmlns:f="urn:faults"/>') +
        portType(operation('call', `<w:output message="t:Response"/>${fault('Problem', 'F')}`)) +
        binding('s12', 'B', { faults: boundFault('Problem') }) +
        service(port('s12', 'P', 'B')),
    ),
    {
      'faults.xsd': schema(
        typed('Problem', sequence(element('code', 'x:int'), element('text', 'x:string'))),
        'elementFormDefault="qualified"',
        'urn:faults',
      ),
    },
  ),
  shape(
    'one-way',
    definitions(
      types(SCHEMA) +
        message('Request', part('p', 'element="t:Request"')) +
        portType(operation('call', '')) +
        binding('s12', 'B', { isOneWay: true }) +
        service(port('s12', 'P', 'B')),
    ),
  ),
  shape(
    'two operations with one element, distinguished by the action',
    definitions(
      types(SCHEMA) +
        MESSAGES +
        portType(operation('call') + operation('check')) +
        binding('s', 'B', { operations: ['call', 'check'] }) +
        service(port('s', 'P', 'B')),
    ),
  ),
  shape(
    'a notification next to a request',
    definitions(
      types(SCHEMA) +
        MESSAGES +
        portType(`${operation('call')}<w:operation name="changed"><w:output message="t:Response"/></w:operation>`) +
        binding('s', 'B') +
        service(port('s', 'P', 'B')),
    ),
  ),
  shape(
    'PHP: rpc with simple parts',
    definitions(
      message('Request', part('name', 'type="x:string"'), part('times', 'type="x:int"')) +
        message('Response', part('return', 'type="x:string"')) +
        portType() +
        binding('s', 'B', { style: 'rpc', input: rpcBody('s'), output: rpcBody('s') }) +
        service(port('s', 'P', 'B')),
    ),
    {},
    {
      wrappers: rpcWrappers(
        sequence(element('name', 'x:string'), element('times', 'x:int')),
        sequence(element('return', 'x:string')),
      ),
    },
  ),
  shape(
    'rpc without parts',
    definitions(
      message('Request') +
        message('Response') +
        portType() +
        binding('s', 'B', { style: 'rpc', input: rpcBody('s'), output: rpcBody('s') }) +
        service(port('s', 'P', 'B')),
    ),
    {},
    { wrappers: rpcWrappers('', '') },
  ),
  shape(
    'rpc in SOAP 1.2',
    definitions(
      message('Request', part('a', 'type="x:long"')) +
        message('Response', part('b', 'type="x:date"')) +
        portType() +
        binding('s12', 'B', { style: 'rpc', input: rpcBody('s12'), output: rpcBody('s12') }) +
        service(port('s12', 'P', 'B')),
    ),
    {},
    { wrappers: rpcWrappers(sequence(element('a', 'x:long')), sequence(element('b', 'x:date'))) },
  ),
  shape(
    'rpc with a header',
    definitions(
      types(HEADER_SCHEMA) +
        HEADERS +
        message('Request', part('a', 'type="x:long"')) +
        message('Response', part('b', 'type="x:date"')) +
        portType() +
        binding('s', 'B', { style: 'rpc', input: rpcBody('s') + header('s'), output: rpcBody('s') }) +
        service(port('s', 'P', 'B')),
    ),
    {},
    { wrappers: rpcWrappers(sequence(element('a', 'x:long')), sequence(element('b', 'x:date'))) },
  ),
  shape(
    'rpc whose wrapper has the name of an element',
    definitions(
      types(schema(element('call', 'x:int'), 'elementFormDefault="qualified"', 'urn:rpc')) +
        message('Request', part('a', 'type="x:string"')) +
        message('Response', part('b', 'type="x:string"')) +
        portType() +
        binding('s', 'B', { style: 'rpc', input: rpcBody('s'), output: rpcBody('s') }) +
        service(port('s', 'P', 'B')),
    ),
    {},
    { wrappers: rpcWrappers(sequence(element('a', 'x:string')), sequence(element('b', 'x:string'))) },
  ),
  shape(
    'gSOAP: doubled prefixes and lists of structures',
    definitions(
      types(
        schema(
          complex(
            'Vec',
            sequence(element('item', 'x:double', 'minOccurs="0" maxOccurs="unbounded"')) +
              attribute('dim', 'x:unsignedInt', 'use="optional"'),
          ) +
            typed('Request', sequence(element('vec', 't:Vec', 'minOccurs="1" maxOccurs="1" nillable="true"'))) +
            typed('Response', sequence(element('sum', 'x:double'))),
        ),
      ) + REST,
    ),
  ),
  shape(
    'attachments by mime:multipartRelated',
    definitions(
      types(SCHEMA) +
        message('Request', part('body', 'element="t:Request"'), part('file', 'type="x:base64Binary"')) +
        message('Response', part('body', 'element="t:Response"')) +
        portType() +
        binding('s', 'B', {
          input:
            '<m:multipartRelated xmlns:m="http://schemas.xmlsoap.org/wsdl/mime/"><m:part><s:body parts="body" use="literal"/></m:part><m:part><m:content part="file" type="application/pdf"/></m:part></m:multipartRelated>',
        }) +
        service(port('s', 'P', 'B')),
    ),
  ),
  shape(
    'MTOM: expected content types',
    definitions(
      types(
        schema(
          `${writeImport('http://www.w3.org/2005/05/xmlmime')}<x:element name="Request"><x:complexType>${text('x:base64Binary', '<x:attribute ref="m:contentType" xmlns:m="http://www.w3.org/2005/05/xmlmime"/>')}</x:complexType></x:element>${typed('Response', sequence('<x:element name="data" type="x:base64Binary" m:expectedContentTypes="image/png" xmlns:m="http://www.w3.org/2005/05/xmlmime"/>'))}`,
        ),
      ) + REST,
    ),
  ),
  shape(
    'a document that begins with a byte order mark',
    `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n${definitions(types(SCHEMA) + REST)}`,
  ),
  shape(
    'a copy of a schema inline and as a file',
    definitions(types(SCHEMA, `<x:schema>${writeImport(NS, 'copy.xsd')}</x:schema>`) + REST),
    { 'copy.xsd': `<!-- a copy -->${SCHEMA}` },
  ),
  shape(
    'no namespace in the schema',
    definitions(
      types(schema(typed('Request', DATA) + typed('Response', DATA), '', '')) +
        REST.replaceAll('element="t:', 'element="'),
    ),
  ),
  shape(
    'overloaded operations',
    definitions(
      types(HEADER_SCHEMA) +
        MESSAGES +
        message('Other', part('p', 'element="t:Session"')) +
        portType(operation('call') + operation('call', '<w:output message="t:Response"/>', 't:Other')) +
        binding('s', 'B', { operations: ['call', 'call'] }) +
        service(port('s', 'P', 'B')),
    ),
  ),
]
