import {
  binding,
  definitions,
  element,
  HEADER_SCHEMA,
  HEADERS,
  header,
  message,
  part,
  port,
  portType,
  type Shape,
  schema,
  sequence,
  service,
  shape,
  typed,
  types,
} from './shapes.ts'

const rpcBody = (soap: 's' | 's12', more = ''): string => `<${soap}:body use="literal" namespace="urn:rpc"${more}/>`
const rpcWrappers = (call: string, response: string): NonNullable<Shape['wrappers']> => ({
  'urn:rpc': typed('call', call) + typed('callResponse', response),
})

/** rpc/literal: wrappers, parts by type, header blocks. */
export const RPC: readonly Shape[] = [
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
]
