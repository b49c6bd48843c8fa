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
  const [detail] = version === '1.2' ? findChildren(fault, SOAP12, 'Detail') : findChildren(fault, '', 'detail')
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
  const part = (local: string): XmlElement | undefined => findChildren(fault, '', local)[0]
  const name = nameIn(part('faultcode'))
  const standard = name?.uri === SOAP11 ? CODES_11.get(name.local.split('.')[0] ?? '') : undefined
  return {
    code: standard ?? 'Sender',
    subcodes: standard === undefined && name ? [name] : [],
    reason: part('faultstring')?.text ?? '',
    ...optional('role', part('faultactor')?.text.trim()),
    ...optional('detail', part('detail')?.children.map(writeElement).join('')),
  }
}

function nameIn(element: XmlElement | undefined): QName | undefined {
  return element && resolveQName(element, element.text)
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined || value === '' ? {} : { [key]: value }) as { [K in Key]?: string }
}
