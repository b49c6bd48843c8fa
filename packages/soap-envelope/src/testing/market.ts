import { type Contract, type Operations, parseContract } from '@svc/soap-envelope'
import { XSI } from '../xml/names.ts'
import {
  attribute,
  binding,
  bothPorts,
  complex,
  definitions,
  element,
  MANY,
  message,
  NS,
  OPTIONAL,
  operation,
  part,
  portType,
  schema,
  sequence,
  service,
  text,
  typed,
  types,
} from './corpus/shapes.ts'

/** Target namespace of the market. */
export const MARKET = NS

const bindFault = (soap: 's' | 's12'): string =>
  `<w:fault name="NoSuch"><${soap}:fault name="NoSuch" use="literal"/></w:fault>`
const bind = (soap: 's' | 's12', name: string): string =>
  binding(soap, name, {
    operations: ['find'],
    input: `<${soap}:header message="t:Session" part="session" use="literal"/><${soap}:body use="literal"/>`,
    faults: bindFault(soap),
  })

/**
 * A contract with what migrations touch: attributes, lists, `long`, nil, a choice that repeats, a
 * header, a fault.
 */
export const marketWsdl: string = definitions(
  types(
    schema(
      typed(
        'Find',
        sequence(
          element('sku', 'x:string'),
          element('hint', 'x:string', `${OPTIONAL} nillable="true"`),
          element('file', 'x:base64Binary', OPTIONAL),
        ),
      ) +
        typed(
          'Found',
          sequence(
            element('id', 'x:long'),
            element('item', 't:Item', MANY),
            element('note', 'x:string', 'nillable="true"'),
            element('file', 'x:base64Binary', OPTIONAL),
            `<x:choice ${MANY}>${element('mail', 'x:string')}${element('phone', 'x:string')}</x:choice>`,
          ),
        ) +
        complex('Item', sequence(element('name', 'x:string'), element('price', 't:Price'))) +
        complex('Price', text('x:decimal', attribute('currency', 'x:string', 'use="required"'))) +
        typed('NoSuch', sequence(element('sku', 'x:string'))) +
        typed('Session', sequence(element('token', 'x:string'))),
    ),
  ) +
    message('In', part('body', 'element="t:Find"')) +
    message('Out', part('body', 'element="t:Found"')) +
    message('No', part('fault', 'element="t:NoSuch"')) +
    message('Session', part('session', 'element="t:Session"')) +
    portType(operation('find', '<w:output message="t:Out"/><w:fault name="NoSuch" message="t:No"/>', 't:In')) +
    bind('s', 'B11') +
    bind('s12', 'B12') +
    service(bothPorts, 'Market'),
)

export const market: Contract = parseContract(marketWsdl)

export const FILE: Uint8Array = new Uint8Array(2000).fill(7)

/** The output of `find` for A-1, as this package has it. */
export const FOUND = {
  id: 9007199254740993n,
  item: [{ name: 'Screw', price: { value: '0.10', '@currency': 'EUR' } }],
  note: null,
  items: [{ mail: 'a@example.com' }, { phone: '1' }],
}

/** The same as a service of node-soap returns it. */
export const NODE_SOAP_FOUND = {
  id: '9007199254740993',
  item: [{ name: 'Screw', price: { attributes: { currency: 'EUR' }, $value: '0.10' } }],
  note: { attributes: { 'xmlns:xsi': XSI, 'xsi:nil': 'true' } },
  mail: 'a@example.com',
  phone: '1',
}

export const marketOperations: Operations = {
  find: ({ sku, file }: { sku: string; file?: Uint8Array }, context) => {
    if (sku !== 'A-1') throw context.fault('NoSuch', { sku }, { reason: 'No such item.' })
    return { ...FOUND, ...(file && { file }) }
  },
}
