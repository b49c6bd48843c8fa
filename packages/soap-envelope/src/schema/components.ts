import { attributeOf, resolveQName, type XmlElement } from '../xml/element.ts'
import { clark, type QName, XSD } from '../xml/names.ts'
import type { SchemaDocument } from './documents.ts'

/** A node of a schema with the document that says how its names are meant. */
export interface Source {
  readonly node: XmlElement
  readonly document: SchemaDocument
}

type Kind = 'element' | 'type' | 'group' | 'attributeGroup' | 'attribute'

/** The global declarations of a schema, by kind and name. */
export interface Components {
  find(kind: Kind, name: QName): Source | undefined
  all(kind: Kind): (Source & { name: QName })[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  element: 'element',
  complexType: 'type',
  simpleType: 'type',
  group: 'group',
  attributeGroup: 'attributeGroup',
  attribute: 'attribute',
}

/** Collects the global declarations. Throws a TypeError where two have the same name. */
export function collectComponents(documents: readonly SchemaDocument[]): Components {
  const tables = new Map<string, Source & { name: QName }>()
  const key = (kind: Kind, name: QName): string => `${kind} ${clark(name)}`
  for (const document of documents) {
    for (const node of document.root.children) {
      const kind = node.uri === XSD ? KINDS[node.local] : undefined
      if (kind === undefined) continue
      const name = { uri: document.namespace, local: attributeOf(node, '', 'name') ?? '' }
      if (tables.has(key(kind, name))) throw new TypeError(`the schema declares the ${kind} ${clark(name)} twice`)
      tables.set(key(kind, name), { node, document, name })
    }
  }
  return {
    find: (kind, name) => tables.get(key(kind, name)),
    all: (kind) => [...tables].filter(([at]) => at.startsWith(`${kind} `)).map(([, source]) => source),
  }
}

/** Reads a reference such as `type="t:Customer"`; `undefined` when the attribute is not there. */
export function referenceOf({ node, document }: Source, attribute: string): QName | undefined {
  const text = attributeOf(node, '', attribute)
  if (text === undefined) return undefined
  const name = resolveQName(node, text)
  if (!name) throw new TypeError(`the schema refers to "${text}", whose prefix is not bound`)
  // In a document without a namespace that was included, a name without a prefix is in that of the includer.
  return name.uri === '' && attributeOf(document.root, '', 'targetNamespace') === undefined
    ? { uri: document.namespace, local: name.local }
    : name
}

/** The children of a node that are of the schema language, annotations left out. */
export function partsOf({ node, document }: Source): Source[] {
  return node.children
    .filter(({ uri, local }) => uri === XSD && local !== 'annotation')
    .map((child) => ({ node: child, document }))
}

/** The text of the documentation of a node, on one line. */
export function documentationOf(node: XmlElement): string | undefined {
  const notes = node.children.filter(({ local }) => local === 'annotation').flatMap(({ children }) => children)
  const text = notes
    .filter(({ local }) => local === 'documentation')
    .map((note) => note.text.trim().replace(/\s+/g, ' '))
    .join(' ')
  return text === '' ? undefined : text
}
