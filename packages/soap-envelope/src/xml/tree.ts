import type { SaxesAttributeNS } from 'saxes'
import { limitFault, SoapFault } from '../fault.ts'
import type { XmlAttribute, XmlElement } from './element.ts'
import type { MessageLimits } from './limits.ts'
import { DocumentParser, type Handlers, MessageParser, malformed } from './parser.ts'

export interface TreeOptions {
  limits: MessageLimits
  /**
   * Called with each element when its start tag was read, its attributes complete, its content not
   * yet there.
   */
  onOpen?: (element: XmlElement, depth: number) => void
  /** Called with each element when its end tag was read. */
  onClose?: (element: XmlElement, depth: number) => void
  /** Called with the encoding that the XML declaration names. */
  onEncoding?: (encoding: string) => void
  /**
   * Whether a DOCTYPE and processing instructions are skipped instead of rejected. @defaultValue
   * false
   */
  isDocument?: boolean
}

export interface TreeReader {
  /**
   * Takes the next piece of the document. Throws a SoapFault on the first thing that is not
   * allowed.
   */
  write(text: string): void
  /** Says that the document is complete. Returns its root. */
  end(): XmlElement
  /** The root, as far as it has been read. */
  root(): XmlElement | undefined
  /** Counts the elements from zero again, when those before are no longer in the tree. */
  restartCount(): void
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

/** What has been read so far. */
interface Growth {
  root: Growing | undefined
  /** The element that is open now. */
  current: Growing | undefined
  depth: number
  elements: number
  /** Those of the tag that is being read. */
  attributes: SaxesAttributeNS[]
  declarations: SaxesAttributeNS[]
}

/** Reads a document piece by piece into elements, within limits. */
export function treeReader(options: TreeOptions): TreeReader {
  const growth: Growth = {
    root: undefined,
    current: undefined,
    depth: 0,
    elements: 0,
    attributes: [],
    declarations: [],
  }
  const parser = new (options.isDocument ? DocumentParser : MessageParser)({
    onAttribute: attributeTaker(growth, options),
    onOpenTag: elementOpener(growth, options),
    onText: textTaker(growth, options),
    onCloseTag: elementCloser(growth, options),
    onDeclaration({ version, encoding }) {
      if (version !== '1.0') throw malformed('only XML 1.0 is read.')
      if (encoding !== undefined) options.onEncoding?.(encoding)
    },
  })
  return {
    write: (text) => guarded(() => void parser.write(text)),
    root: () => growth.root,
    restartCount: () => {
      growth.elements = 0
    },
    end() {
      guarded(() => void parser.close())
      if (growth.root === undefined) throw malformed('it holds no element.')
      return growth.root
    },
  }
}

function attributeTaker(growth: Growth, { limits }: TreeOptions): Handlers['onAttribute'] {
  return (incomplete) => {
    const attribute = incomplete as SaxesAttributeNS // its `uri` is set before the open tag is reported
    const { name, prefix, local, value } = attribute
    if (name.length > limits.maxNameLength)
      throw limitFault(`A name is longer than ${limits.maxNameLength} characters.`)
    if (value.length > limits.maxAttributeLength)
      throw limitFault(`The value of an attribute is longer than ${limits.maxAttributeLength} characters.`)
    if (prefix !== '' && !startsName(local)) throw malformed('a name that is no qualified name.')
    if (prefix === 'xmlns' || name === 'xmlns') {
      // saxes trims the value and other readers do not: they would see another namespace.
      if (value !== value.trim()) throw malformed('white space around a namespace name.')
      growth.declarations.push(attribute)
    } else {
      growth.attributes.push(attribute)
    }
    if (growth.attributes.length + growth.declarations.length > limits.maxAttributes)
      throw limitFault(`An element has more than ${limits.maxAttributes} attributes.`)
  }
}

function elementOpener(growth: Growth, { limits, onOpen }: TreeOptions): Handlers['onOpenTag'] {
  return ({ name, uri, local, prefix }) => {
    if (name.length > limits.maxNameLength)
      throw limitFault(`A name is longer than ${limits.maxNameLength} characters.`)
    if (++growth.elements > limits.maxElements)
      throw limitFault(`The message has more than ${limits.maxElements} elements.`)
    if (++growth.depth > limits.maxDepth)
      throw limitFault(`The message is nested deeper than ${limits.maxDepth} elements.`)
    if (prefix !== '' && !startsName(local)) throw malformed('a name that is no qualified name.')
    const { current: parent } = growth
    const element: Growing = {
      uri,
      local,
      prefix,
      parent,
      attributes: NO_ATTRIBUTES,
      declarations: NO_ATTRIBUTES,
      children: NO_CHILDREN,
      text: '',
      textOffset: parent === undefined ? 0 : parent.text.length,
    }
    if (growth.attributes.length > 0) {
      element.attributes = growth.attributes
      growth.attributes = []
    }
    if (growth.declarations.length > 0) {
      element.declarations = growth.declarations
      growth.declarations = []
    }
    if (parent === undefined) growth.root = element
    else if (parent.children === NO_CHILDREN) parent.children = [element]
    else if (parent.children.push(element) > limits.maxChildren)
      throw limitFault(`An element has more than ${limits.maxChildren} children.`)
    growth.current = element
    onOpen?.(element, growth.depth)
  }
}

function textTaker(growth: Growth, { limits }: TreeOptions): Handlers['onText'] {
  return (text) => {
    const { current } = growth
    if (current === undefined) return
    current.text = current.text === '' ? text : current.text + text
    if (current.text.length > limits.maxTextLength)
      throw limitFault(`The text of an element is longer than ${limits.maxTextLength} characters.`)
  }
}

function elementCloser(growth: Growth, { onClose }: TreeOptions): Handlers['onCloseTag'] {
  return () => {
    const { current } = growth
    if (current === undefined) return
    onClose?.(current, growth.depth)
    growth.current = current.parent
    growth.depth--
  }
}

function guarded(step: () => void): void {
  try {
    step()
  } catch (error) {
    throw error instanceof SoapFault ? error : malformed(error instanceof Error ? error.message : '')
  }
}

// saxes takes `p:1` for a name, since `:` and digits may stand inside one (Namespaces in XML 1.0,
// 4).
function startsName(local: string): boolean {
  const char = local.charCodeAt(0)
  return !((char >= 0x30 && char <= 0x39) || char === 0x2d || char === 0x2e || char === 0xb7)
}
