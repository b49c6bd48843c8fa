import { limitFault, type SoapFault, senderFault } from '../fault.ts'

/** Maximum sizes of attachments. */
export interface AttachmentLimits {
  /** Maximum number of attachments. @defaultValue 100 */
  maxCount: number
  /** Maximum bytes of an attachment. @defaultValue 10485760 (10 MiB) */
  maxBytes: number
  /**
   * Maximum bytes of all attachments, each counted as often as the message refers to it.
   * @defaultValue 52428800 (50 MiB)
   */
  maxTotalBytes: number
}

/** A part of a multipart message. */
export interface Attachment {
  /** Its `Content-ID` without the angle brackets; empty if it has none. */
  readonly contentId: string
  /** Its `Content-Type`; empty if it has none. */
  readonly contentType: string
  /** Its content. */
  readonly bytes: Uint8Array
}

/** Maximum bytes outside of the parts: preamble, boundaries, headers of parts and epilogue. */
export const MAX_FRAMING_BYTES = 1_048_576

const MAX_HEADER_BYTES = 8_192
const CRLF = Buffer.from('\r\n')
const HEADER_END = Buffer.from('\r\n\r\n')

/**
 * Reads the parts of a `multipart/related` body (RFC 2046 §5.1, RFC 2387) as they arrive: what is
 * too large is rejected before its end has come. Throws a SoapFault.
 *
 * @param maxRootBytes - limit of the first part, which is the message
 */
export async function readMultipart(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  boundary: string,
  limits: AttachmentLimits,
  maxRootBytes: number,
): Promise<Attachment[]> {
  const reader: Reader = {
    delimiter: Buffer.from(`\r\n--${boundary}`),
    limits,
    maxRootBytes,
    parts: [],
    held: CRLF, // the first delimiter may stand at the very start
    collected: [],
    size: 0,
    total: 0,
    framing: 0,
    head: undefined,
    isIn: 'preamble',
  }
  if (source instanceof Uint8Array) push(reader, source)
  else for await (const chunk of source) push(reader, chunk)
  if (reader.isIn !== 'end') throw wrong('the last boundary is missing')
  return reader.parts
}

interface Reader {
  readonly delimiter: Buffer
  readonly limits: AttachmentLimits
  readonly maxRootBytes: number
  readonly parts: Attachment[]
  /** Bytes that may begin a delimiter. */
  held: Buffer
  /** The content of the part so far. */
  collected: Buffer[]
  size: number
  total: number
  /** Bytes outside of the parts so far. */
  framing: number
  head: Map<string, string> | undefined
  isIn: 'preamble' | 'delimiter' | 'head' | 'content' | 'end'
}

function push(reader: Reader, chunk: Uint8Array): void {
  if (reader.isIn === 'end') return countFraming(reader, chunk.length)
  reader.held = Buffer.concat([reader.held, chunk])
  while (advance(reader));
}

function countFraming(reader: Reader, bytes: number): void {
  reader.framing += bytes
  if (reader.framing > MAX_FRAMING_BYTES)
    throw tooLarge(`The message has more than ${MAX_FRAMING_BYTES} bytes outside of its parts.`)
}

/** Takes one step; returns whether another may follow with the bytes that are there. */
function advance(reader: Reader): boolean {
  if (reader.isIn === 'preamble' || reader.isIn === 'content') return takeContent(reader)
  if (reader.isIn === 'delimiter') return takeDelimiter(reader)
  return reader.isIn === 'head' && takeHead(reader)
}

function takeContent(reader: Reader): boolean {
  const { held, delimiter } = reader
  const index = held.indexOf(delimiter)
  const end = index === -1 ? Math.max(0, held.length - delimiter.length) : index
  if (reader.isIn === 'content') collect(reader, held.subarray(0, end))
  else countFraming(reader, end)
  reader.held = held.subarray(index === -1 ? end : index + delimiter.length)
  if (index === -1) return false
  if (reader.isIn === 'content') finishPart(reader)
  reader.isIn = 'delimiter'
  return true
}

/** The bytes after a boundary: `--` for the last one, else white space and the end of the line. */
function takeDelimiter(reader: Reader): boolean {
  const { held } = reader
  if (held.length < 2) return false
  if (held[0] === 0x2d && held[1] === 0x2d) {
    reader.isIn = 'end'
    countFraming(reader, held.length)
    return false
  }
  const index = held.indexOf(CRLF)
  if (index === -1 && held.length > MAX_HEADER_BYTES) throw wrong('a boundary has no end')
  if (index === -1) return false
  if (held.subarray(0, index).toString('latin1').trim() !== '') throw wrong('something follows a boundary')
  // The end of the line stays: a part without headers has the empty line right there.
  reader.held = held.subarray(index)
  reader.isIn = 'head'
  return true
}

function takeHead(reader: Reader): boolean {
  const { held, limits, parts } = reader
  const index = held.indexOf(HEADER_END)
  if (index === -1) {
    if (held.length > MAX_HEADER_BYTES) throw wrong('the headers of a part are too long')
    return false
  }
  if (index > MAX_HEADER_BYTES) throw wrong('the headers of a part are too long')
  if (parts.length > limits.maxCount) throw limitFault(`The message has more than ${limits.maxCount} attachments.`)
  countFraming(reader, index)
  reader.head = parseHead(held.subarray(0, index).toString('latin1'))
  reader.held = held.subarray(index + HEADER_END.length)
  reader.isIn = 'content'
  return true
}

function parseHead(text: string): Map<string, string> {
  const head = new Map<string, string>()
  for (const line of text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    if (line.trim() === '') continue
    if (colon === -1) throw wrong('a header of a part has no colon')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (!head.has(name)) head.set(name, line.slice(colon + 1).trim())
  }
  return head
}

function collect(reader: Reader, bytes: Buffer): void {
  if (bytes.length === 0) return
  const { limits, parts, maxRootBytes } = reader
  reader.size += bytes.length
  if (parts.length === 0) {
    if (reader.size > maxRootBytes) throw tooLarge(`The message is larger than ${maxRootBytes} bytes.`)
  } else {
    reader.total += bytes.length
    if (reader.size > limits.maxBytes) throw tooLarge(`An attachment is larger than ${limits.maxBytes} bytes.`)
    if (reader.total > limits.maxTotalBytes)
      throw tooLarge(`The attachments are larger than ${limits.maxTotalBytes} bytes.`)
  }
  reader.collected.push(bytes)
}

function finishPart(reader: Reader): void {
  const head = reader.head ?? new Map<string, string>()
  const raw = Buffer.concat(reader.collected)
  reader.parts.push({
    contentId: (head.get('content-id') ?? '').replace(/^<(.*)>$/, '$1'),
    contentType: head.get('content-type') ?? '',
    bytes: plainBytes(decode(raw, head.get('content-transfer-encoding') ?? 'binary')),
  })
  reader.collected = []
  reader.size = 0
}

/** The same bytes without the methods of a Buffer: a value is what one in Base64 would be. */
function plainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function decode(raw: Buffer, encoding: string): Buffer {
  const name = encoding.trim().toLowerCase()
  if (name === 'base64') return Buffer.from(raw.toString('latin1'), 'base64')
  if (name === 'binary' || name === '8bit' || name === '7bit') return raw
  throw senderFault('UnsupportedMediaType', 'The transfer encoding of a part is not supported.', {
    status: 415,
    httpStatus: 415,
  })
}

function tooLarge(reason: string): SoapFault {
  return limitFault(reason, { status: 413, httpStatus: 413, headers: { Connection: 'close' } })
}

function wrong(reason: string): SoapFault {
  return senderFault('InvalidAttachment', `The multipart message is not valid: ${reason}.`)
}
