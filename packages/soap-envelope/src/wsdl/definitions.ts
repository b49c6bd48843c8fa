import { type ResolveImport, readDocument, relativeTo } from '../schema/documents.ts'
import { attributeOf, childrenOf, type XmlElement } from '../xml/element.ts'
import { WSDL, XSD } from '../xml/names.ts'

/** The parts of a WSDL 1.1 document, those of imported documents among them. */
export interface Definitions {
  readonly targetNamespace: string
  readonly service: string
  readonly portType: string
  /** Each `xs:schema` under `wsdl:types`. */
  readonly types: readonly XmlElement[]
  readonly messages: readonly XmlElement[]
  readonly portTypes: readonly XmlElement[]
  readonly bindings: readonly XmlElement[]
  /** Text of each imported WSDL document by name. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads a WSDL document and what it imports. */
export function loadDefinitions(wsdl: string, resolveImport: ResolveImport | undefined): Definitions {
  const texts = new Map<string, string>()
  const roots: XmlElement[] = []
  const add = (text: string, name: string): void => {
    const root = readDocument(text, name || 'the WSDL')
    if (root.uri !== WSDL || root.local !== 'definitions')
      throw new TypeError(`soap-envelope: parseContract: ${name || 'the document'} is no WSDL 1.1 definitions`)
    roots.push(root)
    for (const part of childrenOf(root, WSDL, 'import')) {
      const location = relativeTo(name, attributeOf(part, '', 'location') ?? '')
      if (texts.has(location)) continue
      const imported = resolveImport?.(location)
      if (typeof imported !== 'string')
        throw new TypeError(`soap-envelope: parseContract: the WSDL "${location}" was not found`)
      texts.set(location, imported)
      add(imported, location)
    }
  }
  add(wsdl, '')

  const all = (local: string): XmlElement[] => roots.flatMap((root) => childrenOf(root, WSDL, local))
  const portTypes = all('portType')
  const service = all('service')[0]
  if (!service || !portTypes[0])
    throw new TypeError('soap-envelope: parseContract: the WSDL has no service or no portType')
  return {
    targetNamespace: roots[0] ? (attributeOf(roots[0], '', 'targetNamespace') ?? '') : '',
    service: nameOf(service),
    portType: nameOf(portTypes[0]),
    types: all('types').flatMap((types) => childrenOf(types, XSD, 'schema')),
    messages: all('message'),
    portTypes,
    bindings: all('binding'),
    texts,
  }
}

export function nameOf(element: XmlElement): string {
  return attributeOf(element, '', 'name') ?? ''
}
