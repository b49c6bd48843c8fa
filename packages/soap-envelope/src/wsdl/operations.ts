import type { CompiledSchema } from '../schema/compile.ts'
import { attributeOf, childrenOf, type XmlElement } from '../xml/element.ts'
import { WSDL } from '../xml/names.ts'
import { isSoap, type Selection, type SoapBinding } from './bindings.ts'
import { type Definitions, nameOf } from './definitions.ts'
import { type DeclaredFault, type Message, readFault, readMessage } from './messages.ts'

/** One operation of a port type. */
export interface Operation {
  /** Its name in the WSDL; with a number behind it for one that has the name of another. */
  readonly name: string
  /**
   * Whether its messages are elements of the schema, or parts in an element of the name of the
   * operation.
   */
  readonly style: 'document' | 'rpc'
  /** The request. */
  readonly input: Message
  /** The response; `undefined` for a one-way operation. */
  readonly output: Message | undefined
  /** The faults that it declares. */
  readonly faults: readonly DeclaredFault[]
  /** soapAction of the binding of the port; empty if it names none. */
  readonly action: string
  /** That of every binding of the port type that the service has. A service accepts any of them. */
  readonly actions: ReadonlySet<string>
  /** What the WSDL says of it, human-readable. */
  readonly documentation: string | undefined
}

/**
 * The operations of a port type, each with what the bindings say of it. What cannot be used goes to
 * `ignored`.
 */
export function readOperations(
  selection: Selection,
  definitions: Definitions,
  schema: CompiledSchema,
): Map<string, Operation> {
  const { portType, bindings, ignored } = selection
  const operations = new Map<string, Operation>()
  const nodes = childrenOf(portType, WSDL, 'operation')
  noteUnbound(bindings[0], portType, nodes, ignored)
  for (const node of nodes) {
    const name = nameOf(node)
    if (isNotification(node)) {
      ignored.push(`the operation ${name} is a notification or solicit-response, which no server can receive`)
      continue
    }
    const bound = bindings.map((binding) => boundIn(binding, node, nodes)).filter((found) => found !== undefined)
    const [first] = bound
    if (!first) throw wrong(`the binding ${nameOf(bindings[0].node)} lacks the operation ${name}`)
    let free = name
    for (let at = 2; operations.has(free); at++) free = `${name}${at}`
    const operation = readOperation(node, first, definitions, schema)
    noteStyles(operation, bound.slice(1), ignored)
    if (usesEncoding(first)) ignored.push(`the SOAP encoding of ${name}: its messages are read and written as literal`)
    operations.set(free, { ...operation, name: free, actions: new Set(bound.map(actionOf)) })
  }
  return operations
}

/** An operation in a binding. */
interface Bound {
  readonly node: XmlElement
  readonly binding: SoapBinding
}

function boundIn(binding: SoapBinding, node: XmlElement, nodes: readonly XmlElement[]): Bound | undefined {
  const same = childrenOf(binding.node, WSDL, 'operation').filter((candidate) => nameOf(candidate) === nameOf(node))
  // Operations of one name differ in the names of their messages, or come in the same order.
  const nth = nodes.filter((other) => nameOf(other) === nameOf(node)).indexOf(node)
  const byInput = same.find((candidate) => inputName(candidate) !== '' && inputName(candidate) === inputName(node))
  const found = byInput ?? same[nth] ?? same[0]
  return found && { node: found, binding }
}

function inputName(operation: XmlElement): string {
  const [input] = childrenOf(operation, WSDL, 'input')
  return input ? nameOf(input) : ''
}

function isNotification(node: XmlElement): boolean {
  const kinds = node.children.filter(({ uri }) => uri === WSDL).map(({ local }) => local)
  const input = kinds.indexOf('input')
  const output = kinds.indexOf('output')
  return output !== -1 && (input === -1 || output < input)
}

/** An operation of the binding that the port type lacks has no messages: it cannot be used. */
function noteUnbound(
  binding: SoapBinding,
  portType: XmlElement,
  nodes: readonly XmlElement[],
  ignored: string[],
): void {
  for (const node of childrenOf(binding.node, WSDL, 'operation')) {
    if (!nodes.some((candidate) => nameOf(candidate) === nameOf(node)))
      ignored.push(`the operation ${nameOf(node)} of ${nameOf(binding.node)}, which ${nameOf(portType)} lacks`)
  }
}

function usesEncoding({ node }: Bound): boolean {
  return node.children.some(({ children }) =>
    children.some((body) => attributeOf(body, '', 'use')?.trim() === 'encoded'),
  )
}

function readOperation(node: XmlElement, bound: Bound, definitions: Definitions, schema: CompiledSchema): Operation {
  const name = nameOf(node)
  const [input] = childrenOf(node, WSDL, 'input')
  const [output] = childrenOf(node, WSDL, 'output')
  if (!input) throw wrong(`the operation ${name} has no input`)
  const style = styleOf(bound)
  const source = { definitions, schema, style, operation: name, soapAction: actionOf(bound) }
  return {
    name,
    style,
    input: readMessage(input, childrenOf(bound.node, WSDL, 'input')[0], source),
    output: output && readMessage(output, childrenOf(bound.node, WSDL, 'output')[0], source),
    faults: childrenOf(node, WSDL, 'fault').map((fault) => readFault(fault, source)),
    action: actionOf(bound),
    actions: new Set(),
    documentation: childrenOf(node, WSDL, 'documentation')[0]?.text.trim().replace(/\s+/g, ' '),
  }
}

function soapOperation({ node }: Bound): XmlElement | undefined {
  return node.children.find(({ local, uri }) => local === 'operation' && isSoap(uri))
}

function styleOf(bound: Bound): 'document' | 'rpc' {
  const soap = soapOperation(bound)
  const style = (soap && attributeOf(soap, '', 'style')?.trim()) ?? bound.binding.style
  if (style === 'document' || style === 'rpc') return style
  throw wrong(`the operation ${nameOf(bound.node)} has the style "${style}"`)
}

function actionOf(bound: Bound): string {
  const soap = soapOperation(bound)
  return (soap && attributeOf(soap, '', 'soapAction')?.trim()) ?? ''
}

/** A binding of another style has other messages: only those of the chosen port are understood. */
function noteStyles(operation: Operation, others: readonly Bound[], ignored: string[]): void {
  for (const other of others) {
    if (styleOf(other) !== operation.style)
      ignored.push(`the binding ${nameOf(other.binding.node)} has another style for ${operation.name}`)
  }
}

function wrong(reason: string): TypeError {
  return new TypeError(`soap-envelope: parseContract: ${reason}`)
}
