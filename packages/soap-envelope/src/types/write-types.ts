import { inspectValue } from '../../../internal/options.ts'
import type { Contract } from '../wsdl/contract.ts'
import { isContract } from '../wsdl/is-contract.ts'
import type { Message, MessageHeader } from '../wsdl/messages.ts'
import type { Operation } from '../wsdl/operations.ts'
import { clark, type QName } from '../xml/names.ts'
import { docComment, expandedType, quoted, typeBody, valueType, type Writing } from './type-text.ts'

/**
 * Returns the TypeScript types of a contract: one for each global type and element, and one with
 * the input, output, faults and header blocks of each operation, for `Handlers<CustomerPortType>`
 * and `soapClient<CustomerPortType>`.
 */
export function writeTypes(contract: Contract): string {
  if (!isContract(contract))
    throw new TypeError(
      `soap-envelope: writeTypes: contract must be a contract such as parseContract(text), got ${inspectValue(contract)}`,
    )
  const names = assignNames(contract)
  const writing: Writing = { names, types: contract.schema.types, imports: new Set(), unfinished: new Set() }
  const blocks: string[] = []
  for (const type of contract.schema.types) {
    if (type.kind === 'complex' && type.name)
      blocks.push(declare(names.get(`type ${clark(type.name)}`) ?? '', typeBody(type, writing, '')))
  }
  for (const element of contract.schema.elements) {
    const name = names.get(`element ${clark(element)}`) ?? ''
    const { type } = element
    if (type.kind === 'complex' && !type.name && !element.nillable)
      blocks.push(declare(name, typeBody(type, writing, '')))
    else blocks.push(`export type ${name} = ${expandedType(element, writing, '')}`)
  }
  blocks.push(writePortType(contract, writing))
  const head = '// Written by `svc-soap types`. Changes are lost when it runs again.\n'
  const imported = [...writing.imports].sort().join(', ')
  const imports = imported === '' ? '' : `import type { ${imported} } from '@svc/soap-envelope'\n`
  return `${head}${imports}\n${blocks.join('\n\n')}\n`
}

/** An interface if the body is one object, else an alias. */
function declare(name: string, body: string): string {
  return isOneObject(body) ? `export interface ${name} ${body}` : `export type ${name} = ${body}`
}

function isOneObject(body: string): boolean {
  if (!body.startsWith('{')) return false
  let depth = 0
  for (let index = 0; index < body.length; index++) {
    if (body[index] === '{') depth++
    if (body[index] === '}' && --depth === 0) return index === body.length - 1
  }
  return false
}

/** Names that the generated types use themselves. */
const RESERVED = ['XmlElement', 'AnyValue', 'Uint8Array']

/** A name for each declaration: its own, and a number if another one has it. */
function assignNames({ schema, portType }: Contract): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>([identifier(portType), ...RESERVED])
  const add = (key: string, { local }: QName): void => {
    const wanted = identifier(local)
    let name = wanted
    for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
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

function writePortType({ operations, portType }: Contract, writing: Writing): string {
  const lines = [...operations.values()].map((operation) => {
    const note = operation.documentation ? docComment(operation.documentation, '  ') : ''
    return `${note}  ${quoted(operation.name)}: ${operationType(operation, writing)}`
  })
  return `export type ${identifier(portType)} = {\n${lines.join('\n')}\n}`
}

function operationType({ input, output, faults }: Operation, writing: Writing): string {
  const parts = [`input: ${messageType(input, writing)}`, `output: ${messageType(output, writing)}`]
  if (faults.length > 0) parts.push(`faults: ${partsType(faults, writing)}`)
  if (input.headers.length > 0) parts.push(`inputHeaders: ${partsType(input.headers, writing)}`)
  if (output && output.headers.length > 0) parts.push(`outputHeaders: ${partsType(output.headers, writing)}`)
  return `{ ${parts.join('; ')} }`
}

function messageType(message: Message | undefined, writing: Writing): string {
  const [part, ...more] = message?.parts ?? []
  if (!message || !part) return 'void'
  return more.length === 0 ? partType(part, writing) : partsType(message.parts, writing)
}

function partsType(parts: readonly Pick<MessageHeader, 'name' | 'declaration'>[], writing: Writing): string {
  return `{ ${parts.map((part) => `${quoted(part.name)}: ${partType(part, writing)}`).join('; ')} }`
}

/** A global element has a type of its name; one that the binding makes up is written in place. */
function partType({ declaration }: Pick<MessageHeader, 'declaration'>, writing: Writing): string {
  const name = writing.names.get(`element ${clark(declaration)}`)
  return name !== undefined && declaration.isGlobal ? name : valueType(declaration, writing, '  ')
}
