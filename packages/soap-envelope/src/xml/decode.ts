import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { type SoapFault, senderFault } from '../fault.ts'
import { malformed } from './parser.ts'

/** The encodings in which a message may come. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/**
 * The bytes of a mark at the start of a message: they decide the encoding before anything else does
 * (RFC 7303 3).
 */
const MARK_BYTES = 3

const NOTHING: Uint8Array = new Uint8Array(0)

/**
 * Decodes a message. UTF-8, with or without byte order mark, and UTF-16 with one are read; invalid
 * bytes are rejected, never replaced. Throws a SoapFault.
 */
export class ByteDecoder {
  /** The charset of the Content-Type, of the next message too until it is set. */
  charset: string | undefined
  #encoding: Encoding | undefined
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #held = NOTHING
  #isComplete = false

  constructor(charset: string | undefined) {
    this.charset = charset
  }

  /**
   * Turns the next bytes into text; bytes of an unfinished character wait for the next call. After
   * the last bytes another message starts.
   */
  decode(chunk: Uint8Array, last: boolean): string {
    let bytes = chunk
    const isStart = this.#isComplete || this.#encoding === undefined
    this.#isComplete = last
    if (isStart) {
      if (this.#held.length > 0) bytes = Buffer.concat([this.#held, chunk])
      this.#held = NOTHING
      this.#encoding = undefined
      if (bytes.length < MARK_BYTES && !last) {
        this.#held = bytes
        return ''
      }
      // No byte of a mark is ASCII.
      const marked = (bytes[0] ?? 0) < 0x80 ? undefined : encodingOfMark(bytes)
      const isUsual = marked === undefined && (this.charset === undefined || this.charset === 'utf-8')
      this.#encoding = isUsual ? 'utf-8' : chooseEncoding(this.charset, marked)
      if (marked !== undefined) bytes = bytes.subarray(marked === 'utf-8' ? 3 : 2)
      if (last && this.#encoding === 'utf-8') {
        if (!isUtf8(bytes)) throw invalidBytes('utf-8')
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
      }
      this.#decoder = new TextDecoder(this.#encoding, { fatal: true, ignoreBOM: true })
    }
    try {
      return this.#decoder?.decode(bytes, { stream: !last }) ?? ''
    } catch {
      throw invalidBytes(this.#encoding ?? 'utf-8')
    }
  }

  /** Refuses an XML declaration that names another encoding than the one in use. */
  checkDeclared(declared: string): void {
    const name = declared.toLowerCase()
    const encoding = this.#encoding
    const fits = encoding === 'utf-8' ? isUtf8Name(name) : name === 'utf-16' || name === encoding
    if (!fits) throw malformed(`the XML declaration names another encoding than ${encoding}.`)
  }
}

/** Returns the encoding that a byte order mark names. */
export function encodingOfMark(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function chooseEncoding(charset: string | undefined, marked: Encoding | undefined): Encoding {
  if (charset === undefined) return marked ?? 'utf-8'
  const name = charset.toLowerCase()
  if (isUtf8Name(name)) {
    if (marked === undefined || marked === 'utf-8') return 'utf-8'
  } else if (name === 'utf-16' || name === 'utf-16le' || name === 'utf-16be') {
    if (marked === undefined) throw unsupported('UTF-16 is read with a byte order mark only.')
    if (name === marked || (name === 'utf-16' && marked !== 'utf-8')) return marked
  } else {
    throw unsupported('The charset is not supported: UTF-8 and UTF-16 are.')
  }
  throw malformed('the byte order mark contradicts the charset.')
}

function isUtf8Name(name: string): boolean {
  return name === 'utf-8' || name === 'utf8' || name === 'us-ascii' || name === 'ascii'
}

function unsupported(reason: string): SoapFault {
  return senderFault('UnsupportedMediaType', reason, { status: 415, httpStatus: 415 })
}

function invalidBytes(encoding: Encoding): SoapFault {
  return malformed(`it contains bytes that are not ${encoding.toUpperCase()}.`)
}
