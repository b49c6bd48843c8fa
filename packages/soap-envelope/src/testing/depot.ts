import { type Contract, type Operations, parseContract } from '@svc/soap-envelope'
import {
  binding,
  bothPorts,
  definitions,
  element,
  message,
  operation,
  part,
  portType,
  schema,
  sequence,
  service,
  typed,
  types,
} from './corpus/shapes.ts'

const bind = (soap: 's' | 's12', name: string): string =>
  binding(soap, name, {
    operations: ['store'],
    input: `<${soap}:header message="t:Sender" part="sender" use="literal"/><${soap}:body use="literal"/>`,
    output: `<${soap}:header message="t:Receipt" part="receipt" use="literal"/><${soap}:body use="literal"/>`,
    faults: `<w:fault name="Full"><${soap}:fault name="Full" use="literal"/></w:fault>`,
  })

const named = sequence(element('name', 'x:string'))
const file = sequence(element('name', 'x:string'), element('bytes', 'x:base64Binary'))

/** A contract whose operation has a header block in each direction, a declared fault and a file. */
export const depot: Contract = parseContract(
  definitions(
    types(
      schema(
        typed('Store', file) +
          typed('Stored', file) +
          typed('Full', sequence(element('name', 'x:string'), element('bytesLeft', 'x:long'))) +
          typed('Sender', named) +
          typed('Receipt', named),
      ),
    ) +
      message('In', part('body', 'element="t:Store"')) +
      message('Out', part('body', 'element="t:Stored"')) +
      message('Full', part('fault', 'element="t:Full"')) +
      message('Sender', part('sender', 'element="t:Sender"')) +
      message('Receipt', part('receipt', 'element="t:Receipt"')) +
      portType(operation('store', '<w:output message="t:Out"/><w:fault name="Full" message="t:Full"/>', 't:In')) +
      bind('s', 'B11') +
      bind('s12', 'B12') +
      service(bothPorts, 'Depot'),
  ),
)

interface File {
  name: string
  bytes: Uint8Array
}

/** Returns the file. The receipt names the sender. */
export const depotOperations: Operations = {
  store: (file: File, context) => {
    if (file.name === 'full') {
      const left = { name: file.name, bytesLeft: 9007199254740993n }
      throw context.fault('Full', left, { code: 'Receiver', reason: 'The depot is full.' })
    }
    context.outputHeaders['receipt'] = context.inputHeaders['sender']
    return file
  },
}
