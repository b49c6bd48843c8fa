import { findChildren, getAttribute, resolvePrefix, type XmlElement } from '../xml/element.ts'
import { clark, isSameName, type QName, XSD } from '../xml/names.ts'
import { CALENDAR_INSTANTS } from './built-in.ts'
import { findReference } from './components.ts'
import { type Instant, parseDate, parseDateTime, parseTime } from './date-time.ts'
import { canonicalDecimal } from './decimal.ts'
import {
  type AttributeUse,
  type Constraint,
  type ElementDeclaration,
  type Particle,
  type Path,
  type Type,
  toSimpleType,
} from './model.ts'
import { Invalid, type NamespaceScope, readSimple, type SimpleType } from './simple-type.ts'
import type { Source } from './source.ts'

const KINDS = ['key', 'unique', 'keyref'] as const

/**
 * Reads the constraints of a declaration. Throws a TypeError if a path is not of the part of XPath
 * that XSD allows.
 */
export function readConstraints(source: Source, declaration: ElementDeclaration): Constraint[] {
  return KINDS.flatMap((kind) =>
    findChildren(source.node, XSD, kind).map((node) => {
      const [selector] = findChildren(node, XSD, 'selector')
      const fields = findChildren(node, XSD, 'field')
      const name = { uri: source.document.namespace, local: getAttribute(node, '', 'name') ?? '' }
      if (!selector || fields.length === 0)
        throw new TypeError(`soap-envelope: the ${kind} ${name.local} needs a selector and a field`)
      const refer = findReference({ node, document: source.document }, 'refer')
      return { kind, name, refer, selector: parsePaths(selector), fields: fields.map(parsePaths), declaration }
    }),
  )
}

function parsePaths(node: XmlElement): Path[] {
  return (getAttribute(node, '', 'xpath') ?? '').split('|').map((text) => parsePath(text.trim(), node))
}

function parsePath(text: string, node: XmlElement): Path {
  const deep = /^\.\s*\/\//.test(text)
  const parts = text.replace(/^\.\s*\/\//, '').split('/')
  const steps: Path['steps'][number][] = []
  let attribute: Path['attribute']
  for (const [at, part] of parts.entries()) {
    const step = part.trim().replace(/^child::\s*/, '')
    const named = /^(?:@|attribute::)\s*(.*)$/.exec(step)
    if (step === '.') continue
    if (named && at === parts.length - 1) attribute = nameTest(named[1] ?? '', node, text)
    else steps.push(nameTest(step, node, text))
  }
  return { deep, steps, attribute }
}

function nameTest(step: string, node: XmlElement, path: string): (name: QName) => boolean {
  if (step === '*') return () => true
  const [, prefix, local] = /^(?:([\p{L}_][\p{L}\p{N}._-]*):)?([\p{L}_][\p{L}\p{N}._-]*|\*)$/u.exec(step) ?? []
  const uri = prefix === undefined ? '' : resolvePrefix(node, prefix)
  if (local === undefined || uri === undefined)
    throw new TypeError(`soap-envelope: the path "${path}" is not one that a constraint may have`)
  return (name) => name.uri === uri && (local === '*' || name.local === local)
}

/** Returns the constraint of its declaration that an element violates, if any. */
export function checkConstraints(node: XmlElement, constraints: readonly Constraint[]): string | undefined {
  const keys = new Map<string, Set<string>>()
  for (const constraint of constraints) {
    if (constraint.kind === 'keyref') continue
    const seen = new Set<string>()
    for (const values of findRows(node, constraint)) {
      if (values.includes(undefined)) {
        if (constraint.kind === 'key') return `lacks a value of the key ${constraint.name.local}`
        continue
      }
      const key = JSON.stringify(values)
      if (seen.has(key)) return `has a value of ${constraint.name.local} twice`
      seen.add(key)
    }
    keys.set(clark(constraint.name), seen)
  }
  for (const constraint of constraints) {
    const referred = constraint.refer && keys.get(clark(constraint.refer))
    if (!referred) continue
    for (const values of findRows(node, constraint)) {
      if (!values.includes(undefined) && !referred.has(JSON.stringify(values)))
        return `has a reference of ${constraint.name.local} that matches no key`
    }
  }
  return undefined
}

function findRows(node: XmlElement, { selector, fields, declaration }: Constraint): (string | undefined)[][] {
  const selected = new Set(selector.flatMap((path) => find(node, path)))
  return [...selected].map((row) => fields.map((paths) => valueAt(row, paths, typeAt(row, node, declaration))))
}

function find(node: XmlElement, { deep, steps }: Path): XmlElement[] {
  const starts = deep ? descendants(node) : [node]
  return starts.flatMap((start) => {
    let matches = [start]
    for (const step of steps) matches = matches.flatMap(({ children }) => children.filter(step))
    return matches
  })
}

function descendants(node: XmlElement): XmlElement[] {
  return [node, ...node.children.flatMap(descendants)]
}

function valueAt(row: XmlElement, paths: readonly Path[], type: Type | undefined): string | undefined {
  for (const path of paths) {
    for (const element of find(row, path)) {
      const elementType = typeBetween(row, element, type)
      if (path.attribute === undefined) return canonical(element.text, toSimpleType(elementType), element)
      const attribute = element.attributes.find(path.attribute)
      if (attribute) return canonical(attribute.value, attributeType(elementType, attribute), element)
    }
  }
  return undefined
}

/** Writes names with their namespaces, since prefixes differ. */
const NAMESPACES: NamespaceScope = { prefixFor: (uri) => `{${uri}}` }

/** Values are compared, not their spellings: `01` is `1` (XSD part 1 §3.11.4). */
function canonical(text: string, type: SimpleType | undefined, node: XmlElement): string {
  const value = type ? readSimple(type, text, node) : text.trim()
  if (value instanceof Invalid || !type) return text.trim()
  if (typeof value === 'object') return String(type.format(value, NAMESPACES))
  return CANONICAL.get(primitiveName(type))?.(String(value)) ?? String(value)
}

const CANONICAL: ReadonlyMap<string, (text: string) => string> = new Map<string, (text: string) => string>([
  ...[...CALENDAR_INSTANTS].map(([name, read]) => [name, canonicalTime(read)] as const),
  ['decimal', canonicalDecimal],
  ['dateTime', canonicalTime(parseDateTime)],
  ['date', canonicalTime(parseDate)],
  ['time', canonicalTime(parseTime, 86_400_000)],
])

/** Times are equal if their instants are; instants without a zone never equal one with a zone. */
function canonicalTime(parse: (text: string) => Instant | undefined, cycleMs?: number): (text: string) => string {
  return (text) => {
    const { ms = 0, finer = '', zoned = false } = parse(text) ?? {}
    return `${cycleMs === undefined ? ms : (ms + cycleMs) % cycleMs} ${finer} ${zoned}`
  }
}

/** Name of the type of XSD that a type is derived from at last. */
function primitiveName(type: SimpleType | undefined): string {
  let last = type
  while (last?.base) last = last.base
  return last?.name ?? ''
}

function typeAt(row: XmlElement, node: XmlElement, { type }: ElementDeclaration): Type | undefined {
  return typeBetween(node, row, type)
}

/** The declared type of an element below another one, by the names between them. */
function typeBetween(from: XmlElement, to: XmlElement, type: Type | undefined): Type | undefined {
  const names: XmlElement[] = []
  for (let ancestor: XmlElement | undefined = to; ancestor && ancestor !== from; ancestor = ancestor.parent)
    names.unshift(ancestor)
  let current = type
  for (const name of names) {
    if (current?.kind !== 'complex' || !('particle' in current.content) || !current.content.particle) return undefined
    current = elementIn(current.content.particle, name)?.type
  }
  return current
}

function elementIn(particle: Particle, name: QName): ElementDeclaration | undefined {
  if (particle.kind === 'any') return undefined
  if (particle.kind === 'element') return isSameName(particle.element, name) ? particle.element : undefined
  for (const member of particle.members) {
    const match = elementIn(member, name)
    if (match) return match
  }
  return undefined
}

function attributeType(type: Type | undefined, name: QName): SimpleType | undefined {
  const uses: readonly AttributeUse[] = type?.kind === 'complex' ? type.attributes : []
  return uses.find((use) => isSameName(use, name))?.type
}
