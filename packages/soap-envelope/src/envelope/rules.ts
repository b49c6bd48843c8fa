import { limitFault, SoapFault, senderFault } from '../fault.ts'
import { getAttribute, type XmlElement } from '../xml/element.ts'
import type { MessageLimits } from '../xml/limits.ts'
import { SOAP11, SOAP12, type SoapVersion } from '../xml/names.ts'

const ENCODING_NONE = `${SOAP12}/encoding/none`

/**
 * Returns the version of SOAP of a document element. Throws VersionMismatch if it is not supported.
 */
export function versionOfRoot(root: XmlElement, expected: SoapVersion | undefined): SoapVersion {
  if (root.local !== 'Envelope') throw invalid('The document element is not an Envelope.')
  const version = root.uri === SOAP12 ? '1.2' : root.uri === SOAP11 ? '1.1' : undefined
  if (version === undefined)
    throw new SoapFault({ code: 'VersionMismatch', reason: 'The version of the envelope is not supported.' })
  if (expected !== undefined && version !== expected)
    throw invalid(`A SOAP ${version} envelope does not match the Content-Type of SOAP ${expected}.`)
  return version
}

/**
 * Checks a child of the Envelope when it opens: an optional Header, then one Body, nothing else.
 */
export function checkPart(part: XmlElement): void {
  const siblings = part.parent?.children ?? []
  const isPart = part.uri === part.parent?.uri && (part.local === 'Header' || part.local === 'Body')
  if (!isPart) throw invalid('The Envelope contains something other than Header and Body.')
  if (part.local === 'Header' && siblings.length > 1) throw invalid('The Header is not the first part of the Envelope.')
  if (part.local === 'Body' && siblings.length > 1 && siblings.at(-2)?.local === 'Body')
    throw invalid('The Envelope has more than one Body.')
}

/**
 * SOAP 1.2 allows only qualified attributes, and no encodingStyle, on Envelope, Header and Body
 * (part 1, 5.1).
 */
export function checkPartAttributes(part: XmlElement): void {
  for (const { uri, local } of part.attributes) {
    if (uri === '') throw invalid(`The ${part.local} has an attribute in no namespace.`)
    if (uri === SOAP12 && local === 'encodingStyle') throw invalid(`encodingStyle is not allowed on the ${part.local}.`)
  }
}

/** Checks a header block when it opens. */
export function checkBlock(block: XmlElement, limits: MessageLimits): void {
  if (block.uri === '') throw invalid('A header block is in no namespace.')
  if ((block.parent?.children.length ?? 0) > limits.maxHeaderBlocks)
    throw limitFault(`The message has more than ${limits.maxHeaderBlocks} header blocks.`)
}

/** The fault of a Body with too many children. */
export function tooManyPayloads(max: number): SoapFault {
  return invalid(
    max === 1 ? 'The Body contains more than one element.' : `The Body contains more than ${max} elements.`,
  )
}

/** Checks that a child of the Body uses no encoding (SOAP 1.2 part 1, 5.1.1). */
export function checkEncodingStyle(payload: XmlElement): void {
  const style = getAttribute(payload, SOAP12, 'encodingStyle')
  if (style !== undefined && style.trim() !== ENCODING_NONE)
    throw new SoapFault({ code: 'DataEncodingUnknown', reason: 'The encoding style is not supported.' })
}

/** The fault of an envelope that breaks the rules of SOAP. */
export function invalid(reason: string): SoapFault {
  return senderFault('InvalidEnvelope', reason)
}
