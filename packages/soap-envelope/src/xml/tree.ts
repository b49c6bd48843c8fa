import type { SaxesAttributeNS } from 'saxes'
import { limitFault, SoapFault } from '../fault.ts'
import type { XmlAttribute, XmlElement } from './element.ts'
import type { Limits } from './limits.ts'
import { type Handlers, malformed, Parser } from './parser.ts'

export interface TreeOptions {
  limits: Limits
  /** Called with each element when its start tag was read, its attributes complete, its content not yet there. */
  onOpen?: (element: XmlElement, depth: number) => void
  /** Called with each element when its end tag was read. */
  onClose?: (element: XmlElement, depth: number) => void
  /** Called with the encoding that the XML declaration names. */
  onEncoding?: (encoding: string) => void
}

export interface TreeReader {
  /** Takes the next piece of the document. Throws a SoapFault on the first thing that is not allowed. */
  write(text: string): void
  /** Says that the document is complete. Returns its root. */
  end(): XmlElement
}

interface Growing extends XmlElement {
  parent: Growing | undefined
  attributes: readonly XmlAttribute[]
  declarations: readonly XmlAttribute[]
  children: Growing[]
  text: string
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = Object.freeze([])
// Shared by all elements without children, and never written to.
const NO_CHILDREN: Growing[] = []

/** Reads a document piece by piece into elements, within limits. */
export function treeReader({ limits, onOpen, onClose, onEncoding }: TreeOptions): TreeReader {
  let root: Growing | undefined
  let current: Growing | undefined
  let depth = 0
  let elements = 0
  let attributes: SaxesAttributeNS[] = []
  let declarations: SaxesAttributeNS[] = []

  const onDeclaration: Handlers['onDeclaration'] = ({ version, encoding }) => {
    if (version !== '1.0') throw malformed('only XML 1.0 is read.')
    if (encoding !== undefined) onEncoding?.(encoding)
  }

  const onAttribute: Handlers['onAttribute'] = (incomplete) => {
    const attribute = incomplete as SaxesAttributeNS // its `uri` is set before the open tag is reported
    const { name, prefix, local, value } = attribute
    if (name.length > limits.name) throw limitFault(`A name is longer than ${limits.name} characters.`)
    if (value.length > limits.attributeValue)
      throw limitFault(`The value of an attribute is longer than ${limits.attributeValue} characters.`)
    if (prefix !== '' && !startsName(local)) throw malformed('a name that is no qualified name.')
    if (prefix === 'xmlns' || name === 'xmlns') {
      // saxes trims the value and other readers do not: they would see another namespace.
      if (value !== value.trim()) throw malformed('white space around a namespace name.')
      declarations.push(attribute)
    } else {
      attributes.push(attribute)
    }
    if (attributes.length + declarations.length > limits.attributes)
      throw limitFault(`An element has more than ${limits.attributes} attributes.`)
  }

  const onOpenTag: Handlers['onOpenTag'] = (tag) => {
    const { name, uri, local, prefix } = tag
    if (name.length > limits.name) throw limitFault(`A name is longer than ${limits.name} characters.`)
    if (++elements > limits.elements) throw limitFault(`The message has more than ${limits.elements} elements.`)
    if (++depth > limits.depth) throw limitFault(`The message is nested deeper than ${limits.depth} elements.`)
    if (prefix !== '' && !startsName(local)) throw malformed('a name that is no qualified name.')
    const element: Growing = {
      uri,
      local,
      prefix,
      parent: current,
      attributes: NO_ATTRIBUTES,
      declarations: NO_ATTRIBUTES,
      children: NO_CHILDREN,
      text: '',
    }
    if (attributes.length > 0) {
      element.attributes = attributes
      attributes = []
    }
    if (declarations.length > 0) {
      element.declarations = declarations
      declarations = []
    }
    if (current === undefined) root = element
    else if (current.children === NO_CHILDREN) current.children = [element]
    else if (current.children.push(element) > limits.children)
      throw limitFault(`An element has more than ${limits.children} children.`)
    current = element
    onOpen?.(element, depth)
  }

  const onText = (text: string): void => {
    if (current === undefined) return
    current.text = current.text === '' ? text : current.text + text
    if (current.text.length > limits.text)
      throw limitFault(`The text of an element is longer than ${limits.text} characters.`)
  }

  const onCloseTag = (): void => {
    if (current === undefined) return
    onClose?.(current, depth)
    current = current.parent
    depth--
  }

  const parser = new Parser({ onAttribute, onOpenTag, onCloseTag, onText, onDeclaration })

  const guarded = (step: () => void): void => {
    try {
      step()
    } catch (error) {
      throw error instanceof SoapFault ? error : malformed(error instanceof Error ? error.message : '')
    }
  }

  return {
    write: (text) => guarded(() => void parser.write(text)),
    end: () => {
      guarded(() => void parser.close())
      if (root === undefined) throw malformed('it holds no element.')
      return root
    },
  }
}

// saxes takes `p:1` for a name, since `:` and digits may stand inside one (Namespaces in XML 1.0, 4).
function startsName(local: string): boolean {
  const char = local.charCodeAt(0)
  return !((char >= 0x30 && char <= 0x39) || char === 0x2d || char === 0x2e || char === 0xb7)
}
