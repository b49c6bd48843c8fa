import { type QName, SOAP11, SOAP12, XML, XMLMIME, XSD } from '../xml/names.ts'

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'
const XOP = 'http://www.w3.org/2004/08/xop/include'
const SOAP_ENCODING = 'http://schemas.xmlsoap.org/soap/encoding/'

/**
 * The schemas of standards that contracts import without saying where they are, or from an address
 * on the web.
 */
const SCHEMAS: ReadonlyMap<string, () => string> = new Map([
  [XML, xmlSchema],
  [XMLDSIG, xmldsigSchema],
  [XMLMIME, xmlMimeSchema],
  [XOP, xopSchema],
  [SOAP11, soap11Schema],
  [SOAP12, soap12Schema],
  [SOAP_ENCODING, soapEncodingSchema],
  ['http://www.w3.org/2005/08/addressing', () => addressingSchema('http://www.w3.org/2005/08/addressing', 'Metadata')],
  [
    'http://schemas.xmlsoap.org/ws/2004/08/addressing',
    () => addressingSchema('http://schemas.xmlsoap.org/ws/2004/08/addressing', 'ReferenceProperties'),
  ],
])

/** Whether a name is that of the type of all arrays in SOAP encoding. */
export function isEncodedArray({ uri, local }: QName): boolean {
  return uri === SOAP_ENCODING && local === 'Array'
}

/** The text of the schema of a standard; `undefined` for any other namespace. */
export function builtInSchema(namespace: string): string | undefined {
  return SCHEMAS.get(namespace)?.()
}

function schema(namespace: string, content: string, qualified = true): string {
  const form = qualified ? ' elementFormDefault="qualified"' : ''
  return `<x:schema xmlns:x="${XSD}" xmlns:t="${namespace}" targetNamespace="${namespace}"${form}>${content}</x:schema>`
}

const any = (namespace = '##any'): string =>
  `<x:any namespace="${namespace}" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>`
const ANY_ATTRIBUTE = '<x:anyAttribute namespace="##other" processContents="lax"/>'
const writeImport = (namespace: string): string => `<x:import namespace="${namespace}"/>`
const element = (name: string, type: string, more = ''): string => `<x:element name="${name}" type="${type}" ${more}/>`
const complex = (name: string, content: string, more = ''): string =>
  `<x:complexType name="${name}" ${more}>${content}</x:complexType>`
const sequence = (...parts: string[]): string => `<x:sequence>${parts.join('')}</x:sequence>`
const attribute = (name: string, type: string, more = ''): string =>
  `<x:attribute name="${name}" type="${type}" ${more}/>`
/** Text of a type, with attributes. */
const text = (base: string, attributes: string): string =>
  `<x:simpleContent><x:extension base="${base}">${attributes}</x:extension></x:simpleContent>`

function xmlSchema(): string {
  const language =
    '<x:attribute name="lang"><x:simpleType><x:union memberTypes="x:language"><x:simpleType>' +
    '<x:restriction base="x:string"><x:enumeration value=""/></x:restriction></x:simpleType></x:union></x:simpleType></x:attribute>'
  const space =
    '<x:attribute name="space"><x:simpleType><x:restriction base="x:NCName"><x:enumeration value="default"/>' +
    '<x:enumeration value="preserve"/></x:restriction></x:simpleType></x:attribute>'
  const group = ['base', 'lang', 'space', 'id'].map((name) => `<x:attribute ref="xml:${name}"/>`).join('')
  const more = `<x:attributeGroup name="specialAttrs">${group}</x:attributeGroup>`
  const content = language + space + attribute('base', 'x:anyURI') + attribute('id', 'x:ID') + more
  return `<x:schema xmlns:x="${XSD}" targetNamespace="${XML}">${content}</x:schema>`
}

function xmlMimeSchema(): string {
  const content =
    '<x:attribute name="contentType"><x:simpleType><x:restriction base="x:string"><x:minLength value="3"/>' +
    '</x:restriction></x:simpleType></x:attribute><x:attribute name="expectedContentTypes" type="x:string"/>' +
    complex('base64Binary', text('x:base64Binary', '<x:attribute ref="t:contentType"/>')) +
    complex('hexBinary', text('x:hexBinary', '<x:attribute ref="t:contentType"/>'))
  return schema(XMLMIME, content)
}

function xopSchema(): string {
  const include = complex(
    'Include',
    sequence(any('##other')) + attribute('href', 'x:anyURI', 'use="required"') + ANY_ATTRIBUTE,
  )
  return schema(XOP, element('Include', 't:Include') + include)
}

function addressingSchema(namespace: string, extra: string): string {
  const uri = ['MessageID', 'To', 'Action'].map((name) => element(name, 't:AttributedURIType')).join('')
  const reference = ['ReplyTo', 'From', 'FaultTo', 'EndpointReference'].map((name) =>
    element(name, 't:EndpointReferenceType'),
  )
  const parts = [
    element('Address', 't:AttributedURIType'),
    element('ReferenceParameters', 't:ReferenceParametersType', 'minOccurs="0"'),
    element(extra, 't:ReferenceParametersType', 'minOccurs="0"'),
  ]
  const content =
    uri +
    reference.join('') +
    element('RelatesTo', 't:RelatesToType') +
    element('ReferenceParameters', 't:ReferenceParametersType') +
    element(extra, 't:ReferenceParametersType') +
    complex('AttributedURIType', text('x:anyURI', ANY_ATTRIBUTE)) +
    complex('ReferenceParametersType', sequence(any()) + ANY_ATTRIBUTE) +
    complex('EndpointReferenceType', sequence(...parts, any('##other')) + ANY_ATTRIBUTE) +
    complex('RelatesToType', text('x:anyURI', attribute('RelationshipType', 'x:string') + ANY_ATTRIBUTE))
  return schema(namespace, content)
}

function soap11Schema(): string {
  const other = '<x:anyAttribute namespace="##other" processContents="lax"/>'
  const content =
    element('Envelope', 't:Envelope') +
    element('Header', 't:Header') +
    element('Body', 't:Body') +
    element('Fault', 't:Fault') +
    complex(
      'Envelope',
      sequence('<x:element ref="t:Header" minOccurs="0"/><x:element ref="t:Body"/>', any('##other')) + other,
    ) +
    complex('Header', sequence(any('##other')) + other) +
    complex('Body', `${sequence(any())}<x:anyAttribute processContents="lax"/>`) +
    complex(
      'Fault',
      '<x:sequence><x:element name="faultcode" type="x:QName" form="unqualified"/>' +
        '<x:element name="faultstring" type="x:string" form="unqualified"/>' +
        '<x:element name="faultactor" type="x:anyURI" minOccurs="0" form="unqualified"/>' +
        '<x:element name="detail" type="t:detail" minOccurs="0" form="unqualified"/></x:sequence>',
    ) +
    complex('detail', `${sequence(any())}<x:anyAttribute processContents="lax"/>`) +
    '<x:attribute name="mustUnderstand"><x:simpleType><x:restriction base="x:boolean"><x:pattern value="0|1"/>' +
    '</x:restriction></x:simpleType></x:attribute><x:attribute name="actor" type="x:anyURI"/>' +
    '<x:attribute name="encodingStyle" type="x:anyURI"/>'
  return schema(SOAP11, content, false)
}

function soap12Schema(): string {
  const content =
    writeImport(XML) +
    element('Envelope', 't:Envelope') +
    element('Header', 't:Header') +
    element('Body', 't:Body') +
    element('Fault', 't:Fault') +
    complex(
      'Envelope',
      sequence('<x:element ref="t:Header" minOccurs="0"/><x:element ref="t:Body"/>') + ANY_ATTRIBUTE,
    ) +
    complex('Header', sequence(any()) + ANY_ATTRIBUTE) +
    complex('Body', sequence(any()) + ANY_ATTRIBUTE) +
    complex(
      'Fault',
      sequence(
        element('Code', 't:faultcode'),
        element('Reason', 't:faultreason'),
        element('Node', 'x:anyURI', 'minOccurs="0"'),
        element('Role', 'x:anyURI', 'minOccurs="0"'),
        element('Detail', 't:detail', 'minOccurs="0"'),
      ),
    ) +
    complex('faultcode', sequence(element('Value', 'x:QName'), element('Subcode', 't:subcode', 'minOccurs="0"'))) +
    complex('subcode', sequence(element('Value', 'x:QName'), element('Subcode', 't:subcode', 'minOccurs="0"'))) +
    complex('faultreason', sequence(element('Text', 't:reasontext', 'maxOccurs="unbounded"'))) +
    complex('reasontext', text('x:string', '<x:attribute ref="xml:lang" use="required"/>')) +
    complex('detail', sequence(any()) + ANY_ATTRIBUTE) +
    attribute('role', 'x:anyURI') +
    attribute('mustUnderstand', 'x:boolean') +
    attribute('relay', 'x:boolean') +
    attribute('encodingStyle', 'x:anyURI')
  return schema(SOAP12, content)
}

/**
 * The types of SOAP encoding that schemas derive from. Messages in that encoding are not supported.
 */
function soapEncodingSchema(): string {
  const common =
    '<x:attributeGroup name="commonAttributes"><x:attribute name="id" type="x:ID"/><x:attribute name="href" type="x:anyURI"/>' +
    '<x:anyAttribute namespace="##other" processContents="lax"/></x:attributeGroup>' +
    '<x:attributeGroup name="arrayAttributes"><x:attribute ref="t:arrayType"/><x:attribute ref="t:offset"/></x:attributeGroup>'
  const shared = '<x:attributeGroup ref="t:commonAttributes"/>'
  const array = complex('Array', `${sequence(any())}<x:attributeGroup ref="t:arrayAttributes"/>${shared}`)
  const struct = complex('Struct', sequence(any()) + shared)
  const simple =
    'string boolean decimal float double int long short byte integer dateTime date time base64Binary anyURI QName'
      .split(' ')
      .map((name) => complex(name, text(`x:${name}`, shared)) + element(name, `t:${name}`))
  const base64 = '<x:simpleType name="base64"><x:restriction base="x:base64Binary"/></x:simpleType>'
  const attributes =
    attribute('arrayType', 'x:string') + attribute('offset', 'x:string') + attribute('root', 'x:boolean')
  const elements = element('Array', 't:Array') + element('Struct', 't:Struct')
  return schema(SOAP_ENCODING, attributes + common + array + struct + base64 + elements + simple.join(''))
}

function xmldsigSchema(): string {
  const id = attribute('Id', 'x:ID')
  const algorithm = attribute('Algorithm', 'x:anyURI', 'use="required"')
  const mixed = 'mixed="true"'
  const method = (name: string, inner = ''): string => complex(name, sequence(inner, any('##other')) + algorithm, mixed)
  const globals =
    'Signature SignatureValue SignedInfo CanonicalizationMethod SignatureMethod Reference Transforms Transform DigestMethod ' +
    'KeyInfo KeyValue RetrievalMethod X509Data PGPData SPKIData Object Manifest SignatureProperties SignatureProperty ' +
    'DSAKeyValue RSAKeyValue'
  const ref = (name: string, more = ''): string => `<x:element ref="t:${name}" ${more}/>`
  const binary = (name: string, more = ''): string => element(name, 'x:base64Binary', more)
  const content =
    globals
      .split(' ')
      .map((name) => element(name, `t:${name}Type`))
      .join('') +
    element('DigestValue', 't:DigestValueType') +
    element('KeyName', 'x:string') +
    element('MgmtData', 'x:string') +
    '<x:simpleType name="CryptoBinary"><x:restriction base="x:base64Binary"/></x:simpleType>' +
    '<x:simpleType name="DigestValueType"><x:restriction base="x:base64Binary"/></x:simpleType>' +
    '<x:simpleType name="HMACOutputLengthType"><x:restriction base="x:integer"/></x:simpleType>' +
    complex(
      'SignatureType',
      sequence(
        ref('SignedInfo'),
        ref('SignatureValue'),
        ref('KeyInfo', 'minOccurs="0"'),
        ref('Object', 'minOccurs="0" maxOccurs="unbounded"'),
      ) + id,
    ) +
    complex('SignatureValueType', text('x:base64Binary', id)) +
    complex(
      'SignedInfoType',
      sequence(ref('CanonicalizationMethod'), ref('SignatureMethod'), ref('Reference', 'maxOccurs="unbounded"')) + id,
    ) +
    complex('CanonicalizationMethodType', sequence(any()) + algorithm, mixed) +
    method('SignatureMethodType', element('HMACOutputLength', 't:HMACOutputLengthType', 'minOccurs="0"')) +
    complex(
      'ReferenceType',
      sequence(ref('Transforms', 'minOccurs="0"'), ref('DigestMethod'), ref('DigestValue')) +
        id +
        attribute('URI', 'x:anyURI') +
        attribute('Type', 'x:anyURI'),
    ) +
    complex('TransformsType', sequence(ref('Transform', 'maxOccurs="unbounded"'))) +
    complex(
      'TransformType',
      `<x:choice minOccurs="0" maxOccurs="unbounded"><x:any namespace="##other" processContents="lax"/>${element('XPath', 'x:string')}</x:choice>${algorithm}`,
      mixed,
    ) +
    method('DigestMethodType') +
    complex(
      'KeyInfoType',
      `<x:choice maxOccurs="unbounded">${['KeyName', 'KeyValue', 'RetrievalMethod', 'X509Data', 'PGPData', 'SPKIData', 'MgmtData'].map((name) => ref(name)).join('')}<x:any processContents="lax" namespace="##other"/></x:choice>${id}`,
      mixed,
    ) +
    complex(
      'KeyValueType',
      `<x:choice>${ref('DSAKeyValue')}${ref('RSAKeyValue')}<x:any namespace="##other" processContents="lax"/></x:choice>`,
      mixed,
    ) +
    complex(
      'RetrievalMethodType',
      sequence(ref('Transforms', 'minOccurs="0"')) + attribute('URI', 'x:anyURI') + attribute('Type', 'x:anyURI'),
    ) +
    complex(
      'X509DataType',
      `<x:sequence maxOccurs="unbounded"><x:choice>${element('X509IssuerSerial', 't:X509IssuerSerialType')}${binary('X509SKI')}${element('X509SubjectName', 'x:string')}${binary('X509Certificate')}${binary('X509CRL')}<x:any namespace="##other" processContents="lax"/></x:choice></x:sequence>`,
    ) +
    complex(
      'X509IssuerSerialType',
      sequence(element('X509IssuerName', 'x:string'), element('X509SerialNumber', 'x:integer')),
    ) +
    complex(
      'PGPDataType',
      sequence(binary('PGPKeyID', 'minOccurs="0"'), binary('PGPKeyPacket', 'minOccurs="0"'), any('##other')),
    ) +
    complex(
      'SPKIDataType',
      `<x:sequence maxOccurs="unbounded">${binary('SPKISexp')}<x:any namespace="##other" processContents="lax" minOccurs="0"/></x:sequence>`,
    ) +
    complex(
      'ObjectType',
      sequence(any()) + id + attribute('MimeType', 'x:string') + attribute('Encoding', 'x:anyURI'),
      mixed,
    ) +
    complex('ManifestType', sequence(ref('Reference', 'maxOccurs="unbounded"')) + id) +
    complex('SignaturePropertiesType', sequence(ref('SignatureProperty', 'maxOccurs="unbounded"')) + id) +
    complex(
      'SignaturePropertyType',
      `<x:choice maxOccurs="unbounded"><x:any namespace="##other" processContents="lax"/></x:choice>${attribute('Target', 'x:anyURI', 'use="required"')}${id}`,
      mixed,
    ) +
    complex(
      'DSAKeyValueType',
      sequence(
        `<x:sequence minOccurs="0">${element('P', 't:CryptoBinary')}${element('Q', 't:CryptoBinary')}</x:sequence>`,
        element('G', 't:CryptoBinary', 'minOccurs="0"'),
        element('Y', 't:CryptoBinary'),
        element('J', 't:CryptoBinary', 'minOccurs="0"'),
        `<x:sequence minOccurs="0">${element('Seed', 't:CryptoBinary')}${element('PgenCounter', 't:CryptoBinary')}</x:sequence>`,
      ),
    ) +
    complex('RSAKeyValueType', sequence(element('Modulus', 't:CryptoBinary'), element('Exponent', 't:CryptoBinary')))
  return schema(XMLDSIG, content)
}
