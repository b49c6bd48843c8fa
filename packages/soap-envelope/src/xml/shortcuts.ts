import { SaxesParser, type XMLDeclHandler } from 'saxes'

/** An attribute as saxes reports it. */
export interface RawAttribute {
  readonly name: string
  readonly value: string
}

/** The name that the next element has if the document repeats itself; empty if nothing is known. */
export interface Expected {
  name: string
}

/** The state and the methods of saxes that are used here. */
interface Machine {
  readonly chunk: string
  i: number
  prevI: number
  state: number
  readonly stateTable: readonly (() => void)[]
  xmlDeclPossible: boolean
  name: string
  text: string
  tag: Tag
  readonly tags: readonly Tag[]
  /**
   * A tag for each depth. Its elements are open one after the other: a new one for each would be a
   * quarter of what is allocated for a long message.
   */
  readonly spareTags: Tag[]
  readonly expected: Readonly<Expected>
  readonly forbiddenState: number
  readonly closedRoot: boolean
  sawRoot: boolean
  sBegin(): void
  sText(): void
  getCode10(): number
  captureNameChars(): number
  handleTextInRoot(): void
  sOpenTag(): void
  openTag(): void
  openSelfClosingTag(): void
  closeTag(): void
  attributeHandler(attribute: RawAttribute): void
  xmldeclHandler: XMLDeclHandler
  textHandler(text: string): void
  sAttribValueQuoted(): void
  parseEntity(entity: string): string
}

interface Tag {
  name: string
  readonly attributes: Readonly<Record<string, string>>
  isSelfClosing: boolean
}

const saxes = SaxesParser.prototype as unknown as Machine
const NO_ATTRIBUTES: Tag['attributes'] = Object.freeze(Object.create(null))
/** Shared by all tags without attributes, and never written to. */
const NO_RAW_ATTRIBUTES: RawAttribute[] = []
const SPACE = 0x20
const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
/** Digits, `-`, `.` and `:` come before it: they may be in a name, not at its start. */
const FIRST_LETTER = 0x41
const EQUALS = 0x3d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** The XML declaration as most clients write it. */
const DECLARATION = /^<\?xml version=(["'])1\.0\1 encoding=(["'])([A-Za-z][\w.-]*)\2\?>/

/**
 * Steps over what saxes would take one character at a time. Each method ends where something else
 * begins. There saxes reads on, and only saxes decides what is an error.
 */
export const shortcuts: ThisType<Machine> & Partial<Machine> = {
  sBegin() {
    const [declaration, , , encoding = ''] = DECLARATION.exec(this.chunk) ?? []
    if (declaration === undefined) return saxes.sBegin.call(this)
    this.i = declaration.length
    this.state = this.stateTable.indexOf(saxes.sText)
    this.xmlDeclPossible = false
    this.xmldeclHandler({ version: '1.0', encoding })
  },
  // saxes also counts lines and columns.
  getCode10() {
    const { chunk, i } = this
    if (i < chunk.length) {
      const code = chunk.charCodeAt(i)
      if (code >= 0x20 && code < 0xd800) {
        this.prevI = i
        this.i = i + 1
        return code
      }
    }
    return saxes.getCode10.call(this)
  },
  captureNameChars() {
    const { chunk, i } = this
    const end = skipName(chunk, i)
    this.name += chunk.slice(i, end)
    this.i = end
    return saxes.captureNameChars.call(this)
  },
  handleTextInRoot() {
    const { chunk, i } = this
    // Otherwise the chunk before ended inside `]]>`.
    if (this.forbiddenState === 0) {
      const end = chunk.charCodeAt(i) === LESS ? i : skipText(chunk, i)
      const text = end === i ? this.text : this.text + chunk.slice(i, end)
      this.i = end
      if (chunk.charCodeAt(end) === LESS) {
        this.text = ''
        if (text !== '') this.textHandler(text)
        const isTaken = chunk.charCodeAt(end + 1) === SLASH ? takeEndTag(this, end + 2) : takeStartTag(this, end + 1)
        if (isTaken) return
      } else this.text = text
    }
    saxes.handleTextInRoot.call(this)
  },
  sAttribValueQuoted() {
    const { chunk, i } = this
    const end = skipValue(chunk, i)
    this.text += chunk.slice(i, end)
    this.i = end
    saxes.sAttribValueQuoted.call(this)
  },
  sOpenTag() {
    if (this.name !== '' || this.closedRoot || !takeStartTag(this, this.i)) saxes.sOpenTag.call(this)
  },
  parseEntity(entity) {
    switch (entity) {
      case 'amp':
        return '&'
      case 'lt':
        return '<'
      case 'gt':
        return '>'
      default:
        return saxes.parseEntity.call(this, entity)
    }
  },
}

/**
 * Takes a plain end tag, whose name begins at `start`. Returns whether it did: saxes takes all
 * other tags.
 */
function takeEndTag(machine: Machine, start: number): boolean {
  const { chunk, tags } = machine
  const name = tags[tags.length - 1]?.name ?? ''
  const end = start + name.length
  if (chunk.charCodeAt(end) !== GREATER || !chunk.startsWith(name, start)) return false
  machine.name = name
  machine.i = end + 1
  machine.closeTag()
  return true
}

/** Attributes that are compared with each other for a name that comes twice. */
const MAX_PLAIN_ATTRIBUTES = 8

/** Takes a plain start tag, whose name begins at `start`. Returns whether it has. */
function takeStartTag(machine: Machine, start: number): boolean {
  const { chunk, tags, spareTags, expected } = machine
  let attributes = NO_RAW_ATTRIBUTES
  const nameEnd = skipName(chunk, start)
  if (nameEnd === start || chunk.charCodeAt(start) < FIRST_LETTER) return false
  let end = nameEnd
  while (chunk.charCodeAt(end) === SPACE) {
    while (chunk.charCodeAt(end) === SPACE) end++
    if (chunk.charCodeAt(end) === GREATER || chunk.charCodeAt(end) === SLASH) break
    const attribute = attributes.length < MAX_PLAIN_ATTRIBUTES ? readAttribute(chunk, end) : undefined
    if (attribute === undefined || attributes.some(({ name }) => name === attribute.name)) return false
    if (attributes === NO_RAW_ATTRIBUTES) attributes = []
    attributes.push(attribute)
    end += attribute.name.length + attribute.value.length + 3
  }
  const isSelfClosing = chunk.charCodeAt(end) === SLASH
  if (chunk.charCodeAt(isSelfClosing ? end + 1 : end) !== GREATER) return false
  for (const attribute of attributes) machine.attributeHandler(attribute)
  const isExpected = expected.name.length === nameEnd - start && chunk.startsWith(expected.name, start)
  machine.tag = spareTags[tags.length] ??= { name: '', attributes: NO_ATTRIBUTES, isSelfClosing }
  machine.tag.name = isExpected ? expected.name : chunk.slice(start, nameEnd)
  machine.sawRoot = true
  machine.i = isSelfClosing ? end + 2 : end + 1
  if (isSelfClosing) machine.openSelfClosingTag()
  else machine.openTag()
  return true
}

/** Reads an attribute whose value needs no normalization. */
function readAttribute(chunk: string, start: number): RawAttribute | undefined {
  const nameEnd = skipName(chunk, start)
  if (nameEnd === start || chunk.charCodeAt(start) < FIRST_LETTER) return undefined
  const quote = chunk.charCodeAt(nameEnd + 1)
  if (chunk.charCodeAt(nameEnd) !== EQUALS || (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE)) return undefined
  const end = skipValue(chunk, nameEnd + 2)
  if (chunk.charCodeAt(end) !== quote) return undefined
  return { name: chunk.slice(start, nameEnd), value: chunk.slice(nameEnd + 2, end) }
}

/** Returns where the ASCII characters of a name end. */
function skipName(chunk: string, start: number): number {
  let end = start
  for (; end < chunk.length; end++) {
    const code = chunk.charCodeAt(end)
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
    const isOther = (code >= 0x2d && code <= 0x3a && code !== 0x2f) || code === 0x5f
    if (!isLetter && !isOther) break
  }
  return end
}

/** Returns where a text ends, or holds what is not a plain character. */
function skipText(chunk: string, start: number): number {
  let end = start
  for (; end < chunk.length; end++) {
    const code = chunk.charCodeAt(end)
    if (code < 0x20 || code >= 0xd800) {
      if (code !== 0x0a && code !== 0x09) break
    } else if (code === 0x3c || code === 0x26 || code === 0x3e || code === 0x5d) break
  }
  return end
}

/** Returns where the value of an attribute ends, or holds what is not a plain character. */
function skipValue(chunk: string, start: number): number {
  let end = start
  for (; end < chunk.length; end++) {
    const code = chunk.charCodeAt(end)
    if (code < 0x20 || code >= 0xd800) break
    if (code === 0x22 || code === 0x27 || code === 0x26 || code === 0x3c) break
  }
  return end
}
