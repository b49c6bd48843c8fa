import { FAULT_CODES, type FaultCode, SoapFault, type SoapFaultInit } from '../fault.ts'
import { writeElement } from '../schema/write-element.ts'
import type { DeclaredFault } from '../wsdl/messages.ts'
import { findChildren, getAttribute, resolveQName, type XmlElement } from '../xml/element.ts'
import { isSameName, type QName, SOAP11, SOAP12, type SoapVersion, XML } from '../xml/names.ts'

const CODES_11: ReadonlyMap<string, FaultCode> = new Map([
  ['VersionMismatch', 'VersionMismatch'],
  ['MustUnderstand', 'MustUnderstand'],
  ['Client', 'Sender'],
  ['Server', 'Receiver'],
  // The names of SOAP 1.2, which some services send in 1.1.
  ['Sender', 'Sender'],
  ['Receiver', 'Receiver'],
])

/** Whether the child of a Body is a fault. */
export function isFault(body: XmlElement): boolean {
  return body.local === 'Fault' && (body.uri === SOAP12 || body.uri === SOAP11)
}

/** Reads a fault that a service sent. A lenient reader: what it lacks is filled. */
export function readFault(
  fault: XmlElement,
  version: SoapVersion,
  httpStatus: number,
  declaredFaults: readonly DeclaredFault[] = [],
): SoapFault {
  const init = version === '1.2' ? read12(fault) : read11(fault)
  const detail = version === '1.2' ? findChildren(fault, SOAP12, 'Detail')[0] : part11(fault, 'detail')
  const declared = detail && readDeclared(detail, declaredFaults)
  return new SoapFault({ ...init, ...(declared && { declared }), status: httpStatus, httpStatus })
}

/**
 * The fault of the contract whose element is in the detail. One that does not fit its schema stays
 * XML.
 */
function readDeclared(detail: XmlElement, declaredFaults: readonly DeclaredFault[]): SoapFaultInit['declared'] {
  for (const entry of detail.children) {
    const fault = declaredFaults.find(({ element }) => isSameName(element, entry))
    if (!fault) continue
    try {
      return { name: fault.name, value: fault.decode(entry) }
    } catch {
      return undefined
    }
  }
  return undefined
}

function read12(fault: XmlElement): SoapFaultInit {
  const part = (parent: XmlElement | undefined, local: string): XmlElement | undefined =>
    parent && findChildren(parent, SOAP12, local)[0]
  const values: (QName | undefined)[] = []
  for (let code = part(fault, 'Code'); code; code = part(code, 'Subcode')) values.push(nameIn(part(code, 'Value')))
  const [code, ...subcodes] = values
  const reason = part(fault, 'Reason')
  const texts = reason ? findChildren(reason, SOAP12, 'Text') : []
  return {
    code: FAULT_CODES.find((name) => name === code?.local) ?? 'Receiver',
    subcodes: subcodes.filter((name) => name !== undefined),
    reason: Object.fromEntries(texts.map((text) => [getAttribute(text, XML, 'lang') ?? 'en', text.text])),
    ...optional('node', part(fault, 'Node')?.text.trim()),
    ...optional('role', part(fault, 'Role')?.text.trim()),
    ...optional('detail', part(fault, 'Detail')?.children.map(writeElement).join('')),
  }
}

function read11(fault: XmlElement): SoapFaultInit {
  const code = part11(fault, 'faultcode')
  const name = nameIn(code)
  const isForeign = name !== undefined && name.uri !== '' && name.uri !== SOAP11
  // Services write `Server` without a prefix too, or with one that is not bound.
  const text = code?.text ?? ''
  const [local = ''] = text.slice(text.lastIndexOf(':') + 1).split('.', 1)
  const standard = isForeign ? undefined : CODES_11.get(local.trim())
  return {
    // The codes of other standards, such as WS-Security, are about the request.
    code: standard ?? (isForeign ? 'Sender' : 'Receiver'),
    subcodes: standard === undefined && name ? [name] : [],
    reason: part11(fault, 'faultstring')?.text ?? '',
    ...optional('role', part11(fault, 'faultactor')?.text.trim()),
    ...optional('detail', part11(fault, 'detail')?.children.map(writeElement).join('')),
  }
}

/** The parts are in no namespace (SOAP 1.1, 4.4). Some services qualify them. */
function part11(fault: XmlElement, local: string): XmlElement | undefined {
  return findChildren(fault, '', local)[0] ?? findChildren(fault, SOAP11, local)[0]
}

function nameIn(element: XmlElement | undefined): QName | undefined {
  return element && resolveQName(element, element.text)
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined || value === '' ? {} : { [key]: value }) as { [K in Key]?: string }
}
