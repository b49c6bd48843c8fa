import type { Envelope } from '../envelope/parse.ts'
import { SoapFault, senderFault } from '../fault.ts'
import type { Message } from '../wsdl/messages.ts'
import { isSameName } from '../xml/names.ts'

/** Values of header blocks by the name of their part in the WSDL. */
export type HeaderValues = Record<string, unknown>

/**
 * Reads the header blocks that the contract binds to a message. Throws a fault `InvalidHeader` if
 * one does not fit its schema, comes twice, or is missing although it is required.
 */
export function decodeHeaders({ headers }: Message, envelope: Envelope, required: boolean): HeaderValues {
  const values: HeaderValues = {}
  for (const { name, element, decode } of headers) {
    const blocks = envelope.headers.filter((block) => block.targeted && isSameName(block.element, element))
    const [block] = blocks
    if (blocks.length > 1) throw invalidHeader(`The Header contains ${element.local} more than once.`)
    if (block) values[name] = decodeBlock(() => decode(block.element))
    else if (required) throw invalidHeader(`The Header lacks ${element.local}.`)
  }
  return values
}

function decodeBlock(decode: () => unknown): unknown {
  try {
    return decode()
  } catch (error) {
    throw error instanceof SoapFault ? invalidHeader(error.message) : error
  }
}

function invalidHeader(reason: string): SoapFault {
  return senderFault('InvalidHeader', reason)
}

/**
 * Writes header blocks by the names of their parts. Throws a TypeError if one is not declared or
 * does not fit.
 */
export function encodeHeaders({ headers }: Message, values: HeaderValues): string[] {
  for (const name of Object.keys(values)) {
    if (!headers.some((header) => header.name === name))
      throw new TypeError(`soap-envelope: the message has no header "${name}"`)
  }
  return headers.flatMap(({ name, encode }) => (values[name] === undefined ? [] : [encode(values[name])]))
}
