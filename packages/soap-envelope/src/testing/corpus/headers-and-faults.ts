import {
  binding,
  DATA,
  definitions,
  element,
  HEADER_SCHEMA,
  HEADERS,
  header,
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
  text,
  typed,
  types,
  writeImport,
} from './shapes.ts'

const withHeaders = (input: string, output: string): string =>
  definitions(
    types(HEADER_SCHEMA) +
      MESSAGES +
      HEADERS +
      portType() +
      binding('s12', 'B', { input, output }) +
      service(port('s12', 'P', 'B')),
  )

// The message has the header block as a part of its own.
const withHeaderPart = (body: string): string =>
  definitions(
    types(HEADER_SCHEMA) +
      message('Request', part('body', 'element="t:Request"'), part('head', 'element="t:Session"')) +
      message('Response', part('body', 'element="t:Response"')) +
      portType() +
      binding('s', 'B', { input: `${body}<s:header message="t:Request" part="head" use="literal"/>` }) +
      service(port('s', 'P', 'B')),
  )

const fault = (name: string, of: string): string => `<w:fault name="${name}" message="t:${of}"/>`
const boundFault = (name: string): string =>
  `<w:fault name="${name}"><s12:fault name="${name}" use="literal"/></w:fault>`

/** Header blocks, several parts in the Body, declared faults, attachments. */
export const HEADERS_AND_FAULTS: readonly Shape[] = [
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
  shape('a message of two parts, one of them a header', withHeaderPart('<s:body parts="body" use="literal"/>')),
  shape('a header part without parts=', withHeaderPart('<s:body use="literal"/>')),
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
]
