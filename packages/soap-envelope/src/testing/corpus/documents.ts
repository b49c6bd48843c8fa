import {
  attribute,
  binding,
  complex,
  DATA,
  definitions,
  element,
  extension,
  facet,
  files,
  include,
  MESSAGES,
  message,
  NS,
  port,
  portType,
  REST,
  SCHEMA,
  type Shape,
  schema,
  sequence,
  service,
  shape,
  typed,
  types,
  writeImport,
  XSD,
} from './shapes.ts'

const SOAP = 'http://www.w3.org/2003/05/soap-envelope'
const wsdlImport = (namespace: string, location: string): string =>
  `<w:import namespace="${namespace}" location="${location}"/>`

/** Contracts of several documents, and documents of unusual form. */
export const DOCUMENTS: readonly Shape[] = [
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
    'elements of SOAP itself',
    definitions(
      types(
        `<x:schema xmlns:x="${XSD}" xmlns:e="${SOAP}" targetNamespace="${NS}" elementFormDefault="qualified">${writeImport(SOAP)}${typed('Request', `${sequence('<x:element ref="e:Fault"/>')}<x:attribute ref="e:mustUnderstand"/>`)}${typed('Response', sequence(element('code', 'e:faultcode')))}</x:schema>`,
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
]
