import { limitFault } from '../fault.ts'
import type { XmlAttribute, XmlElement } from './element.ts'
import type { MessageLimits } from './limits.ts'
import { longName, Namespaces, NO_TAG_ATTRIBUTES } from './namespaces.ts'
import { DocumentParser, type Handlers, MessageParser, malformed } from './parser.ts'
import type { Expected, RawAttribute } from './shortcuts.ts'

export interface TreeOptions {
  limits: MessageLimits
  /** Elements at this depth and above are reported. @defaultValue all of them */
  reportedDepth?: number
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
  /** Says that the document is complete. Returns its root, and is ready for the next document. */
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

// Shared by all elements without children, and never written to.
const NO_CHILDREN: Growing[] = []

/** State of the reading. */
interface Growth {
  root: Growing | undefined
  /** The element that is open now. */
  current: Growing | undefined
  depth: number
  elements: number
  /** Those of the tag that is being read. */
  attributes: RawAttribute[]
  /** The name that followed that of the latest element before, for the parser. */
  readonly expected: Expected
  readonly namespaces: Namespaces
}

/** Reads a document piece by piece into elements, within limits. */
export function treeReader(options: TreeOptions): TreeReader {
  const growth: Growth = {
    root: undefined,
    current: undefined,
    depth: 0,
    elements: 0,
    attributes: [],
    expected: { name: '' },
    namespaces: new Namespaces(options.limits),
  }
  const parser = new (options.isDocument ? DocumentParser : MessageParser)({
    onAttribute: attributeTaker(growth, options),
    onOpenTag: elementOpener(growth, options),
    onText: textTaker(growth, options),
    expected: growth.expected,
    onCloseTag: elementCloser(growth, options),
    onDeclaration({ version, encoding }) {
      if (version !== '1.0') throw malformed('only XML 1.0 is read.')
      if (encoding !== undefined) options.onEncoding?.(encoding)
    },
    onError({ message }) {
      throw malformed(message)
    },
  })
  return {
    write(text) {
      parser.write(text)
    },
    root: () => growth.root,
    restartCount: () => {
      growth.elements = 0
    },
    end() {
      parser.close()
      const { root } = growth
      if (root === undefined) throw malformed('it has no element.')
      growth.root = undefined
      growth.elements = 0
      growth.namespaces.restart()
      return root
    },
  }
}

function attributeTaker({ attributes }: Growth, { limits }: TreeOptions): Handlers['onAttribute'] {
  return (attribute) => {
    if (attribute.name.length > limits.maxNameLength) throw longName(limits)
    if (attribute.value.length > limits.maxAttributeLength)
      throw limitFault(`The value of an attribute is longer than ${limits.maxAttributeLength} characters.`)
    if (attributes.push(attribute) > limits.maxAttributes)
      throw limitFault(`An element has more than ${limits.maxAttributes} attributes.`)
  }
}

function elementOpener(
  growth: Growth,
  { limits, onOpen, reportedDepth = Number.POSITIVE_INFINITY }: TreeOptions,
): Handlers['onOpenTag'] {
  const { namespaces, expected, attributes: raw } = growth
  return (tag) => {
    if (++growth.elements > limits.maxElements)
      throw limitFault(`The message has more than ${limits.maxElements} elements.`)
    if (++growth.depth > limits.maxDepth)
      throw limitFault(`The message is nested deeper than ${limits.maxDepth} elements.`)
    const { attributes, declarations } = raw.length === 0 ? NO_TAG_ATTRIBUTES : namespaces.open(raw, growth.depth)
    raw.length = 0
    const { raw: name, uri, local, prefix, next } = namespaces.resolve(tag.name)
    tag.name = name // not a slice, which would keep the whole text
    expected.name = next?.raw ?? ''
    const { current: parent } = growth
    const element: Growing = {
      uri,
      local,
      prefix,
      parent,
      attributes,
      declarations,
      children: NO_CHILDREN,
      text: '',
      textOffset: parent === undefined ? 0 : parent.text.length,
    }
    if (parent === undefined) growth.root = element
    else if (parent.children === NO_CHILDREN) parent.children = [element]
    else if (parent.children.push(element) > limits.maxChildren)
      throw limitFault(`An element has more than ${limits.maxChildren} children.`)
    growth.current = element
    if (growth.depth <= reportedDepth) onOpen?.(element, growth.depth)
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

function elementCloser(
  growth: Growth,
  { onClose, reportedDepth = Number.POSITIVE_INFINITY }: TreeOptions,
): Handlers['onCloseTag'] {
  return () => {
    const { current } = growth
    if (current === undefined) return
    if (growth.depth <= reportedDepth) onClose?.(current, growth.depth)
    growth.namespaces.close(growth.depth)
    growth.current = current.parent
    growth.depth--
  }
}
