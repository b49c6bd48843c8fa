import {
  attribute,
  type BindingOptions,
  binding,
  bothPorts,
  complex,
  definitions,
  element,
  HEADER_SCHEMA,
  MESSAGES,
  message,
  operation,
  part,
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
} from './shapes.ts'

const both = (options: BindingOptions = {}): string => binding('s', 'B11', options) + binding('s12', 'B12', options)

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

/**
 * Ports and bindings: versions of SOAP, choice of a service, other protocols, kinds of exchanges.
 */
export const BINDINGS: readonly Shape[] = [
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
    'WCF: policies and a required addressing',
    definitions(
      `<p:Policy xmlns:p="http://www.w3.org/ns/ws-policy" u:Id="pol" xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"/>${types(SCHEMA)}${MESSAGES}${portType()}${binding('s12', 'B').replace('<s12:binding', '<wsaw:UsingAddressing xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl" w:required="true"/><s12:binding')}${service(port('s12', 'P', 'B'))}`,
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
]
