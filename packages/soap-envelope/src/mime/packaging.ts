import { randomUUID } from 'node:crypto'
import { senderFault } from '../fault.ts'
import { readContentType } from '../xml/content-type.ts'
import type { SoapVersion } from '../xml/names.ts'
import { type Attachment, type AttachmentLimits, readMultipart } from './multipart.ts'

export const DEFAULT_ATTACHMENTS: AttachmentLimits = {
  maxCount: 100,
  maxBytes: 10_485_760,
  maxTotalBytes: 52_428_800,
}

/** A message whose parts were taken apart. */
export interface Unpacked {
  /** The message itself. */
  readonly root: Uint8Array
  readonly attachments: readonly Attachment[]
  /**
   * Whether binary values of the message are attachments (XOP), or these are separate (SOAP with
   * Attachments).
   */
  readonly isXop: boolean
}

/** Whether a Content-Type is that of a message with attachments. */
export function isMultipart(contentType: string | undefined): boolean {
  return /^\s*multipart\/related\b/i.test(contentType ?? '')
}

/** Whether a client names `multipart/related` in Accept, as clients with MTOM do. */
export function acceptsXop(accept = ''): boolean {
  if (!accept.toLowerCase().includes('multipart/related')) return false
  return accept.split(',').some((range) => {
    const { type, parameters } = readContentType(range)
    return type === 'multipart/related' && Number(parameters.get('q') ?? 1) > 0
  })
}

/**
 * The Content-Type that the message inside a multipart one would have without it: it says which
 * version of SOAP it is.
 */
export function innerContentType(contentType: string | undefined): string {
  const { parameters, action } = readContentType(contentType)
  const type = parameters.get('type')?.toLowerCase() ?? ''
  const inner = type === 'application/xop+xml' ? (parameters.get('start-info') ?? '') : type
  const { type: media, action: innerAction } = readContentType(inner)
  const named = action ?? innerAction
  return `${media}; charset=utf-8${named === undefined ? '' : `; action="${named}"`}`
}

/** Takes a multipart message apart: XOP (MTOM) or SOAP with Attachments. Throws a SoapFault. */
export async function unpack(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  contentType: string | undefined,
  limits: AttachmentLimits,
  maxRootBytes: number,
): Promise<Unpacked> {
  const { parameters } = readContentType(contentType)
  const boundary = parameters.get('boundary') ?? ''
  if (boundary === '' || boundary.length > 70)
    throw senderFault('InvalidAttachment', 'The Content-Type of the multipart message has no valid boundary.')
  const parts = await readMultipart(source, boundary, limits, maxRootBytes)
  const start = parameters.get('start')?.replace(/^<(.*)>$/, '$1')
  const [root, ...attachments] = parts
  // The limits of the message hold for the first part: one that comes later is not the message (RFC
  // 2387 §3.2 allows it).
  if (!root || (start !== undefined && root.contentId !== start))
    throw senderFault('InvalidAttachment', 'The first part of the multipart message must be the message.')
  const isXop = readContentType(root.contentType).type === 'application/xop+xml'
  return { root: root.bytes, attachments, isXop }
}

/**
 * A message and its attachments as `multipart/related` with XOP: the Content-Type, and the pieces
 * of the body.
 */
export function packXop(
  xml: string,
  attachments: readonly Attachment[],
  version: SoapVersion,
  action = '',
): { contentType: string; pieces: (string | Uint8Array)[] } {
  const boundary = `svc-${randomUUID()}`
  const start = 'message@svc'
  const media = version === '1.2' ? 'application/soap+xml' : 'text/xml'
  const named = version === '1.2' && action !== '' ? `; action=\\"${action}\\"` : ''
  const pieces: (string | Uint8Array)[] = [
    `--${boundary}\r\nContent-Type: application/xop+xml; charset=utf-8; type="${media}${named}"\r\n` +
      `Content-Transfer-Encoding: binary\r\nContent-ID: <${start}>\r\n\r\n${xml}`,
  ]
  for (const { contentId, contentType, bytes } of attachments)
    pieces.push(
      `\r\n--${boundary}\r\nContent-Type: ${contentType}\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <${contentId}>\r\n\r\n`,
      bytes,
    )
  pieces.push(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/related; type="application/xop+xml"; boundary="${boundary}"; start="<${start}>"; start-info="${media}${named}"`,
    pieces,
  }
}
