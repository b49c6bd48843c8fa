import { getAttribute } from '../xml/element.ts'
import { clark, type QName, XSD } from '../xml/names.ts'
import { readAttributes } from './attributes.ts'
import { isEncodedArray } from './built-in-schemas.ts'
import { findParts, findReference } from './components.ts'
import { hasModel, readContent } from './content.ts'
import { readBlocked } from './element.ts'
import { restrict } from './facets.ts'
import { type ComplexType, type Content, isUntyped, type Type } from './model.ts'
import { compileSimple, findBase } from './simple-declaration.ts'
import type { SimpleType } from './simple-type.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'

/** A complex type before its content is known: it may be part of its own content. */
export function emptyComplexType({ node, document }: Source): ComplexType {
  const local = getAttribute(node, '', 'name')
  return {
    kind: 'complex',
    name: local === undefined ? undefined : { uri: document.namespace, local },
    abstract: /^(true|1)$/.test(getAttribute(node, '', 'abstract') ?? ''),
    base: undefined,
    derivation: 'restriction',
    block: readBlocked({ node, document }),
    attributes: [],
    anyAttribute: undefined,
    content: { kind: 'empty' },
  }
}

/** Compiles the content and the attributes of an `xs:complexType` (XSD part 1, 3.4). */
export function fillComplexType(type: ComplexType, source: Source, table: TypeTable): void {
  const parts = findParts(source)
  const outer = parts.find(({ node }) => node.local === 'complexContent' || node.local === 'simpleContent')
  const mixed = [source, outer].some((part) => part && /^(true|1)$/.test(getAttribute(part.node, '', 'mixed') ?? ''))
  const derivation = outer && findParts(outer)[0]
  const content = derivation ?? source
  const baseName = derivation && findReference(derivation, 'base')
  const base = baseName && table.type(baseName)
  const isExtension = derivation?.node.local === 'extension'
  // The type of everything is the base of all types that name none.
  type.base = base ?? table.type({ uri: XSD, local: 'anyType' })
  type.derivation = isExtension ? 'extension' : 'restriction'
  if (base && baseName && derivation) checkFinal(type, baseName, derivation, table)
  if (outer?.node.local === 'simpleContent') {
    const simple = derivation && findBase(derivation, 'base', table)
    if (!simple) throw new TypeError('soap-envelope: a simpleContent has no base')
    type.content = { kind: 'simple', type: isExtension ? simple : restrictContent(simple, content, table) }
  } else {
    // An array of SOAP encoding restricts its base by an attribute of the WSDL only.
    const isArray = baseName && isEncodedArray(baseName) && !hasModel(content)
    const inherited = isExtension || isArray ? inheritedContent(base) : undefined
    type.content = readContent(content, table, inherited, mixed || inherited?.kind === 'mixed')
  }
  const { attributes, anyAttribute } = readAttributes(
    content,
    table,
    base?.kind === 'complex' && !isUntyped(base) ? base : undefined,
    isExtension,
  )
  type.attributes = attributes
  type.anyAttribute = anyAttribute
}

/**
 * A restriction of simple content may name another type for it before it adds facets (XSD part 1,
 * 3.4.2).
 */
function restrictContent(base: SimpleType, source: Source, table: TypeTable): SimpleType {
  const inner = findParts(source).find(({ node }) => node.local === 'simpleType')
  return restrict(base.name, inner ? compileSimple(inner, table) : base, source.node)
}

/**
 * The content that an extension continues: everything that `xs:anyType` lets in is not continued.
 */
function inheritedContent(base: Type | undefined): Content | undefined {
  return base?.kind === 'complex' && !isUntyped(base) ? base.content : undefined
}

/**
 * A type may exclude derivations (`final`); one that derives from it all the same is wrong (XSD
 * part 1, 3.4.6).
 */
function checkFinal(type: ComplexType, baseName: QName, derivation: Source, { components }: TypeTable): void {
  const base = components.find('type', baseName)
  const final = base && (getAttribute(base.node, '', 'final') ?? getAttribute(base.document.root, '', 'finalDefault'))
  if (final && (final.trim() === '#all' || final.trim().split(/\s+/).includes(derivation.node.local)))
    throw new TypeError(
      `soap-envelope: ${type.name ? clark(type.name) : 'a type'} derives from ${clark(baseName)}, which is final`,
    )
}
