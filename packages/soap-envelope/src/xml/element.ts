import { type QName, XML } from './names.ts'

/** An attribute with its namespace resolved. */
export interface XmlAttribute extends QName {
  /** The prefix in the document; empty for none. */
  readonly prefix: string
  /** The value, with references resolved. */
  readonly value: string
}

/**
 * A parsed element with namespaces resolved. Namespace declarations are separate from attributes.
 */
export interface XmlElement extends QName {
  /** The prefix in the document; empty for none. */
  readonly prefix: string
  /** The parent element; `undefined` for the root. */
  readonly parent: XmlElement | undefined
  /** The attributes, without namespace declarations. */
  readonly attributes: readonly XmlAttribute[]
  /** The namespace declarations of this element: the attributes `xmlns` and `xmlns:*`. */
  readonly declarations: readonly XmlAttribute[]
  /** The child elements. */
  readonly children: readonly XmlElement[]
  /** The text and CDATA directly in the element, joined. */
  readonly text: string
  /** Content of the attachment that replaces the text in a message with XOP. */
  readonly bytes?: Uint8Array
  /** The `Content-Type` of that attachment, if it has one. */
  readonly contentType?: string
  /** Length of the text of its parent before this element. */
  readonly textOffset: number
}

/** The value of an attribute, `undefined` when it is not there. */
export function getAttribute(element: XmlElement, uri: string, local: string): string | undefined {
  for (const attribute of element.attributes) {
    if (attribute.local === local && attribute.uri === uri) return attribute.value
  }
  return undefined
}

/** The children with this name. */
export function findChildren(element: XmlElement, uri: string, local: string): XmlElement[] {
  return element.children.filter((child) => child.local === local && child.uri === uri)
}

/** Returns the namespace of a prefix at this element; the empty prefix is the default namespace. */
export function resolvePrefix(element: XmlElement, prefix: string): string | undefined {
  if (prefix === 'xml') return XML
  for (let ancestor: XmlElement | undefined = element; ancestor; ancestor = ancestor.parent) {
    for (const { prefix: kind, local, value } of ancestor.declarations) {
      if (kind === '' ? prefix === '' : local === prefix) return value
    }
  }
  return prefix === '' ? '' : undefined
}

/**
 * Reads a value of type xs:QName in the scope of its element; `undefined` when the prefix is not
 * bound.
 */
export function resolveQName(element: XmlElement, text: string): QName | undefined {
  const name = text.trim()
  const colon = name.indexOf(':')
  const uri = resolvePrefix(element, colon === -1 ? '' : name.slice(0, colon))
  const local = name.slice(colon + 1)
  return uri === undefined || local === '' || local.includes(':') ? undefined : { uri, local }
}

/** Formats the path of an element, by local names: `/Envelope/Body/GetPrice/Item[2]`. */
export function formatPath(element: XmlElement): string {
  const steps: string[] = []
  for (let ancestor: XmlElement | undefined = element; ancestor; ancestor = ancestor.parent)
    steps.push(formatStep(ancestor))
  return `/${steps.reverse().join('/')}`
}

function formatStep(element: XmlElement): string {
  const { parent, local } = element
  const namesakes = parent?.children.filter((child) => child.local === local) ?? []
  return namesakes.length > 1 ? `${local}[${namesakes.indexOf(element) + 1}]` : local
}

/** The text and the elements directly in an element, in the order of the document. */
export function listContent({ text, children }: XmlElement): (string | XmlElement)[] {
  if (children.length === 0) return text === '' ? [] : [text]
  const content: (string | XmlElement)[] = []
  let offset = 0
  for (const child of children) {
    if (child.textOffset > offset) content.push(text.slice(offset, child.textOffset))
    content.push(child)
    offset = child.textOffset
  }
  if (offset < text.length) content.push(text.slice(offset))
  return content
}

/** Whether a text holds nothing but the white space of XML (XML 1.0 2.3). */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return false
  }
  return true
}
