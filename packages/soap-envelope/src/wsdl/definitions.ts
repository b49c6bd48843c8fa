import { type NamedDocument, type ResolveImport, readDocument, relativeTo } from '../schema/documents.ts'
import { findChildren, getAttribute, resolveQName, type XmlElement } from '../xml/element.ts'
import { clark, type QName, WSDL, XSD } from '../xml/names.ts'

type Kind = 'message' | 'portType' | 'binding'

/** The parts of a WSDL 1.1 document, those of imported documents among them. */
export interface Definitions {
  readonly targetNamespace: string
  readonly services: readonly XmlElement[]
  readonly bindings: readonly XmlElement[]
  /** Each `xs:schema` under `wsdl:types`, and each that is imported like a WSDL. */
  readonly types: readonly NamedDocument[]
  /** A message, port type or binding by its name. */
  find(kind: Kind, name: QName): XmlElement | undefined
  /** Text of each imported WSDL document by name. */
  readonly texts: ReadonlyMap<string, string>
}

/**
 * Reads a WSDL document and the documents that it imports, each once: they may import each other.
 */
export function loadDefinitions(wsdl: string, resolveImport: ResolveImport | undefined, name: string): Definitions {
  const texts = new Map<string, string>()
  const roots: XmlElement[] = []
  const types: NamedDocument[] = []

  const add = (text: string, documentName: string): void => {
    const root = readDocument(text, documentName || 'the WSDL')
    if (root.uri === XSD && root.local === 'schema') {
      types.push({ root, name: documentName })
      return
    }
    if (root.uri !== WSDL || root.local !== 'definitions')
      throw new TypeError(
        `soap-envelope: parseContract: ${documentName || 'the document'} is not a WSDL 1.1 definitions`,
      )
    roots.push(root)
    for (const part of findChildren(root, WSDL, 'types'))
      for (const schema of findChildren(part, XSD, 'schema')) types.push({ root: schema, name: documentName })
    for (const part of findChildren(root, WSDL, 'import')) follow(part, documentName)
  }
  const follow = (part: XmlElement, from: string): void => {
    const reference = getAttribute(part, '', 'location')?.trim()
    if (!reference) return
    const location = relativeTo(from, reference)
    if (location === name || texts.has(location)) return
    const imported = resolveImport?.(location)
    if (typeof imported !== 'string')
      throw new TypeError(
        `soap-envelope: parseContract: the WSDL "${location}" was not found: pass \`resolveImport\` that returns its text`,
      )
    // A document that imports this one in turn knows it by another name.
    if (imported === wsdl) return
    texts.set(location, imported)
    add(imported, location)
  }
  add(wsdl, name)

  const [main] = roots
  if (!main) throw new TypeError('soap-envelope: parseContract: the document is not a WSDL 1.1 definitions')
  const all = (local: string): XmlElement[] => roots.flatMap((root) => findChildren(root, WSDL, local))
  const named = new Map(
    (['message', 'portType', 'binding'] as const).flatMap((kind) =>
      all(kind).map((node) => [`${kind} ${clark(readQualifiedName(node))}`, node]),
    ),
  )
  return {
    targetNamespace: getAttribute(main, '', 'targetNamespace') ?? '',
    services: all('service'),
    bindings: all('binding'),
    types,
    find: (kind, qname) => named.get(`${kind} ${clark(qname)}`),
    texts,
  }
}

/** The name of a part of a WSDL. */
export function readName(element: XmlElement): string {
  return getAttribute(element, '', 'name')?.trim() ?? ''
}

/** The name of a part of a WSDL in the target namespace of its document. */
export function readQualifiedName(element: XmlElement): QName {
  return {
    uri: (element.parent && getAttribute(element.parent, '', 'targetNamespace')) ?? '',
    local: readName(element),
  }
}

/** The part of a WSDL that an attribute refers to. Throws a TypeError if there is none. */
export function referred(node: XmlElement, attribute: string, kind: Kind, definitions: Definitions): XmlElement {
  const text = getAttribute(node, '', attribute) ?? ''
  const name = resolveQName(node, text)
  const definition = name && definitions.find(kind, name)
  if (!definition)
    throw new TypeError(
      `soap-envelope: parseContract: wsdl:${node.local} of ${readName(node) || (node.parent ? readName(node.parent) : '')} refers to the ${kind} "${text}", which does not exist`,
    )
  return definition
}
