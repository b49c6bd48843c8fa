import { SoapFault, senderFault } from '../fault.ts'
import { getAttribute, type XmlElement } from '../xml/element.ts'
import { clark, envelopeNamespace, type QName, type SoapVersion } from '../xml/names.ts'

/** A child of the Header. */
export interface HeaderBlock {
  /** The element of the block. */
  readonly element: XmlElement
  /**
   * Whether the block is for this node: without a role, for `next`, for the ultimate receiver, or
   * for one of `roles`.
   */
  readonly targeted: boolean
  /**
   * Whether a node that does not understand the block must reject the message. Ignored if the block
   * is for another node.
   */
  readonly mustUnderstand: boolean
  /** The URI of the role (`actor` in SOAP 1.1); empty for none. */
  readonly role: string
}

/** Options for the header blocks that a node processes. */
export interface HeaderRules {
  /** URIs of other roles of this node. @defaultValue [] */
  roles?: readonly string[]
  /** Returns whether a header block is understood. @defaultValue none */
  understoodHeaders?: (block: HeaderBlock) => boolean
}

const MAX_NOT_UNDERSTOOD = 16
const NEXT_11 = 'http://schemas.xmlsoap.org/soap/actor/next'

/** Reads the header blocks of an envelope (SOAP 1.2 part 1, 5.2; SOAP 1.1, 4.2). */
export function readHeaders(header: XmlElement, version: SoapVersion, roles: readonly string[] = []): HeaderBlock[] {
  return header.children.map((element) => {
    const uri = envelopeNamespace(version)
    const role = getAttribute(element, uri, version === '1.2' ? 'role' : 'actor')?.trim() ?? ''
    const targeted = role === '' || isOurs(role, version) || roles.includes(role)
    const mandatory = getAttribute(element, uri, 'mustUnderstand')
    return { element, targeted, role, mustUnderstand: targeted && readMandatory(mandatory, version) }
  })
}

function isOurs(role: string, version: SoapVersion): boolean {
  if (version === '1.1') return role === NEXT_11
  const prefix = `${envelopeNamespace(version)}/role/`
  return role === `${prefix}next` || role === `${prefix}ultimateReceiver`
}

function readMandatory(value: string | undefined, version: SoapVersion): boolean {
  switch (value?.trim()) {
    case undefined:
    case '0':
      return false
    case '1':
      return true
    case 'true':
    case 'false':
      if (version === '1.2') return value?.trim() === 'true'
  }
  throw senderFault('InvalidEnvelope', 'The value of mustUnderstand is not a boolean.')
}

/**
 * Refuses a message with a mandatory header block that is meant for us and not understood, before
 * anything is done.
 */
export function checkUnderstood(blocks: readonly HeaderBlock[], { understoodHeaders }: HeaderRules): void {
  const unknown = new Map<string, QName>()
  for (const block of blocks) {
    if (!block.mustUnderstand || understoodHeaders?.(block)) continue
    const { uri, local } = block.element
    unknown.set(clark(block.element), { uri, local })
  }
  if (unknown.size === 0) return
  const notUnderstood = [...unknown.values()].slice(0, MAX_NOT_UNDERSTOOD)
  throw new SoapFault({ code: 'MustUnderstand', reason: 'A mandatory header block is not understood.', notUnderstood })
}
