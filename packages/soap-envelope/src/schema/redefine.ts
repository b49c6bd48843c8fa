import { getAttribute, resolveQName, type XmlAttribute, type XmlElement } from '../xml/element.ts'
import { clark, type QName } from '../xml/names.ts'
import type { NamedSource } from './source.ts'

/** A redefinition, and the component that it replaces under a name that no schema can use. */
export interface Redefinition {
  readonly changed: NamedSource
  readonly hidden: NamedSource
}

/**
 * Replaces a component (XSD part 1, 4.2.2). A redefinition refers to the original by its own name:
 * the original gets another one, and so does that reference.
 */
export function redefine(redefinition: NamedSource, original: NamedSource): Redefinition {
  const { name, node, document } = redefinition
  const namespace = getAttribute(document.root, '', 'targetNamespace') ?? document.namespace
  const hiddenName: QName = { uri: name.uri, local: `${name.local}*` }
  const isOwn = (element: XmlElement, text: string): boolean => {
    const base = resolveQName(element, text)
    return base !== undefined && clark({ uri: base.uri || namespace, local: base.local }) === clark(name)
  }
  const rename = (element: XmlElement, attribute: XmlAttribute): XmlAttribute => {
    const refers = attribute.local === 'base' || (attribute.local === 'ref' && element.local === node.local)
    return refers && isOwn(element, attribute.value) ? { ...attribute, value: `${attribute.value.trim()}*` } : attribute
  }
  return {
    changed: { ...redefinition, node: copy(node, node.parent, rename) },
    hidden: {
      document: original.document,
      name: hiddenName,
      node: copy(original.node, original.node.parent, (element, attribute) =>
        element === original.node && attribute.local === 'name' ? { ...attribute, value: hiddenName.local } : attribute,
      ),
    },
  }
}

type Change = (element: XmlElement, attribute: XmlAttribute) => XmlAttribute

function copy(element: XmlElement, parent: XmlElement | undefined, change: Change): XmlElement {
  const children: XmlElement[] = []
  const attributes = element.attributes.map((attribute) => change(element, attribute))
  const copied: XmlElement = { ...element, parent, attributes, children }
  for (const child of element.children) children.push(copy(child, copied, change))
  return copied
}
