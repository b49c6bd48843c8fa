import { getAttribute, resolveQName, type XmlElement } from '../xml/element.ts'
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
      const kind = findKind(node)
      if (kind === undefined) continue
      const name = { uri: document.namespace, local: getAttribute(node, '', 'name') ?? '' }
      const existing = table.get(formatKey(kind, name))
      // Copies of one document under several names are common, and harmless.
      if (existing && !isSameNode(existing.node, node))
        throw new TypeError(`soap-envelope: the schema declares the ${kind} ${clark(name)} twice, and differently`)
      if (!existing) table.set(formatKey(kind, name), { node, document, name })
    }
  }
  for (const { node: redefinition, document } of redefinitions) {
    for (const node of redefinition.children) {
      const kind = findKind(node)
      if (kind === undefined) continue
      const name = { uri: document.namespace, local: getAttribute(node, '', 'name') ?? '' }
      const original = table.get(formatKey(kind, name))
      if (!original)
        throw new TypeError(`soap-envelope: the schema redefines the ${kind} ${clark(name)}, which it lacks`)
      const { changed, hidden } = redefine({ node, document, name }, original)
      table.set(formatKey(kind, hidden.name), hidden)
      table.set(formatKey(kind, name), changed)
    }
  }
  return {
    find: (kind, name) => table.get(formatKey(kind, name)),
    all: (kind) => [...table].filter(([key]) => key.startsWith(`${kind} `)).map(([, source]) => source),
  }
}

function findKind(node: XmlElement): ComponentKind | undefined {
  return node.uri === XSD ? KINDS[node.local] : undefined
}

function formatKey(kind: ComponentKind, name: QName): string {
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
    left.every((child, index) => right[index] !== undefined && isSameNode(child, right[index]))
  )
}

function valueIn(node: XmlElement, uri: string, local: string): string | undefined {
  const text = getAttribute(node, uri, local)
  const name = text !== undefined && REFERENCES.has(local) ? resolveQName(node, text) : undefined
  return name ? clark(name) : text
}

/** Reads a reference such as `type="t:Customer"`; `undefined` if the attribute is not there. */
export function findReference({ node, document }: Source, attribute: string): QName | undefined {
  const text = getAttribute(node, '', attribute)
  return text === undefined ? undefined : resolveReference(text, { node, document })
}

/** Resolves a name in the scope of a node. Throws a TypeError if its prefix is not bound. */
export function resolveReference(text: string, { node, document }: Source): QName {
  const name = resolveQName(node, text)
  if (!name) throw new TypeError(`soap-envelope: the schema refers to "${text}", whose prefix is not bound`)
  // In a document without a namespace that was included, a name without a prefix is in that of the
  // includer.
  return name.uri === '' && getAttribute(document.root, '', 'targetNamespace') === undefined
    ? { uri: document.namespace, local: name.local }
    : name
}

/** The children of a node that are of the schema language, without annotations. */
export function findParts({ node, document }: Source): Source[] {
  return node.children
    .filter(({ uri, local }) => uri === XSD && local !== 'annotation')
    .map((child) => ({ node: child, document }))
}
