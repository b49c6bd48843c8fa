import { attributeOf, resolveQName, type XmlElement } from '../xml/element.ts'
import { clark, type QName, XSD } from '../xml/names.ts'
import type { SchemaSources } from './documents.ts'
import { redefine } from './redefine.ts'
import type { NamedSource, Source } from './source.ts'

export type ComponentKind = 'element' | 'type' | 'group' | 'attributeGroup' | 'attribute' | 'notation'

/** The global declarations of a schema, by kind and name. */
export interface Components {
  find(kind: ComponentKind, name: QName): NamedSource | undefined
  all(kind: ComponentKind): NamedSource[]
}

const KINDS: Readonly<Record<string, ComponentKind>> = {
  element: 'element',
  complexType: 'type',
  simpleType: 'type',
  group: 'group',
  attributeGroup: 'attributeGroup',
  attribute: 'attribute',
  notation: 'notation',
}

/** Collects the global declarations. Throws a TypeError if two differ that have the same name. */
export function collectComponents({
  documents,
  redefinitions,
}: Pick<SchemaSources, 'documents' | 'redefinitions'>): Components {
  const table = new Map<string, NamedSource>()
  for (const document of documents) {
    for (const node of document.root.children) {
      const kind = kindOf(node)
      if (kind === undefined) continue
      const name = { uri: document.namespace, local: attributeOf(node, '', 'name') ?? '' }
      const known = table.get(keyOf(kind, name))
      // Copies of one document under several names are common, and harmless.
      if (known && !isSameNode(known.node, node))
        throw new TypeError(`soap-envelope: the schema declares the ${kind} ${clark(name)} twice, and differently`)
      if (!known) table.set(keyOf(kind, name), { node, document, name })
    }
  }
  for (const { node: redefinition, document } of redefinitions) {
    for (const node of redefinition.children) {
      const kind = kindOf(node)
      if (kind === undefined) continue
      const name = { uri: document.namespace, local: attributeOf(node, '', 'name') ?? '' }
      const original = table.get(keyOf(kind, name))
      if (!original)
        throw new TypeError(`soap-envelope: the schema redefines the ${kind} ${clark(name)}, which it lacks`)
      const { changed, hidden } = redefine({ node, document, name }, original)
      table.set(keyOf(kind, hidden.name), hidden)
      table.set(keyOf(kind, name), changed)
    }
  }
  return {
    find: (kind, name) => table.get(keyOf(kind, name)),
    all: (kind) => [...table].filter(([key]) => key.startsWith(`${kind} `)).map(([, source]) => source),
  }
}

function kindOf(node: XmlElement): ComponentKind | undefined {
  return node.uri === XSD ? KINDS[node.local] : undefined
}

function keyOf(kind: ComponentKind, name: QName): string {
  return `${kind} ${clark(name)}`
}

const REFERENCES = new Set(['type', 'ref', 'base', 'itemType', 'refer', 'substitutionGroup'])

function isSameNode(a: XmlElement, b: XmlElement): boolean {
  if (a.uri !== b.uri || a.local !== b.local || a.attributes.length !== b.attributes.length) return false
  const parts = ({ children }: XmlElement): XmlElement[] => children.filter(({ local }) => local !== 'annotation')
  const [left, right] = [parts(a), parts(b)]
  return (
    left.length === right.length &&
    a.attributes.every(({ uri, local }) => valueIn(a, uri, local) === valueIn(b, uri, local)) &&
    left.every((child, at) => right[at] !== undefined && isSameNode(child, right[at]))
  )
}

function valueIn(node: XmlElement, uri: string, local: string): string | undefined {
  const text = attributeOf(node, uri, local)
  const name = text !== undefined && REFERENCES.has(local) ? resolveQName(node, text) : undefined
  return name ? clark(name) : text
}

/** Reads a reference such as `type="t:Customer"`; `undefined` if the attribute is not there. */
export function referenceOf({ node, document }: Source, attribute: string): QName | undefined {
  const text = attributeOf(node, '', attribute)
  return text === undefined ? undefined : resolveReference(text, { node, document })
}

/** Resolves a name in the scope of a node. Throws a TypeError if its prefix is not bound. */
export function resolveReference(text: string, { node, document }: Source): QName {
  const name = resolveQName(node, text)
  if (!name) throw new TypeError(`soap-envelope: the schema refers to "${text}", whose prefix is not bound`)
  // In a document without a namespace that was included, a name without a prefix is in that of the includer.
  return name.uri === '' && attributeOf(document.root, '', 'targetNamespace') === undefined
    ? { uri: document.namespace, local: name.local }
    : name
}

/** The children of a node that are of the schema language, without annotations. */
export function partsOf({ node, document }: Source): Source[] {
  return node.children
    .filter(({ uri, local }) => uri === XSD && local !== 'annotation')
    .map((child) => ({ node: child, document }))
}
