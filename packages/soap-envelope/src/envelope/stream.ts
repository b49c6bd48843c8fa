import { senderFault } from '../fault.ts'
import { isItem, type ListCodec } from '../schema/list-codec.ts'
import type { ContentType } from '../xml/content-type.ts'
import { formatPath, isBlank, type XmlElement } from '../xml/element.ts'
import type { MessageLimits } from '../xml/limits.ts'
import { type Envelope, envelopeReader, NOTHING, type ParseEnvelopeOptions, type Watcher } from './parse.ts'

/** A message whose items are read as they arrive. */
export interface StreamedMessage {
  /** The message up to its first item; the whole one if it has no items to take. */
  readonly envelope: Envelope
  /**
   * The value in the Body, its items an async iterable; `undefined` for a message that was read
   * whole.
   */
  readonly value: Record<string, unknown> | undefined
  /** Ends the source, if the items are not wanted. */
  readonly cancel: () => void
}

/** Options for `readStream()`. */
export interface StreamOptions extends ParseEnvelopeOptions {
  limits: MessageLimits
  /** Maximum size of a message with items. */
  maxStreamBytes: number
  /**
   * Returns the list of an element in the Body, `undefined` if the message has to be read whole.
   */
  findList: (payload: XmlElement) => ListCodec | undefined
  /** Returns the error that an iteration of the items throws. @defaultValue the error itself */
  mapError?: (error: unknown) => unknown
}

/**
 * Reads a message up to its first item. The items are decoded while they are iterated, and none is
 * kept: the limits hold for each of them. The iteration throws if an item, or what follows the
 * items, is not valid.
 */
export async function readStream(
  source: AsyncIterable<Uint8Array>,
  options: StreamOptions,
  type: ContentType,
): Promise<StreamedMessage> {
  const taking = new ItemTaker(options)
  const reader = envelopeReader(options, type, taking)
  const chunks = source[Symbol.asyncIterator]()
  let envelope: Envelope | undefined
  /** Reads on. Returns whether the message is complete. */
  const readOn = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    options.signal?.throwIfAborted()
    reader.push(done ? NOTHING : value, done)
    if (done) envelope = reader.end()
    return done === true
  }
  // Not awaited: a source ends only when it has delivered what was requested before.
  const cancel = (): void => {
    chunks.return?.().catch(() => {})
  }
  let isComplete = false
  try {
    while (!isComplete && !taking.start) isComplete = await readOn()
  } catch (error) {
    cancel()
    throw error
  }
  if (!taking.start) {
    if (!envelope) throw new TypeError('soap-envelope: the reader returned no envelope')
    return { envelope, value: undefined, cancel }
  }
  const { list, value, envelope: start } = taking.start
  const items = async function* (): AsyncGenerator<unknown> {
    try {
      for (;;) {
        yield* taking.removeItems()
        if (isComplete) return
        isComplete = await readOn()
      }
    } catch (error) {
      throw options.mapError?.(error) ?? error
    } finally {
      await chunks.return?.()
    }
  }
  return { envelope: start, value: { ...value, [list.key]: withReturn(items(), cancel) }, cancel }
}

/** Items whose `return()` ends the source even if none was read, when a generator does nothing. */
function withReturn(items: AsyncGenerator<unknown>, cancel: () => void): AsyncIterableIterator<unknown> {
  return {
    next: () => items.next(),
    return: async () => {
      const result = await items.return(undefined)
      cancel()
      return result
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

interface Start {
  readonly list: ListCodec
  readonly envelope: Envelope
  readonly value: Record<string, unknown>
}

const PAYLOAD = 1
const ITEM = 2

/** Takes the items out of the tree, decoded. */
class ItemTaker implements Watcher {
  /** Set when the first item begins. */
  start: Start | undefined
  readonly #options: StreamOptions
  #list: ListCodec | undefined
  #items: unknown[] = []
  #count = 0
  #soFar: (() => Envelope) | undefined

  constructor(options: StreamOptions) {
    this.#options = options
  }

  onOpen(element: XmlElement, depth: number, soFar: () => Envelope): void {
    if (depth === PAYLOAD && element.parent?.local === 'Body') {
      this.#list = this.#options.findList(element)
      this.#soFar = soFar
    }
    if (depth !== ITEM || !this.#list || element.parent?.parent?.local !== 'Body') return
    const isFirst = isItem(element, this.#list)
    if (this.start && !isFirst) throw senderFault('ValidationFailed', `${formatPath(element)} is not expected here.`)
    if (!this.start && isFirst) this.#begin(element.parent, element.parent.children.slice(0, -1))
  }

  onClose(element: XmlElement, depth: number): boolean {
    const { parent } = element
    if (!this.#list || !parent) return false
    if (depth === PAYLOAD && parent.local === 'Body') {
      if (!this.start) this.#begin(element, element.children)
      this.#checkText(element)
      if (this.#count < this.#list.min)
        throw senderFault(
          'ValidationFailed',
          `${formatPath(element)} is incomplete: ${this.#list.item.local} is missing.`,
        )
      return false
    }
    if (depth !== ITEM || !this.start || parent.parent?.local !== 'Body') return false
    if (++this.#count > this.#list.max)
      throw senderFault('ValidationFailed', `${formatPath(element)} is not expected here.`)
    this.#items.push(this.#list.decodeItem(element))
    this.#checkText(parent)
    this.#removeChildren(parent)
    return true
  }

  maxBytes(): number | undefined {
    return this.#list && this.#options.maxStreamBytes
  }

  /** Returns the items that were read since the last call. */
  removeItems(): unknown[] {
    const items = this.#items
    this.#items = []
    return items
  }

  #begin(payload: XmlElement, before: readonly XmlElement[]): void {
    const list = this.#list
    if (!list || !this.#soFar) return
    this.#checkText(payload)
    this.start = { list, envelope: this.#soFar(), value: list.decode({ ...payload, children: before, text: '' }) }
  }

  #removeChildren(payload: XmlElement): void {
    const writable: { -readonly [Key in keyof XmlElement]: XmlElement[Key] } = payload
    writable.children = []
  }

  #checkText(payload: XmlElement): void {
    if (!isBlank(payload.text)) throw senderFault('ValidationFailed', `${formatPath(payload)} must not contain text.`)
    const writable: { -readonly [Key in keyof XmlElement]: XmlElement[Key] } = payload
    writable.text = ''
  }
}
