import { type SoapFault, senderFault } from '../fault.ts'
import { formatPath, type XmlElement } from '../xml/element.ts'

/**
 * Returns the fault for an element that does not fit the schema. It names the path, not the value.
 */
export function violation(node: XmlElement, reason: string): SoapFault {
  return senderFault('ValidationFailed', `${formatPath(node)} ${reason}.`)
}
