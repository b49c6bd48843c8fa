/** A contract of the corpus: its documents by name, the WSDL first under its own name. */
export interface Shape {
  readonly name: string
  readonly main: string
  readonly documents: Readonly<Record<string, string>>
  readonly options?: { readonly service?: string; readonly port?: string }
  /** Elements that no schema declares, as XSD declarations in a namespace, for xmllint. */
  readonly wrappers?: Readonly<Record<string, string>>
}

export const XSD = 'http://www.w3.org/2001/XMLSchema'
export const NS = 'urn:corpus'
const SOAP11 = 'http://schemas.xmlsoap.org/wsdl/soap/'
const SOAP12 = 'http://schemas.xmlsoap.org/wsdl/soap12/'
const HTTP = 'http://schemas.xmlsoap.org/soap/http'

export const schema = (content: string, more = 'elementFormDefault="qualified"', namespace = NS): string =>
  `<x:schema xmlns:x="${XSD}" xmlns:t="${namespace}"${namespace === '' ? '' : ` targetNamespace="${namespace}"`} ${more}>${content}</x:schema>`.replace(
    'xmlns:t="" ',
    ' ',
  )

export const element = (name: string, type: string, more = ''): string =>
  `<x:element name="${name}" type="${type}" ${more}/>`
export const typed = (name: string, content: string): string =>
  `<x:element name="${name}"><x:complexType>${content}</x:complexType></x:element>`
export const sequence = (...parts: string[]): string => `<x:sequence>${parts.join('')}</x:sequence>`
export const complex = (name: string, content: string, more = ''): string =>
  `<x:complexType name="${name}" ${more}>${content}</x:complexType>`
export const restriction = (base: string, facets: string): string =>
  `<x:simpleType><x:restriction base="${base}">${facets}</x:restriction></x:simpleType>`
export const facet = (name: string, value: string): string => `<x:${name} value="${value}"/>`
export const extension = (base: string, content: string): string =>
  `<x:complexContent><x:extension base="${base}">${content}</x:extension></x:complexContent>`
export const text = (base: string, attributes: string): string =>
  `<x:simpleContent><x:extension base="${base}">${attributes}</x:extension></x:simpleContent>`
export const attribute = (name: string, type: string, more = ''): string =>
  `<x:attribute name="${name}" type="${type}" ${more}/>`

export const definitions = (content: string, more = '', namespace = NS): string =>
  `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="${SOAP11}" xmlns:s12="${SOAP12}" xmlns:x="${XSD}" ` +
  `xmlns:t="${namespace}" targetNamespace="${namespace}" ${more}>${content}</w:definitions>`

export const message = (name: string, ...parts: string[]): string =>
  `<w:message name="${name}">${parts.join('')}</w:message>`
export const part = (name: string, reference: string): string => `<w:part name="${name}" ${reference}/>`

/** The messages Request and Response with one element each, for one operation `call`. */
export const MESSAGES =
  message('Request', part('parameters', 'element="t:Request"')) +
  message('Response', part('parameters', 'element="t:Response"'))

export const portType = (operations = operation('call')): string => `<w:portType name="Port">${operations}</w:portType>`
export const operation = (name: string, output = '<w:output message="t:Response"/>', input = 't:Request'): string =>
  `<w:operation name="${name}"><w:input message="${input}"/>${output}</w:operation>`

/** A binding; the body of each message may be given. */
export function binding(soap: 's' | 's12', name: string, more: BindingOptions = {}): string {
  const {
    style = 'document',
    operations = ['call'],
    input = `<${soap}:body use="literal"/>`,
    output = `<${soap}:body use="literal"/>`,
    faults = '',
    isOneWay = false,
  } = more
  const bound = operations.map(
    (candidate) =>
      `<w:operation name="${candidate}"><${soap}:operation soapAction="urn:${candidate}"/><w:input>${input}</w:input>${isOneWay ? '' : `<w:output>${output}</w:output>`}${faults}</w:operation>`,
  )
  return `<w:binding name="${name}" type="t:Port"><${soap}:binding style="${style}" transport="${HTTP}"/>${bound.join('')}</w:binding>`
}

export interface BindingOptions {
  style?: 'document' | 'rpc'
  operations?: readonly string[]
  input?: string
  output?: string
  faults?: string
  isOneWay?: boolean
}

export const port = (soap: 's' | 's12', name: string, bound: string): string =>
  `<w:port name="${name}" binding="t:${bound}"><${soap}:address location="http://localhost/${name}"/></w:port>`
export const service = (ports: string, name = 'Service'): string => `<w:service name="${name}">${ports}</w:service>`

/** Ports of a service for SOAP 1.1 and 1.2, with the bindings B11 and B12. */
export const bothPorts: string = port('s', 'P11', 'B11') + port('s12', 'P12', 'B12')

/** The rest of a plain WSDL: messages, port type, one binding and its service. */
export const REST = MESSAGES + portType() + binding('s12', 'Binding') + service(port('s12', 'Port', 'Binding'))

export const types = (...schemas: string[]): string => `<w:types>${schemas.join('')}</w:types>`

/** A document/literal contract of one file whose request and response have this content. */
export function plain(name: string, content: string, more = '', schemaMore?: string): Shape {
  const text = schema(typed('Request', content) + typed('Response', content) + more, schemaMore)
  return { name, main: 'main.wsdl', documents: { 'main.wsdl': definitions(types(text) + REST) } }
}

/** The same content as the type of a part of rpc messages. */
export function rpc(name: string, content: string, more = '', schemaMore?: string): Shape {
  const text = schema(complex('Data', content) + more, schemaMore)
  const messages =
    message('Request', part('id', 'type="x:int"'), part('data', 'type="t:Data"')) +
    message('Response', part('result', 'type="t:Data"'))
  const body = '<s:body use="literal" namespace="urn:corpus:rpc"/>'
  const documents = {
    'main.wsdl': definitions(
      types(text) +
        messages +
        portType() +
        binding('s', 'Binding', { style: 'rpc', input: body, output: body }) +
        service(port('s', 'Port', 'Binding')),
    ),
  }
  const wrapper = (local: string, parts: string): string =>
    `<x:element name="${local}"><x:complexType><x:sequence>${parts}</x:sequence></x:complexType></x:element>`
  return {
    name,
    main: 'main.wsdl',
    documents,
    wrappers: {
      'urn:corpus:rpc':
        wrapper('call', '<x:element name="id" type="x:int"/><x:element name="data" type="t:Data"/>') +
        wrapper('callResponse', '<x:element name="result" type="t:Data"/>'),
    },
  }
}

/** The same content in a schema of its own file, which the WSDL imports from a directory. */
export function imported(name: string, content: string, more = '', schemaMore?: string): Shape {
  const text = schema(typed('Request', content) + typed('Response', content) + more, schemaMore)
  return {
    name,
    main: 'wsdl/main.wsdl',
    documents: {
      'wsdl/main.wsdl': definitions(
        types(`<x:schema><x:import namespace="${NS}" schemaLocation="../xsd/types.xsd"/></x:schema>`) + REST,
      ),
      'xsd/types.xsd': text,
    },
  }
}

/** The content of a message: that of its type, and what the type needs elsewhere. */
export type Content = readonly [name: string, content: string, more?: string, schemaMore?: string]

export const OPTIONAL = 'minOccurs="0"'
export const MANY = 'minOccurs="0" maxOccurs="unbounded"'
export const single = (type: string): string => sequence(element('a', type))
export const named = (name: string, base: string, facets: string): string =>
  restriction(base, facets).replace('<x:simpleType>', `<x:simpleType name="${name}">`)

export const DATA = sequence(element('id', 'x:long'), element('name', 'x:string', 'minOccurs="0"'))
export const SCHEMA = schema(typed('Request', DATA) + typed('Response', DATA))
export const writeImport = (namespace: string, location?: string): string =>
  `<x:import namespace="${namespace}"${location === undefined ? '' : ` schemaLocation="${location}"`}/>`
export const include = (location: string): string => `<x:include schemaLocation="${location}"/>`

export function shape(
  name: string,
  main: string,
  more: Readonly<Record<string, string>> = {},
  rest: Partial<Shape> = {},
): Shape {
  return { name, main: 'main.wsdl', documents: { 'main.wsdl': main, ...more }, ...rest }
}

/** A contract whose schemas are files: a driver imports the first. */
export function files(name: string, main: Readonly<Record<string, string>>, first = 'types.xsd'): Shape {
  return shape(name, definitions(types(`<x:schema>${writeImport(NS, first)}</x:schema>`) + REST), main)
}

export const header = (soap: 's' | 's12', name = 'session', of = 'Headers'): string =>
  `<${soap}:header message="t:${of}" part="${name}" use="literal"/>`
export const HEADER_SCHEMA = schema(
  typed('Request', DATA) +
    typed('Response', DATA) +
    typed('Session', sequence(element('token', 'x:string'))) +
    element('Trace', 'x:int'),
)
export const HEADERS = message('Headers', part('session', 'element="t:Session"'), part('trace', 'element="t:Trace"'))
