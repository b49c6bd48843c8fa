import { attributeOf, resolveQName } from '../xml/element.ts'
import { clark, type QName, XSD } from '../xml/names.ts'
import { attributesOf } from './attributes.ts'
import { builtInTypes, listType } from './built-in.ts'
import { type Components, partsOf, referenceOf, type Source } from './components.ts'
import { contentOf } from './content.ts'
import { restrict } from './facets.ts'
import type { LongAs } from './integer.ts'
import type { ComplexType, Type } from './model.ts'
import type { SimpleType } from './simple-type.ts'
import { unionType } from './union.ts'

/** The types of a schema, each compiled once, when it is first asked for. */
export interface TypeTable {
  readonly components: Components
  /** A global or built-in type, for a name that came from outside. */
  find(name: QName): Type | undefined
  /** A global or built-in type. Throws a TypeError when there is none of that name. */
  type(name: QName): Type
  /** The type of a declaration: named by its attribute, or written inside it. */
  typeOf(source: Source): Type
  simpleTypeOf(source: Source): SimpleType
  /** A name with the prefix that its namespace has in what is written. */
  tagOf(name: QName): string
  /** Puts off a step until the type that is being compiled is complete. */
  later(step: () => void): void
  /** Takes the steps that were put off, and those that they put off. */
  finish(): void
}

/** Compiles types on demand. `prefixes` has that of each namespace of the schema. */
export function typeTable(components: Components, long: LongAs, prefixes: ReadonlyMap<string, string>): TypeTable {
  const builtIn = builtInTypes(long)
  const compiled = new Map<Source['node'], Type>()
  const steps: (() => void)[] = []

  const table: TypeTable = {
    components,
    find: (name) => {
      const own = components.find('type', name)
      return own ? compile(own) : name.uri === XSD ? builtIn.get(name.local) : undefined
    },
    type: (name) => {
      const found = table.find(name)
      if (!found) throw new TypeError(`the schema has no type ${clark(name)}, or it is one that is not supported`)
      return found
    },
    typeOf: (source) => {
      const name = referenceOf(source, 'type')
      if (name) return table.type(name)
      const inner = partsOf(source).find(({ node }) => node.local === 'complexType' || node.local === 'simpleType')
      if (inner) return compile(inner)
      if (source.node.local === 'attribute') return table.type({ uri: XSD, local: 'anySimpleType' })
      throw new TypeError(`the element ${attributeOf(source.node, '', 'name') ?? ''} has no type: not supported`)
    },
    simpleTypeOf: (source) => {
      const type = table.typeOf(source)
      if (type.kind === 'simple') return type
      throw new TypeError(`the type ${type.name ? clark(type.name) : ''} is complex where a simple one is needed`)
    },
    tagOf: ({ uri, local }) => {
      const prefix = prefixes.get(uri)
      return prefix === undefined ? local : `${prefix}:${local}`
    },
    later: (step) => void steps.push(step),
    finish: () => {
      for (let step = steps.pop(); step; step = steps.pop()) step()
    },
  }

  const compile = (source: Source): Type => {
    const known = compiled.get(source.node)
    if (known) return known
    if (source.node.local === 'simpleType') {
      const type = compileSimple(source, table)
      compiled.set(source.node, type)
      return type
    }
    const type = emptyComplexType(source)
    compiled.set(source.node, type) // before its content is: a type may contain itself
    fill(type, source, table)
    return type
  }
  return table
}

function compileSimple(source: Source, table: TypeTable): SimpleType {
  const name = attributeOf(source.node, '', 'name')
  const [variety] = partsOf(source)
  if (!variety) throw new TypeError(`the simple type ${name ?? ''} is empty`)
  if (variety.node.local === 'restriction') {
    const base = baseOf(variety, 'base', table)
    return restrict(name ?? base.name, base, variety.node)
  }
  if (variety.node.local === 'list') {
    const item = baseOf(variety, 'itemType', table)
    return listType(name ?? `list of ${item.name}`, item)
  }
  const named = (attributeOf(variety.node, '', 'memberTypes') ?? '').split(/\s+/).filter(Boolean)
  const members = named.map((text) => {
    const member = resolveQName(variety.node, text)
    return table.type(member ?? { uri: '', local: text })
  })
  const inline = partsOf(variety).map((inner) => compileSimple(inner, table))
  return unionType(name ?? 'union', [...members.filter((member) => member.kind === 'simple'), ...inline])
}

function baseOf(variety: Source, attribute: string, table: TypeTable): SimpleType {
  const name = referenceOf(variety, attribute)
  if (!name) return table.simpleTypeOf(variety)
  const base = table.type(name)
  if (base.kind === 'simple') return base
  if (base.content.kind === 'simple') return base.content.type
  throw new TypeError(`${clark(name)} is no simple type`)
}

function emptyComplexType({ node, document }: Source): ComplexType {
  const local = attributeOf(node, '', 'name')
  return {
    kind: 'complex',
    name: local === undefined ? undefined : { uri: document.namespace, local },
    abstract: /^(true|1)$/.test(attributeOf(node, '', 'abstract') ?? ''),
    base: undefined,
    attributes: [],
    anyAttribute: undefined,
    content: { kind: 'empty' },
  }
}

function fill(type: ComplexType, source: Source, table: TypeTable): void {
  const parts = partsOf(source)
  const outer = parts.find(({ node }) => node.local === 'complexContent' || node.local === 'simpleContent')
  const mixed = [source, outer].some((part) => part && /^(true|1)$/.test(attributeOf(part.node, '', 'mixed') ?? ''))
  if (mixed) throw new TypeError(`the type ${type.name ? clark(type.name) : ''} is mixed, which is not supported`)
  const derivation = outer && partsOf(outer)[0]
  const own = derivation ?? source
  const baseName = derivation && referenceOf(derivation, 'base')
  const base = baseName && !isAnyType(baseName) ? table.type(baseName) : undefined
  const isExtension = derivation?.node.local === 'extension'
  type.base = base
  if (outer?.node.local === 'simpleContent') {
    const simple = derivation && baseOf(derivation, 'base', table)
    if (!simple) throw new TypeError('a simpleContent has no base')
    type.content = { kind: 'simple', type: isExtension ? simple : restrict(simple.name, simple, own.node) }
  } else {
    type.content = contentOf(own, table, isExtension && base?.kind === 'complex' ? base.content : undefined)
  }
  const { attributes, anyAttribute } = attributesOf(own, table, base?.kind === 'complex' ? base : undefined)
  type.attributes = attributes
  type.anyAttribute = anyAttribute
  checkKeys(type)
}

function isAnyType({ uri, local }: QName): boolean {
  return uri === XSD && local === 'anyType'
}

/** A property that means two things, or that is none, is refused at start. */
function checkKeys(type: ComplexType): void {
  const keys = type.attributes.map(({ key }) => key)
  if (keys.includes('__proto__')) throw new TypeError('a name "__proto__" is not supported')
}
