import { randomUUID } from 'node:crypto'
import { limitFault, senderFault } from '../fault.ts'
import { formatPath, getAttribute, isBlank, type XmlElement } from '../xml/element.ts'
import type { Attachment } from './multipart.ts'

const XOP = 'http://www.w3.org/2004/08/xop/include'

/**
 * Replaces each `xop:Include` by the attachment that it refers to (XOP 1.0, 3.2): its element has
 * `bytes` instead of text, and the `contentType` of the part. Only `cid:` is followed; anything
 * else is rejected, and never fetched. Throws a SoapFault.
 *
 * @param maxTotalBytes - of all Includes: several may refer to one attachment
 */
export function resolveIncludes(
  root: XmlElement,
  attachments: readonly Attachment[],
  maxTotalBytes = Number.POSITIVE_INFINITY,
): void {
  let total = 0
  const byId = new Map(attachments.map((attachment) => [attachment.contentId, attachment]))
  const visit = (element: XmlElement): void => {
    const { children } = element
    const include = children.find(({ uri, local }) => uri === XOP && local === 'Include')
    if (!include) {
      for (const child of children) visit(child)
      return
    }
    const attachment = byId.get(readContentId(include))
    if (!attachment || children.length > 1 || !isBlank(element.text) || include.children.length > 0)
      throw senderFault('InvalidAttachment', `${formatPath(include)} does not refer to an attachment of the message.`)
    total += attachment.bytes.length
    if (total > maxTotalBytes) throw limitFault(`The attachments are larger than ${maxTotalBytes} bytes.`)
    const replaced = element as { -readonly [Key in keyof XmlElement]: XmlElement[Key] }
    replaced.children = []
    replaced.text = ''
    replaced.bytes = attachment.bytes
    if (attachment.contentType !== '') replaced.contentType = attachment.contentType
  }
  visit(root)
}

function readContentId(include: XmlElement): string {
  const href = getAttribute(include, '', 'href') ?? ''
  if (!href.startsWith('cid:')) return '\0'
  try {
    return decodeURIComponent(href.slice(4))
  } catch {
    return href.slice(4)
  }
}

/** Takes the binary values of a message that are sent as attachments. */
export interface AttachmentWriter {
  /** The attached values. */
  readonly attachments: Attachment[]
  /**
   * Attaches a value. Returns the XML that refers to it, or `undefined` if it is too small to be
   * worth a part.
   */
  attach(bytes: Uint8Array, mediaType: string | undefined): string | undefined
}

const MIN_BYTES = 1024

/** Creates the writer of one message. */
export function attachmentWriter(): AttachmentWriter {
  const attachments: Attachment[] = []
  return {
    attachments,
    attach: (bytes, mediaType = 'application/octet-stream') => {
      if (bytes.length < MIN_BYTES) return undefined
      const contentId = `${randomUUID()}@svc`
      attachments.push({ contentId, contentType: mediaType, bytes })
      return `<xop:Include xmlns:xop="${XOP}" href="cid:${contentId}"/>`
    },
  }
}
