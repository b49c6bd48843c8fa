import {
  type AttributeHandler,
  type CloseTagHandler,
  type OpenTagHandler,
  SaxesParser,
  type TextHandler,
  type XMLDeclHandler,
} from 'saxes'
import { type SoapFault, senderFault } from '../fault.ts'
import { type Expected, shortcuts } from './shortcuts.ts'

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
  /** Called with the first error. @defaultValue throws it */
  onError?: ((error: Error) => never) | undefined
  expected: Expected
}

/** The fields in which saxes stores its handlers. */
interface Fields {
  attributeHandler: Handlers['onAttribute']
  openTagHandler: Handlers['onOpenTag']
  closeTagHandler: Handlers['onCloseTag']
  textHandler: TextHandler
  cdataHandler: TextHandler
  xmldeclHandler: XMLDeclHandler
  errorHandler: Handlers['onError']
  doctypeHandler: (() => never) | undefined
  piHandler: (() => never) | undefined
  spareTags: unknown[]
  expected: Expected
}

/**
 * saxes for the documents of a contract. A DOCTYPE is skipped: its entities are never expanded (a
 * reference to one is an error) and nothing is ever fetched.
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
    fields.errorHandler = handlers.onError
    fields.doctypeHandler = undefined
    fields.piHandler = undefined
    fields.spareTags = []
    fields.expected = handlers.expected
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
