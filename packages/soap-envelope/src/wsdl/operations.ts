import type { CompiledSchema } from '../schema/compile.ts'
import { findChildren, getAttribute, type XmlElement } from '../xml/element.ts'
import { WSDL } from '../xml/names.ts'
import { isSoap, type Selection, type SoapBinding } from './bindings.ts'
import { type Definitions, readName } from './definitions.ts'
import { type DeclaredFault, type Message, readFault, readMessage } from './messages.ts'

/** An operation of a port type. */
export interface Operation {
  /** Name in the WSDL; an overloaded name has a number as its suffix. */
  readonly name: string
  /**
   * Style of its messages: `document` for elements of the schema, `rpc` for parts in an element
   * with the name of the operation.
   */
  readonly style: 'document' | 'rpc'
  /** The request. */
  readonly input: Message
  /** The response; `undefined` for a one-way operation. */
  readonly output: Message | undefined
  /** The declared faults. */
  readonly faults: readonly DeclaredFault[]
  /** `soapAction` in the binding of the port; empty if there is none. */
  readonly action: string
  /** `soapAction` in every binding of the port type. A service accepts any of them. */
  readonly actions: ReadonlySet<string>
  /** Documentation in the WSDL. */
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
  const nodes = findChildren(portType, WSDL, 'operation')
  noteUnbound(bindings[0], portType, nodes, ignored)
  for (const node of nodes) {
    const name = readName(node)
    if (isNotification(node)) {
      ignored.push(`the operation ${name} is a notification or solicit-response, which no server can receive`)
      continue
    }
    const bound = bindings
      .map((binding) => boundIn(binding, node, nodes))
      .filter((candidate) => candidate !== undefined)
    const [first] = bound
    if (!first) throw wrong(`the binding ${readName(bindings[0].node)} lacks the operation ${name}`)
    let free = name
    for (let number = 2; operations.has(free); number++) free = `${name}${number}`
    const operation = readOperation(node, first, definitions, schema)
    noteStyles(operation, bound.slice(1), ignored)
    if (usesEncoding(first))
      ignored.push(`the SOAP encoding of ${name}: its messages are read and written as literal, its arrays as \`any\``)
    operations.set(free, { ...operation, name: free, actions: new Set(bound.map(readAction)) })
  }
  return operations
}

/** An operation in a binding. */
interface Bound {
  readonly node: XmlElement
  readonly binding: SoapBinding
}

function boundIn(binding: SoapBinding, node: XmlElement, nodes: readonly XmlElement[]): Bound | undefined {
  const same = findChildren(binding.node, WSDL, 'operation').filter(
    (candidate) => readName(candidate) === readName(node),
  )
  // Operations of one name differ in the names of their messages, or come in the same order.
  const nth = nodes.filter((other) => readName(other) === readName(node)).indexOf(node)
  const byInput = same.find((candidate) => inputName(candidate) !== '' && inputName(candidate) === inputName(node))
  const match = byInput ?? same[nth] ?? same[0]
  return match && { node: match, binding }
}

function inputName(operation: XmlElement): string {
  const [input] = findChildren(operation, WSDL, 'input')
  return input ? readName(input) : ''
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
  for (const node of findChildren(binding.node, WSDL, 'operation')) {
    if (!nodes.some((candidate) => readName(candidate) === readName(node)))
      ignored.push(`the operation ${readName(node)} of ${readName(binding.node)}, which ${readName(portType)} lacks`)
  }
}

function usesEncoding({ node }: Bound): boolean {
  return node.children.some(({ children }) =>
    children.some((body) => getAttribute(body, '', 'use')?.trim() === 'encoded'),
  )
}

function readOperation(node: XmlElement, bound: Bound, definitions: Definitions, schema: CompiledSchema): Operation {
  const name = readName(node)
  const [input] = findChildren(node, WSDL, 'input')
  const [output] = findChildren(node, WSDL, 'output')
  if (!input) throw wrong(`the operation ${name} has no input`)
  const style = readStyle(bound)
  const source = { definitions, schema, style, operation: name, soapAction: readAction(bound) }
  return {
    name,
    style,
    input: readMessage(input, findChildren(bound.node, WSDL, 'input')[0], source),
    output: output && readMessage(output, findChildren(bound.node, WSDL, 'output')[0], source),
    faults: findChildren(node, WSDL, 'fault').map((fault) => readFault(fault, source)),
    action: readAction(bound),
    actions: new Set(),
    documentation: findChildren(node, WSDL, 'documentation')[0]?.text.trim().replace(/\s+/g, ' '),
  }
}

function soapOperation({ node }: Bound): XmlElement | undefined {
  return node.children.find(({ local, uri }) => local === 'operation' && isSoap(uri))
}

function readStyle(bound: Bound): 'document' | 'rpc' {
  const soap = soapOperation(bound)
  const style = (soap && getAttribute(soap, '', 'style')?.trim()) ?? bound.binding.style
  if (style === 'document' || style === 'rpc') return style
  throw wrong(`the operation ${readName(bound.node)} has the style "${style}"`)
}

function readAction(bound: Bound): string {
  const soap = soapOperation(bound)
  return (soap && getAttribute(soap, '', 'soapAction')?.trim()) ?? ''
}

/** A binding of another style has other messages: only those of the chosen port are understood. */
function noteStyles(operation: Operation, others: readonly Bound[], ignored: string[]): void {
  for (const other of others) {
    if (readStyle(other) !== operation.style)
      ignored.push(`the binding ${readName(other.binding.node)} has another style for ${operation.name}`)
  }
}

function wrong(reason: string): TypeError {
  return new TypeError(`soap-envelope: parseContract: ${reason}`)
}
