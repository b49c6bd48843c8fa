import { type ComplexType, type ElementDeclaration, isEmptiable, type Particle, type Type } from '../schema/model.ts'
import type { Contract } from '../wsdl/contract.ts'
import { clark, type QName } from '../xml/names.ts'

/**
 * The TypeScript of a contract: an interface for each global type and element, and a type with the input and output of
 * each operation, for `Handlers<CustomerPortType>` and `soapClient<CustomerPortType>`.
 */
export function writeTypes(contract: Contract): string {
  const names = namesOf(contract)
  const writing: Writing = { names, types: contract.schema.types, needsElement: false }
  const blocks: string[] = []
  for (const type of contract.schema.types) {
    if (type.kind === 'complex' && type.name)
      blocks.push(`export interface ${names.get(`type ${clark(type.name)}`)} ${bodyOf(type, writing, '')}`)
  }
  for (const element of contract.schema.elements) {
    const name = names.get(`element ${clark(element)}`)
    const { type } = element
    if (type.kind === 'complex' && !type.name) blocks.push(`export interface ${name} ${bodyOf(type, writing, '')}`)
    else blocks.push(`export type ${name} = ${valueOf(element, writing, '')}`)
  }
  blocks.push(portOf(contract, names))
  const head = '// Written by `svc-soap types`. Changes are lost when it runs again.\n'
  const imports = writing.needsElement ? "import type { XmlElement } from '@svc/soap-envelope'\n" : ''
  return `${head}${imports}\n${blocks.join('\n\n')}\n`
}

interface Writing {
  readonly names: ReadonlyMap<string, string>
  readonly types: readonly Type[]
  needsElement: boolean
}

/** A name for each declaration: its own, with a number behind it where two would meet. */
function namesOf({ schema, portType }: Contract): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>([identifier(portType)])
  const add = (key: string, { local }: QName): void => {
    const wanted = identifier(local)
    let name = wanted
    for (let at = 2; taken.has(name); at++) name = `${wanted}${at}`
    taken.add(name)
    names.set(key, name)
  }
  for (const type of schema.types) if (type.kind === 'complex' && type.name) add(`type ${clark(type.name)}`, type.name)
  for (const element of schema.elements) add(`element ${clark(element)}`, element)
  return names
}

function identifier(local: string): string {
  const words = local.replace(/[^\p{L}\p{N}_$]+(.)?/gu, (_, next: string = '') => next.toUpperCase())
  return /^[\p{L}_$]/u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : `_${words}`
}

function bodyOf(type: ComplexType, writing: Writing, indent: string): string {
  const inner = `${indent}  `
  const lines = type.attributes.map(
    (use) => `${inner}${quoted(use.key)}${use.required ? '' : '?'}: ${use.type.typescript}`,
  )
  const { content } = type
  if (content.kind === 'simple') lines.unshift(`${inner}value: ${content.type.typescript}`)
  if (content.kind === 'elements') lines.unshift(...linesOf(content.particle, false, writing, inner))
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
}

function linesOf(particle: Particle, optional: boolean, writing: Writing, indent: string): string[] {
  const isOptional = optional || isEmptiable(particle)
  if (particle.kind === 'element' || particle.kind === 'any') {
    const item = particle.kind === 'any' ? elementType(writing) : valueOf(particle.element, writing, indent)
    return [property(particle, item, isOptional, indent)]
  }
  const alternatives = isOptional || particle.kind === 'choice'
  if (particle.key === '') return particle.members.flatMap((member) => linesOf(member, alternatives, writing, indent))
  const inner = `${indent}  `
  const members = particle.members.flatMap((member) => linesOf(member, particle.kind === 'choice', writing, inner))
  return [property(particle, `{\n${members.join('\n')}\n${indent}}`, isOptional, indent)]
}

/** A list is there even when it is empty. */
function property({ key, max }: Particle, item: string, optional: boolean, indent: string): string {
  if (max === 1) return `${indent}${quoted(key)}${optional ? '?' : ''}: ${item}`
  return `${indent}${quoted(key)}: readonly ${/[ |]/.test(item) ? `(${item})` : item}[]`
}

function quoted(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : `'${key}'`
}

function elementType(writing: Writing): string {
  writing.needsElement = true
  return 'XmlElement'
}

function valueOf({ type, nillable }: ElementDeclaration, writing: Writing, indent: string): string {
  const alternatives = type.kind === 'complex' ? complexAlternatives(type, writing, indent) : [type.typescript]
  return [...alternatives, ...(nillable ? ['null'] : [])].join(' | ')
}

/** The declared type, and those that may stand for it: they say which one they are by `$type`. */
function complexAlternatives(type: ComplexType, { names, types, ...rest }: Writing, indent: string): string[] {
  if (!type.name) return [bodyOf(type, { names, types, ...rest }, indent)]
  const own = names.get(`type ${clark(type.name)}`) ?? 'unknown'
  const derived = types.filter((other): other is ComplexType => other.kind === 'complex' && comesFrom(other, type))
  return [
    ...(type.abstract ? [] : [own]),
    ...derived.map(
      ({ name }) => `(${name ? names.get(`type ${clark(name)}`) : 'unknown'} & { $type: '${name?.local}' })`,
    ),
  ]
}

function comesFrom(type: ComplexType, ancestor: ComplexType): boolean {
  for (let at = type.base; at; at = at.base) if (at === ancestor) return !type.abstract
  return false
}

function portOf({ operations, portType }: Contract, names: ReadonlyMap<string, string>): string {
  const name = (element: QName | undefined): string => (element && names.get(`element ${clark(element)}`)) ?? 'void'
  const lines = [...operations.values()].map((operation) => {
    const note = operation.documentation ? `  /** ${operation.documentation.replaceAll('*/', '* /')} */\n` : ''
    return `${note}  ${quoted(operation.name)}: { input: ${name(operation.input)}; output: ${name(operation.output)} }`
  })
  return `export type ${identifier(portType)} = {\n${lines.join('\n')}\n}`
}
