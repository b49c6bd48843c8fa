import { senderFault } from '../fault.ts'
import type { CompiledSchema, ElementCodec } from '../schema/compile.ts'
import type { NamespaceScope } from '../schema/simple-type.ts'
import { findChildren, getAttribute, resolveQName, type XmlElement } from '../xml/element.ts'
import { clark, isSameName, type QName, WSDL } from '../xml/names.ts'
import { type Definitions, readName, readQualifiedName, referred } from './definitions.ts'

/** A header block that the WSDL binds to a message with `soap:header`. */
export interface MessageHeader extends ElementCodec {
  /**
   * Name of the part: the property of the block in `headers`. A second part of the same name has a
   * number as its suffix.
   */
  readonly name: string
}

/** Content of the Body and the Header of a message in the WSDL. */
export interface Message {
  /** The first element of the Body, which selects the operation; `undefined` for an empty Body. */
  readonly element: QName | undefined
  /** The elements of the Body with the names of their parts, one in most contracts. */
  readonly parts: readonly MessageHeader[]
  /** The header blocks of the message. */
  readonly headers: readonly MessageHeader[]
  /**
   * Action of WS-Addressing: declared, or derived from the names (WS-Addressing 1.0 Metadata §4.4).
   */
  readonly action: string
  /**
   * Decodes the elements of a Body. Throws a `SoapFault` `ValidationFailed` if they are invalid.
   */
  decode(body: readonly XmlElement[]): unknown
  /** Encodes a value as the XML of a Body. Throws a `TypeError` if the value is invalid. */
  encode(value: unknown, attach?: NamespaceScope['attach']): string
}

/** A fault that the WSDL declares for an operation. */
export interface DeclaredFault extends ElementCodec {
  /** Name of the `wsdl:fault`, as `context.fault()` takes it. */
  readonly name: string
}

/** Context for reading the messages of an operation. */
export interface MessageSource {
  readonly definitions: Definitions
  readonly schema: CompiledSchema
  readonly style: 'document' | 'rpc'
  /** soapAction of the operation. */
  readonly soapAction: string
  /** Name of the operation, and of the element around the parts of an rpc message. */
  readonly operation: string
}

interface Part {
  readonly name: string
  readonly element: QName | undefined
  readonly type: QName | undefined
}

/**
 * Reads what a binding says of a message.
 *
 * @param reference - the `wsdl:input` or `wsdl:output` of the port type
 * @param bound - the same of the binding
 */
export function readMessage(reference: XmlElement, bound: XmlElement | undefined, source: MessageSource): Message {
  const { definitions, operation } = source
  const message = referred(reference, 'message', 'message', definitions)
  const { body, headers: headerNodes, attachments } = findExtensions(bound)
  if (source.style === 'document') checkLiteral([...(body ? [body] : []), ...headerNodes], operation)
  const headers = numberNames(headerNodes.map((node) => readHeader(node, source)))
  const action = readMessageAction(reference, source)
  const elsewhere = new Set(attachments)
  for (const node of headerNodes)
    if (referred(node, 'message', 'message', definitions) === message)
      elsewhere.add(getAttribute(node, '', 'part') ?? '')
  const parts = bodyParts(readMessageParts(message, operation), body, elsewhere, operation)
  const namespace = (body && getAttribute(body, '', 'namespace')?.trim()) ?? ''
  if (source.style === 'rpc') {
    const suffix = reference.local === 'output' ? 'Response' : ''
    const codec = source.schema.wrapper({ uri: namespace, local: operation + suffix }, parts)
    return { ...singleMessage([{ ...codec, name: operation }]), headers, action }
  }
  const codecs = parts.map((part) => ({ ...createCodec(part, '', source), name: part.name }))
  return { ...(codecs.length < 2 ? singleMessage(codecs) : severalElements(codecs)), headers, action }
}

const METADATA = ['http://www.w3.org/2007/05/addressing/metadata', 'http://www.w3.org/2006/05/addressing/wsdl']

function readMessageAction(reference: XmlElement, { soapAction, operation }: MessageSource): string {
  for (const uri of METADATA) {
    const declared = getAttribute(reference, uri, 'Action')?.trim()
    if (declared) return declared
  }
  const isInput = reference.local === 'input'
  if (isInput && soapAction !== '') return soapAction
  const portType = reference.parent?.parent
  const { uri, local } = portType ? readQualifiedName(portType) : { uri: '', local: '' }
  const hasOutput = reference.parent?.children.some((node) => node.local === 'output') ?? false
  const name = readName(reference) || operation + (isInput ? (hasOutput ? 'Request' : '') : 'Response')
  const delimiter = uri.startsWith('urn:') ? ':' : '/'
  return [uri.endsWith(delimiter) ? uri.slice(0, -1) : uri, local, name].join(delimiter)
}

function singleMessage(parts: readonly MessageHeader[]): Omit<Message, 'headers' | 'action'> {
  const [part] = parts
  if (!part) return { element: undefined, parts, decode: () => undefined, encode: () => '' }
  return {
    element: part.element,
    parts,
    decode: ([element, extra]) => {
      if (extra) throw senderFault('ValidationFailed', `The Body contains more than ${part.element.local}.`)
      if (element && isSameName(element, part.element)) return part.decode(element)
      throw senderFault('ValidationFailed', `The Body does not contain ${part.element.local}.`)
    },
    encode: part.encode,
  }
}

/** A Body of several elements: its value has a property for each part. */
function severalElements(parts: readonly MessageHeader[]): Omit<Message, 'headers' | 'action'> {
  const [first] = parts
  return {
    element: first?.element,
    parts,
    decode: (body) => {
      const fits =
        body.length === parts.length && body.every((element, index) => isSameName(element, nameAt(parts, index)))
      if (!fits)
        throw senderFault(
          'ValidationFailed',
          `The Body does not contain ${parts.map(({ element }) => element.local).join(', ')}.`,
        )
      return Object.fromEntries(parts.map((part, index) => [part.name, part.decode(body[index] as XmlElement)]))
    },
    encode: (value, attach) => {
      const values = (value ?? {}) as Record<string, unknown>
      return parts.map(({ name, encode }) => encode(values[name], attach)).join('')
    },
  }
}

function nameAt(parts: readonly MessageHeader[], index: number): QName {
  return parts[index]?.element ?? { uri: '', local: '' }
}

/** The faults of an operation. */
export function readFault(reference: XmlElement, source: MessageSource): DeclaredFault {
  const [part, ...more] = readMessageParts(
    referred(reference, 'message', 'message', source.definitions),
    source.operation,
  )
  const name = readName(reference)
  if (!part || more.length > 0)
    throw new TypeError(`soap-envelope: parseContract: the fault ${name} of ${source.operation} needs one part`)
  return { ...createCodec(part, '', source), name }
}

function readHeader(node: XmlElement, source: MessageSource): MessageHeader {
  const name = getAttribute(node, '', 'part') ?? ''
  const message = referred(node, 'message', 'message', source.definitions)
  const part = readMessageParts(message, source.operation).find((candidate) => candidate.name === name)
  if (!part)
    throw new TypeError(
      `soap-envelope: parseContract: a soap:header of ${source.operation} names the part "${name}", which ${readName(message)} lacks`,
    )
  return { ...createCodec(part, getAttribute(node, '', 'namespace')?.trim() ?? '', source), name }
}

/** Parts of two messages may have one name: the second has a number as its suffix. */
function numberNames(headers: readonly MessageHeader[]): MessageHeader[] {
  const names = new Set<string>()
  return headers.map((header) => {
    let { name } = header
    for (let number = 2; names.has(name); number++) name = `${header.name}${number}`
    names.add(name)
    return { ...header, name }
  })
}

function createCodec(part: Part, namespace: string, { schema, operation }: MessageSource): ElementCodec {
  if (part.element) {
    const codec = schema.codec(part.element)
    if (codec) return codec
    throw new TypeError(
      `soap-envelope: parseContract: the operation ${operation} refers to ${clark(part.element)}, which no schema declares`,
    )
  }
  // A part with a type is an element of the name of the part.
  return schema.typed({ uri: namespace, local: part.name }, part.type ?? { uri: '', local: '' })
}

interface Extensions {
  readonly body: XmlElement | undefined
  readonly headers: readonly XmlElement[]
  /** Names of the parts that travel as attachments. */
  readonly attachments: readonly string[]
}

/** Extensions of a binding for a message, also inside `mime:multipartRelated`. */
function findExtensions(bound: XmlElement | undefined): Extensions {
  const multipart = bound?.children.find(({ local }) => local === 'multipartRelated')
  const mimeParts = multipart?.children.flatMap(({ children }) => children) ?? []
  const nodes = [...(bound?.children ?? []), ...mimeParts]
  return {
    body: nodes.find(({ local, uri }) => local === 'body' && uri.startsWith(`${WSDL}soap`)),
    headers: nodes.filter(({ local, uri }) => local === 'header' && uri.startsWith(`${WSDL}soap`)),
    attachments: mimeParts
      .filter(({ local, uri }) => local === 'content' && uri === `${WSDL}mime/`)
      .map((node) => getAttribute(node, '', 'part') ?? ''),
  }
}

function checkLiteral(nodes: readonly XmlElement[], operation: string): void {
  if (nodes.some((node) => getAttribute(node, '', 'use')?.trim() === 'encoded'))
    throw new TypeError(
      `soap-envelope: parseContract: ${operation} has document style with SOAP encoding, which is not supported`,
    )
}

/**
 * The parts that go into the Body: those that `parts` names, or all that are not a header or an
 * attachment.
 */
function bodyParts(
  parts: readonly Part[],
  body: XmlElement | undefined,
  elsewhere: ReadonlySet<string>,
  operation: string,
): readonly Part[] {
  const named = body && getAttribute(body, '', 'parts')
  if (named === undefined) return parts.filter(({ name }) => !elsewhere.has(name))
  return named
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => {
      const part = parts.find((candidate) => candidate.name === name)
      if (part) return part
      throw new TypeError(
        `soap-envelope: parseContract: soap:body of ${operation} names the part "${name}", which does not exist`,
      )
    })
    .filter(({ name }) => !elsewhere.has(name))
}

function readMessageParts(message: XmlElement, operation: string): Part[] {
  const names = new Set<string>()
  return findChildren(message, WSDL, 'part').map((node) => {
    if (names.has(readName(node)))
      throw new TypeError(
        `soap-envelope: parseContract: the message ${readName(message)} has the part ${readName(node)} twice`,
      )
    names.add(readName(node))
    const element = getAttribute(node, '', 'element')
    const type = getAttribute(node, '', 'type')
    const reference = element ?? type ?? ''
    const name = resolveQName(node, reference)
    if (!name || reference === '' || (element !== undefined && type !== undefined))
      throw new TypeError(
        `soap-envelope: parseContract: the part ${readName(node)} of ${readName(message)}, for ${operation}, needs an element or a type`,
      )
    return {
      name: readName(node),
      element: element === undefined ? undefined : name,
      type: element === undefined ? name : undefined,
    }
  })
}
