import { clark, type QName, XSD } from '../xml/names.ts'
import { builtInTypes } from './built-in.ts'
import { emptyComplexType, fillComplexType } from './complex-declaration.ts'
import { type Components, findParts, findReference } from './components.ts'
import { declareElement } from './element.ts'
import type { LongAs } from './integer.ts'
import { type ComplexType, type ElementDeclaration, isDerivedFrom, NONE, type Type } from './model.ts'
import { compileSimple } from './simple-declaration.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'
import { ANYTHING } from './wildcard.ts'

/** `xs:anyType`: any attributes, any elements, any text. */
const anyType: ComplexType = {
  kind: 'complex',
  name: { uri: XSD, local: 'anyType' },
  abstract: false,
  base: undefined,
  derivation: 'restriction',
  block: NONE,
  attributes: [],
  anyAttribute: ANYTHING,
  content: {
    kind: 'mixed',
    particle: {
      kind: 'sequence',
      members: [{ kind: 'any', wildcard: ANYTHING, min: 0, max: Number.POSITIVE_INFINITY, key: 'any' }],
      min: 1,
      max: 1,
      key: '',
      lists: ['any'],
    },
  },
}

/** Compiles types on demand. `prefixes` has that of each namespace of the schema. */
export function typeTable(components: Components, long: LongAs, prefixes: ReadonlyMap<string, string>): TypeTable {
  const builtIn = new Map<string, Type>([...builtInTypes(long), ['anyType', anyType]])
  const compiled = new Map<Source['node'], Type>()
  const elements = new Map<string, ElementDeclaration>()
  const steps: (() => void)[] = []
  const checks: (() => void)[] = []
  let heads: ReadonlyMap<string, readonly ElementDeclaration[]> | undefined

  const table: TypeTable = {
    components,
    prefixes,
    hasIdentifiers: false,
    find: (name) => {
      const source = components.find('type', name)
      return source ? compile(source) : name.uri === XSD ? builtIn.get(name.local) : undefined
    },
    type: (name) => {
      const type = table.find(name)
      if (!type) throw new TypeError(`soap-envelope: the schema has no type ${clark(name)}`)
      if (type.kind === 'simple' && type.identity !== undefined) table.hasIdentifiers = true
      return type
    },
    typeOf: (source) => {
      const name = findReference(source, 'type')
      if (name) return table.type(name)
      const inner = findParts(source).find(({ node }) => node.local === 'complexType' || node.local === 'simpleType')
      if (inner) return compile(inner)
      if (source.node.local === 'attribute') return table.type({ uri: XSD, local: 'anySimpleType' })
      const head = findReference(source, 'substitutionGroup')
      const declaration = head && components.find('element', head)
      return declaration ? table.typeOf(declaration) : anyType
    },
    simpleTypeOf: (source) => {
      const type = table.typeOf(source)
      if (type.kind === 'simple') return type
      throw new TypeError(
        `soap-envelope: the type ${type.name ? clark(type.name) : ''} is complex, but a simple one is needed`,
      )
    },
    element: (name) => {
      const key = clark(name)
      const existing = elements.get(key)
      const source = existing ? undefined : components.find('element', name)
      if (!source) return existing
      const declaration = declareElement(source, table, true)
      elements.set(key, declaration)
      return declaration
    },
    substitutesOf: (head) => {
      heads ??= substitutionGroups(table)
      return heads.get(clark(head)) ?? []
    },
    tagOf: ({ uri, local }) => {
      const prefix = prefixes.get(uri)
      return prefix === undefined ? local : `${prefix}:${local}`
    },
    later: (step) => void steps.push(step),
    finally: (check) => void checks.push(check),
    finish: () => {
      for (let step = steps.pop(); step; step = steps.pop()) step()
      for (const check of checks.splice(0)) check()
    },
  }

  const compile = (source: Source): Type => {
    const existing = compiled.get(source.node)
    if (existing) return existing
    if (source.node.local === 'simpleType') {
      const type = compileSimple(source, table)
      compiled.set(source.node, type)
      return type
    }
    const type = emptyComplexType(source)
    compiled.set(source.node, type) // before its content is: a type may contain itself
    fillComplexType(type, source, table)
    return type
  }
  return table
}

/**
 * The elements that may stand for each head, also through other heads, without abstract and blocked
 * ones.
 */
function substitutionGroups(table: TypeTable): Map<string, ElementDeclaration[]> {
  const direct = new Map<string, ElementDeclaration[]>()
  for (const source of table.components.all('element')) {
    const head = findReference(source, 'substitutionGroup')
    const member = head && table.element(source.name)
    if (!head || !member) continue
    if (!table.components.find('element', head))
      throw new TypeError(`soap-envelope: the schema has no element ${clark(head)}, a substitution group`)
    const members = direct.get(clark(head)) ?? []
    members.push(member)
    direct.set(clark(head), members)
  }
  const groups = new Map<string, ElementDeclaration[]>()
  for (const name of direct.keys()) {
    const head = table.element(parseClark(name))
    if (!head || head.block.has('substitution')) continue
    const reached = new Set<ElementDeclaration>()
    const open = [...(direct.get(name) ?? [])]
    for (let member = open.shift(); member; member = open.shift()) {
      if (reached.has(member) || member === head) continue
      reached.add(member)
      open.push(...(direct.get(clark(member)) ?? []))
    }
    groups.set(
      name,
      [...reached].filter(({ abstract }) => !abstract),
    )
    table.finally(() => {
      for (const member of reached) checkSubstitute(member, head)
    })
  }
  return groups
}

function parseClark(name: string): QName {
  const end = name.indexOf('}')
  return { uri: name.slice(1, end), local: name.slice(end + 1) }
}

function checkSubstitute(member: ElementDeclaration, head: ElementDeclaration): void {
  if (!isDerivedFrom(member.type, head.type))
    throw new TypeError(`soap-envelope: the type of ${clark(member)} is not derived from that of ${clark(head)}`)
}
