import { setImmediate } from 'node:timers/promises'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { inspectValue } from '../../../internal/options.ts'
import { senderFault } from '../fault.ts'
import { type ContentType, readContentType } from '../xml/content-type.ts'
import { ByteDecoder } from '../xml/decode.ts'
import { isBlank, type XmlElement } from '../xml/element.ts'
import { LIMIT_NAMES, type MessageLimits, resolveLimits } from '../xml/limits.ts'
import type { SoapVersion } from '../xml/names.ts'
import { treeReader } from '../xml/tree.ts'
import { checkUnderstood, type HeaderBlock, type HeaderRules, readHeaders } from './header.ts'
import {
  checkBlock,
  checkEncodingStyle,
  checkPart,
  checkPartAttributes,
  invalid,
  tooManyPayloads,
  versionOfRoot,
} from './rules.ts'

/** A parsed envelope that conforms to SOAP. */
export interface Envelope {
  /** SOAP version of the message. */
  readonly version: SoapVersion
  /** The header blocks in document order. */
  readonly headers: readonly HeaderBlock[]
  /**
   * The first child of the Body, the only one in most contracts; `undefined` if the Body is empty.
   */
  readonly body: XmlElement | undefined
  /** All children of the Body. */
  readonly bodyElements: readonly XmlElement[]
  /** The element `Envelope`. */
  readonly root: XmlElement
}

/** Options for `parseEnvelope()`. */
export interface ParseEnvelopeOptions extends HeaderRules {
  /**
   * `Content-Type` of the message: its charset and SOAP version (`application/soap+xml` is 1.2,
   * `text/xml` is 1.1). @defaultValue UTF-8 or by the byte order mark, and either version
   */
  contentType?: string
  /** Maximum sizes of the message. */
  limits?: Partial<MessageLimits>
  /** Aborts parsing: the promise is rejected with its reason. */
  signal?: AbortSignal
  /** Maximum number of elements in the Body. @defaultValue 1 */
  maxBodyElements?: number
}

const SLICE_BYTES = 65_536

/**
 * Parses an envelope from bytes, or from a stream of bytes as they arrive. Rejects with a
 * `SoapFault` at the first violation, without waiting for the rest. An error of the stream is
 * passed on unchanged.
 */
export async function parseEnvelope(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  options: ParseEnvelopeOptions = {},
): Promise<Envelope> {
  if (!(source instanceof Uint8Array) && typeof Object(source)[Symbol.asyncIterator] !== 'function')
    throw new TypeError(
      `soap-envelope: parseEnvelope: source must be bytes or a stream of bytes, got ${inspectValue(source)}`,
    )
  const limits = resolveLimits('soap-envelope: parseEnvelope', options.limits)
  return await readEnvelope(source, { ...options, limits }, readContentType(options.contentType), shared)
}

type ReadingOptions = ParseEnvelopeOptions & { limits: MessageLimits }

/** Holds the reader that serves one short message after the other. */
export interface ReaderSlot {
  idle: EnvelopeReader | undefined
}

const shared: ReaderSlot = { idle: undefined }

/** Reads a message. A short one that is in memory is read in the same tick. */
export function readEnvelope(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  options: ReadingOptions,
  type: ContentType,
  slot: ReaderSlot,
  signal = options.signal,
): MaybePromise<Envelope> {
  if (!(source instanceof Uint8Array)) return readChunks(envelopeReader(options, type), source, signal)
  if (source.length > SLICE_BYTES) return readSlices(envelopeReader(options, type), source, signal)
  const { idle } = slot
  const { limits } = options
  const fits = idle !== undefined && (idle.limits === limits || haveEqualLimits(idle.limits, limits))
  const reader = fits ? idle : envelopeReader(options, type)
  // It may be needed again meanwhile, and one that has thrown is in the middle of its message.
  slot.idle = undefined
  reader.rules = options
  reader.type = type
  reader.push(source, true)
  const envelope = reader.end()
  slot.idle = reader
  return envelope
}

function haveEqualLimits(limits: MessageLimits, others: MessageLimits): boolean {
  return LIMIT_NAMES.every((name) => limits[name] === others[name])
}

async function readChunks(
  reader: EnvelopeReader,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Envelope> {
  for await (const chunk of source) {
    signal?.throwIfAborted()
    reader.push(chunk)
  }
  reader.push(NOTHING, true)
  return reader.end()
}

async function readSlices(
  reader: EnvelopeReader,
  source: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Envelope> {
  for (let offset = 0; offset < source.length; offset += SLICE_BYTES) {
    if (offset > 0) await setImmediate()
    signal?.throwIfAborted()
    reader.push(source.subarray(offset, offset + SLICE_BYTES))
  }
  reader.push(NOTHING, true)
  return reader.end()
}

export interface EnvelopeReader {
  /** Takes the next bytes. Throws a SoapFault as soon as they cannot become an envelope. */
  push(bytes: Uint8Array, last?: boolean): void
  /** Returns the envelope, after the last bytes. The next ones start another message. */
  end(): Envelope
  readonly limits: MessageLimits
  /** The options for the message, of the same limits. */
  rules: ParseEnvelopeOptions
  type: ContentType
}

/** Follows the reading of a message, to take parts of its Body out of the tree. */
export interface Watcher {
  /**
   * Called with each element in the Body when its start tag was read; 1 is the depth of its child.
   */
  onOpen(element: XmlElement, depth: number, soFar: () => Envelope): void
  /** Called when its end tag was read. Returns whether it has been taken out of the tree. */
  onClose(element: XmlElement, depth: number): boolean
  /** Maximum size of the message, `undefined` for that of the limits. */
  maxBytes(): number | undefined
}

export const NOTHING = new Uint8Array(0)
/** Depth of header blocks, and of the elements in the Body. */
const BLOCK_DEPTH = 3
const NO_HEADERS: readonly HeaderBlock[] = []
const NO_RULES: ParseEnvelopeOptions = {}

/** Reads an envelope for a caller that has its options complete and pushes the bytes itself. */
export function envelopeReader(options: ReadingOptions, contentType: ContentType, watcher?: Watcher): EnvelopeReader {
  const { limits } = options
  const decoder = new ByteDecoder(contentType.charset)
  let version: SoapVersion = '1.2'
  let headers: readonly HeaderBlock[] = NO_HEADERS
  let size = 0
  let sizeBefore = 0

  const buildEnvelope = (root: XmlElement): Envelope => {
    const body = root.children.at(-1) // A Header comes before it, and nothing after it.
    if (body?.local !== 'Body') throw invalid('The Envelope has no Body.')
    return { version, headers, body: body.children[0], bodyElements: body.children, root }
  }

  const tree = treeReader({
    limits,
    ...(watcher === undefined && { reportedDepth: BLOCK_DEPTH }),
    onEncoding: (encoding) => decoder.checkDeclared(encoding),
    onOpen: (element, depth) => {
      if (depth === 1) {
        version = versionOfRoot(element, reader.type.version)
      } else if (depth === 2) checkPart(element)
      if (depth < BLOCK_DEPTH) {
        if (version === '1.2' && element.attributes.length > 0) checkPartAttributes(element)
      } else if (depth === BLOCK_DEPTH) {
        const { maxBodyElements = 1 } = reader.rules
        if (element.parent?.local !== 'Body') checkBlock(element, limits)
        else if (element.parent.children.length > maxBodyElements) throw tooManyPayloads(maxBodyElements)
        else if (version === '1.2' && element.attributes.length > 0) checkEncodingStyle(element)
      }
      if (watcher && depth > 2) watcher.onOpen(element, depth - 2, () => buildEnvelope(tree.root() ?? element))
    },
    onClose: (element, depth) => {
      if (watcher && depth > 2 && watcher.onClose(element, depth - 2)) {
        tree.restartCount()
        sizeBefore = size
      }
      if (depth > 2) return
      if (element.text !== '' && !isBlank(element.text)) throw invalid(`The ${element.local} contains text.`)
      if (depth === 2 && element.local === 'Header') {
        headers = readHeaders(element, version, reader.rules.roles)
        checkUnderstood(headers, reader.rules)
      }
    },
  })

  const reader: EnvelopeReader = {
    limits,
    rules: options,
    type: contentType,
    push: (bytes, last = false) => {
      size += bytes.length
      const maxBytes = watcher?.maxBytes()
      // With a watcher that takes items out of the tree, the limit holds for what is in it.
      if (maxBytes === undefined ? size > limits.maxBytes : size - sizeBefore > limits.maxBytes + bytes.length)
        throw tooLarge(limits.maxBytes)
      if (maxBytes !== undefined && size > maxBytes) throw tooLarge(maxBytes)
      decoder.charset = reader.type.charset
      const text = decoder.decode(bytes, last)
      if (text !== '') tree.write(text)
    },
    end: () => {
      const envelope = buildEnvelope(tree.end())
      // A reader that waits keeps nothing of its message and of the options.
      headers = NO_HEADERS
      reader.rules = NO_RULES
      size = 0
      sizeBefore = 0
      return envelope
    },
  }
  return reader
}

/** The fault of a message with too many bytes, announced or counted. */
export function tooLarge(bytes: number): Error {
  const reason = `The message is larger than ${bytes} bytes.`
  return senderFault('LimitExceeded', reason, { status: 413, httpStatus: 413, headers: { Connection: 'close' } })
}
