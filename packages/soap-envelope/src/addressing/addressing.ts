import { randomUUID } from 'node:crypto'
import { escapeAttribute, escapeText } from '../../../internal/xml-escape.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import type { Envelope } from '../envelope/parse.ts'
import { SoapFault } from '../fault.ts'
import { findChildren, getAttribute, type XmlElement } from '../xml/element.ts'
import type { QName } from '../xml/names.ts'

/** The namespace of WS-Addressing 1.0. */
export const WSA = 'http://www.w3.org/2005/08/addressing'
const ANONYMOUS = `${WSA}/anonymous`
const REPLY = `${WSA}/reply`
const NONE = `${WSA}/none`
const SOAP_FAULT_ACTION = `${WSA}/soap/fault`
const WSA_FAULT_ACTION = `${WSA}/fault`

/** The message addressing properties of a request. */
export interface Addressing {
  readonly action: string
  readonly messageId: string | undefined
}

const ONCE = ['Action', 'MessageID', 'To', 'ReplyTo', 'FaultTo', 'From']

/** Whether a header block is one of WS-Addressing. */
export function isAddressing({ element }: HeaderBlock): boolean {
  return element.uri === WSA
}

/**
 * Reads the addressing properties of a request (WS-Addressing 1.0 SOAP binding, 6.4); `undefined`
 * if it has none. The reply goes back on the connection: any other address in ReplyTo or FaultTo is
 * rejected, and never connected to. A message that gets no reply may say so.
 */
export function readAddressing({ headers }: Envelope, hasReply: boolean): Addressing | undefined {
  const blocks = headers.filter((block) => block.targeted && isAddressing(block))
  if (blocks.length === 0) return undefined
  const properties = new Map<string, XmlElement>()
  for (const { element } of blocks) {
    if (properties.has(element.local) && ONCE.includes(element.local)) throw invalid('InvalidCardinality', element)
    properties.set(element.local, element)
  }
  const action = properties.get('Action')?.text.trim()
  if (!action) throw required('Action')
  checkReply(properties.get('ReplyTo'), !hasReply)
  checkReply(properties.get('FaultTo'), true)
  return { action, messageId: properties.get('MessageID')?.text.trim() }
}

function checkReply(reference: XmlElement | undefined, mayBeNone: boolean): void {
  if (!reference) return
  const [address, ...more] = findChildren(reference, WSA, 'Address')
  if (!address || more.length > 0) throw invalid('MissingAddressInEPR', reference)
  const uri = address.text.trim()
  if (uri !== ANONYMOUS && !(uri === NONE && mayBeNone)) throw invalid('OnlyAnonymousAddressSupported', reference)
}

/**
 * Rejects a message whose action is not that of the operation in its Body, or that lacks an id to
 * relate to.
 */
export function checkAction(addressing: Addressing, action: string, hasReply: boolean): void {
  if (addressing.action !== action)
    throw addressingFault(['ActionNotSupported'], 'The [action] is not that of the operation in the Body.')
  if (hasReply && !addressing.messageId) throw required('MessageID')
}

function invalid(subcode: string, { local }: QName): SoapFault {
  const reason = `A header that represents a Message Addressing Property is not valid: ${local}.`
  return addressingFault(['InvalidAddressingHeader', subcode], reason)
}

function required(name: string): SoapFault {
  const reason = `A required header that represents a Message Addressing Property is missing: ${name}.`
  return addressingFault(['MessageAddressingHeaderRequired'], reason)
}

function addressingFault(names: readonly string[], reason: string): SoapFault {
  return new SoapFault({ code: 'Sender', subcodes: names.map((local) => ({ uri: WSA, local })), reason })
}

/** The header blocks of a reply. */
export function replyBlocks(request: Addressing, action: string): string[] {
  return [
    block('Action', action),
    block('MessageID', `urn:uuid:${randomUUID()}`),
    block('To', ANONYMOUS),
    ...(request.messageId ? [block('RelatesTo', request.messageId)] : []),
  ]
}

/** The header blocks of a fault (WS-Addressing 1.0 SOAP binding, 6.1). */
export function faultBlocks(request: Addressing, fault: SoapFault): string[] {
  const isOwn = fault.subcodes.some(({ uri }) => uri === WSA)
  return replyBlocks(request, isOwn ? WSA_FAULT_ACTION : SOAP_FAULT_ACTION)
}

/** The header blocks of a request, and the id that its reply must relate to. */
export function requestBlocks(action: string, to: string): { blocks: string[]; messageId: string } {
  const messageId = `urn:uuid:${randomUUID()}`
  const replyTo = `<wsa:ReplyTo xmlns:wsa="${WSA}"><wsa:Address>${ANONYMOUS}</wsa:Address></wsa:ReplyTo>`
  const must = ' env:mustUnderstand="1"'
  const blocks = [block('Action', action, must), block('MessageID', messageId), block('To', to, must), replyTo]
  return { blocks, messageId }
}

/**
 * Throws if a response does not relate to its request (WS-Addressing 1.0 Core, 3.4). Relations of
 * another type are ignored.
 *
 * @param isRequired - false for a fault: the service may have failed before it read the id
 */
export function checkRelation({ headers }: Envelope, messageId: string, isRequired: boolean): void {
  const relations = headers.filter(({ element }) => isReplyRelation(element))
  if (relations.some(({ element }) => element.text.trim() !== messageId))
    throw new Error('the response relates to another message')
  if (isRequired && relations.length === 0) throw new Error('the response does not relate to the request')
}

function isReplyRelation(element: XmlElement): boolean {
  if (element.uri !== WSA || element.local !== 'RelatesTo') return false
  const type = getAttribute(element, '', 'RelationshipType')?.trim() ?? REPLY
  return type === REPLY
}

function block(name: string, value: string, attributes = ''): string {
  return `<wsa:${name} xmlns:wsa="${escapeAttribute(WSA)}"${attributes}>${escapeText(value)}</wsa:${name}>`
}
