import {
  type AttributeHandler,
  type CloseTagHandler,
  type OpenTagHandler,
  SaxesParser,
  type TextHandler,
  type XMLDeclHandler,
} from 'saxes'
import { type SoapFault, senderFault } from '../fault.ts'
import { type RawAttribute, readAttribute, skipName, skipSpace, skipText, skipValue, startsName } from './scan.ts'

// Names are resolved in namespaces.ts.
const OPTIONS = { xmlns: false, position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const

/** Handlers that are called while a document is read. */
export interface Handlers {
  /** The attributes of a tag come before the tag. */
  onAttribute: AttributeHandler<typeof OPTIONS>
  onOpenTag: OpenTagHandler<typeof OPTIONS>
  onCloseTag: CloseTagHandler<typeof OPTIONS>
  /** Text and CDATA alike. */
  onText: TextHandler
  onDeclaration: XMLDeclHandler
}

/** The fields in which saxes stores its handlers. */
interface Fields {
  attributeHandler: Handlers['onAttribute']
  openTagHandler: Handlers['onOpenTag']
  closeTagHandler: Handlers['onCloseTag']
  textHandler: TextHandler
  cdataHandler: TextHandler
  xmldeclHandler: XMLDeclHandler
  doctypeHandler: (() => never) | undefined
  piHandler: (() => never) | undefined
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
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  isSelfClosing: boolean
}

const saxes = SaxesParser.prototype as unknown as Machine
const NO_ATTRIBUTES: Tag['attributes'] = Object.freeze(Object.create(null))
const SPACE = 0x20
const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f

/** The XML declaration as most clients write it. */
const DECLARATION = /^<\?xml version=(["'])1\.0\1 encoding=(["'])([A-Za-z][\w.-]*)\2\?>/

/**
 * Steps over what saxes would take one character at a time. Each method ends where something else
 * begins. There saxes reads on, and only saxes decides what is an error.
 */
const shortcuts: ThisType<Machine> & Partial<Machine> = {
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
      const end = skipText(chunk, i)
      const text = this.text + chunk.slice(i, end)
      this.i = end
      if (chunk.charCodeAt(end) === LESS) {
        this.text = ''
        if (text !== '') this.textHandler(text)
        if (takeTag(this, end + 1)) return
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
 * Takes a plain tag, whose `<` has been read. Returns whether it has: saxes takes any other tag.
 */
function takeTag(machine: Machine, start: number): boolean {
  const { chunk, tags } = machine
  if (chunk.charCodeAt(start) !== SLASH) return startsName(chunk.charCodeAt(start)) && takeStartTag(machine, start)
  const name = tags[tags.length - 1]?.name ?? ''
  const end = start + 1 + name.length
  if (chunk.charCodeAt(end) !== GREATER || !chunk.startsWith(name, start + 1)) return false
  machine.name = name
  machine.i = end + 1
  machine.closeTag()
  return true
}

/** Attributes that are compared with each other for a name that comes twice. */
const MAX_PLAIN_ATTRIBUTES = 8

/** Takes a plain start tag, whose name begins at `start`. Returns whether it has. */
function takeStartTag(machine: Machine, start: number): boolean {
  const { chunk } = machine
  const attributes: RawAttribute[] = []
  const nameEnd = skipName(chunk, start)
  let end = nameEnd
  while (chunk.charCodeAt(end) === SPACE) {
    end = skipSpace(chunk, end)
    if (chunk.charCodeAt(end) === GREATER || chunk.charCodeAt(end) === SLASH) break
    const attribute = attributes.length < MAX_PLAIN_ATTRIBUTES ? readAttribute(chunk, end) : undefined
    if (attribute === undefined || attributes.some(({ name }) => name === attribute.name)) return false
    attributes.push(attribute)
    end += attribute.name.length + attribute.value.length + 3
  }
  const isSelfClosing = chunk.charCodeAt(end) === SLASH
  if (chunk.charCodeAt(isSelfClosing ? end + 1 : end) !== GREATER) return false
  for (const attribute of attributes) machine.attributeHandler(attribute)
  machine.tag = { name: chunk.slice(start, nameEnd), attributes: NO_ATTRIBUTES, isSelfClosing }
  machine.sawRoot = true
  machine.i = isSelfClosing ? end + 2 : end + 1
  if (isSelfClosing) machine.openSelfClosingTag()
  else machine.openTag()
  return true
}

/**
 * saxes for the documents of a contract. A DOCTYPE is skipped: its entities are never expanded (a
 * reference to one is an error) and nothing is ever fetched. It throws on the first error, since it
 * has no `error` handler.
 */
export class DocumentParser extends SaxesParser<typeof OPTIONS> {
  static {
    for (const [name, value] of Object.entries(shortcuts)) Object.defineProperty(this.prototype, name, { value })
  }

  constructor(handlers: Handlers) {
    super(OPTIONS)
    // `.on()` writes these fields by computed key, and from the seventh such write V8 turns the
    // parser into a dictionary, five times slower. A comment handler would make comments forty
    // times slower: there is none.
    const fields = this as unknown as Fields
    fields.attributeHandler = handlers.onAttribute
    fields.openTagHandler = handlers.onOpenTag
    fields.closeTagHandler = handlers.onCloseTag
    fields.textHandler = handlers.onText
    fields.cdataHandler = handlers.onText
    fields.xmldeclHandler = handlers.onDeclaration
    fields.doctypeHandler = undefined
    fields.piHandler = undefined
  }
}

/** saxes for messages: no DOCTYPE and no processing instruction, XML 1.0 only. */
export class MessageParser extends DocumentParser {
  static {
    // The doctype event comes at the end of a declaration, this state at its start: the declaration
    // is not read.
    Object.defineProperty(this.prototype, 'sDoctype', { value: rejectDoctype })
  }

  constructor(handlers: Handlers) {
    super(handlers)
    const fields = this as unknown as Fields
    fields.doctypeHandler = rejectDoctype
    fields.piHandler = rejectInstruction
  }
}

function rejectDoctype(): never {
  throw senderFault('DtdNotAllowed', 'A document type declaration is not allowed in a SOAP message.')
}

function rejectInstruction(): never {
  throw senderFault('ProcessingInstructionNotAllowed', 'A processing instruction is not allowed in a SOAP message.')
}

/** Returns the fault for a document that is not well-formed. */
export function malformed(reason: string): SoapFault {
  return senderFault('MalformedXml', `The message is not well-formed XML: ${reason.slice(0, 200)}`)
}
