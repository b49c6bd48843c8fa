import { SaxesParser } from 'saxes'
import { type SoapFault, senderFault } from '../fault.ts'

const OPTIONS = { xmlns: true, position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const

type Handler = 'openTagHandler' | 'closeTagHandler' | 'textHandler' | 'attributeHandler' | RareHandler
type RareHandler = 'cdataHandler' | 'doctypeHandler' | 'piHandler' | 'xmldeclHandler'

/**
 * saxes with its holes closed: no document type declaration, no processing instruction, XML 1.0 alone, no white space
 * in namespace names. It throws on the first error, since it has no `error` handler.
 */
export class Parser extends SaxesParser<typeof OPTIONS> {
  static {
    // The doctype event comes at the end of a declaration, this state at its start: nothing of it is read.
    Object.defineProperty(this.prototype, 'sDoctype', { value: refuseDoctype })
  }

  constructor() {
    super(OPTIONS)
    // `.on()` writes these fields by computed key, and from the seventh such write V8 turns the parser into a
    // dictionary, five times slower. Fields that are there already keep it fast. A comment handler would cost
    // forty times the reading of a comment, so there is none.
    const fields = this as unknown as Record<Handler, undefined>
    fields.openTagHandler = undefined
    fields.closeTagHandler = undefined
    fields.textHandler = undefined
    fields.attributeHandler = undefined
    fields.cdataHandler = undefined
    fields.doctypeHandler = undefined
    fields.piHandler = undefined
    fields.xmldeclHandler = undefined
    this.on('doctype', refuseDoctype)
    this.on('processinginstruction', refuseInstruction)
  }
}

function refuseDoctype(): never {
  throw senderFault('DtdNotAllowed', 'A document type declaration is not allowed in a SOAP message.')
}

function refuseInstruction(): never {
  throw senderFault('ProcessingInstructionNotAllowed', 'A processing instruction is not allowed in a SOAP message.')
}

/** The fault of a document that is not well-formed. */
export function malformed(reason: string): SoapFault {
  return senderFault('MalformedXml', `The message is not well-formed XML: ${reason.slice(0, 200)}`)
}
