import { attributeOf, childrenOf, resolveQName, type XmlElement } from '../xml/element.ts'
import { type QName, WSDL, WSDL_SOAP11, WSDL_SOAP12 } from '../xml/names.ts'
import { type Definitions, nameOf } from './definitions.ts'

/** One operation of a port type. */
export interface Operation {
  /** Its name in the WSDL. */
  readonly name: string
  /** The element in the Body of the request: the name by which messages are dispatched. */
  readonly input: QName
  /** The element in the Body of the answer; `undefined` for a one-way operation. */
  readonly output: QName | undefined
  /** The elements in the detail of its faults. */
  readonly faults: readonly QName[]
  /** soapAction of its bindings; empty where they name none. */
  readonly action: string
  /** What the WSDL says of it, for people. */
  readonly documentation: string | undefined
}

/** The operations of all port types, each with what the bindings say of it. */
export function readOperations(definitions: Definitions): Operation[] {
  const actions = readActions(definitions)
  return definitions.portTypes.flatMap((portType) =>
    childrenOf(portType, WSDL, 'operation').map((node) => readOperation(node, definitions, actions)),
  )
}

function readOperation(node: XmlElement, definitions: Definitions, actions: ReadonlyMap<string, string>): Operation {
  const name = nameOf(node)
  const kinds = node.children.filter(({ uri }) => uri === WSDL).map(({ local }) => local)
  const input = childrenOf(node, WSDL, 'input')[0]
  const output = childrenOf(node, WSDL, 'output')[0]
  const isNotification = kinds.includes('output') && kinds.indexOf('output') < (kinds.indexOf('input') + 1 || Infinity)
  if (!input || isNotification)
    throw new TypeError(
      `soap-envelope: parseContract: ${name} is a notification or solicit-response operation, which no server answers`,
    )
  const element = elementOf(input, definitions, name)
  const action = actions.get(name)
  if (action === undefined)
    throw new TypeError(`soap-envelope: parseContract: no SOAP binding speaks of the operation ${name}`)
  return {
    name,
    input: element,
    output: output && elementOf(output, definitions, name),
    faults: childrenOf(node, WSDL, 'fault').map((fault) => elementOf(fault, definitions, name)),
    action,
    documentation: childrenOf(node, WSDL, 'documentation')[0]?.text.trim().replace(/\s+/g, ' '),
  }
}

/** The element that the one part of a message refers to: document style with literal use has no other form. */
function elementOf(reference: XmlElement, { messages }: Definitions, operation: string): QName {
  const name = resolveQName(reference, attributeOf(reference, '', 'message') ?? '')?.local
  const message = messages.find((candidate) => nameOf(candidate) === name)
  const parts = message ? childrenOf(message, WSDL, 'part') : []
  const [part] = parts
  const text = part && attributeOf(part, '', 'element')
  const element = part && text !== undefined ? resolveQName(part, text) : undefined
  if (!element || parts.length > 1)
    throw new TypeError(
      `soap-envelope: parseContract: the message ${name} of ${operation} needs one part that refers to an element`,
    )
  return element
}

/** soapAction by operation. Bindings that contradict each other, or are not document/literal, are refused. */
function readActions({ bindings }: Definitions): Map<string, string> {
  const actions = new Map<string, string>()
  for (const binding of bindings) {
    const soap = binding.children.find(({ local, uri }) => local === 'binding' && isSoap(uri))
    if (!soap) continue
    for (const node of childrenOf(binding, WSDL, 'operation')) {
      const name = nameOf(node)
      const bound = node.children.find(({ local, uri }) => local === 'operation' && isSoap(uri))
      const style = bound && attributeOf(bound, '', 'style')
      if ((style ?? attributeOf(soap, '', 'style') ?? 'document') !== 'document' || usesEncoding(node))
        throw new TypeError(
          `soap-envelope: parseContract: ${name} is not document/literal, the one style that is supported`,
        )
      const action = (bound && attributeOf(bound, '', 'soapAction')) ?? ''
      if ((actions.get(name) ?? action) !== action)
        throw new TypeError(`soap-envelope: parseContract: the bindings of ${name} have different soapActions`)
      actions.set(name, action)
    }
  }
  return actions
}

function isSoap(uri: string): boolean {
  return uri === WSDL_SOAP11 || uri === WSDL_SOAP12
}

function usesEncoding(operation: XmlElement): boolean {
  return operation.children.some(({ children }) => children.some((body) => attributeOf(body, '', 'use') === 'encoded'))
}
