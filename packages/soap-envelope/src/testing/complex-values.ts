import { expect } from 'vitest'
import { SoapFault } from '../fault.ts'
import { compileSchema, type Schema } from '../schema/compile.ts'
import type { XmlElement } from '../xml/element.ts'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { treeReader } from '../xml/tree.ts'

export const head = (defaults = 'elementFormDefault="qualified"'): string =>
  `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t" ${defaults}>`

/** A schema with one element `v` whose complex type has this content, and further declarations. */
export function wrapSchema(content: string, more = '', defaults?: string): Schema {
  return compileSchema(
    `${head(defaults)}<x:element name="v"><x:complexType>${content}</x:complexType></x:element>${more}</x:schema>`,
  )
}

export const element = (name: string, type = 'string', more = ''): string =>
  `<x:element name="${name}" type="x:${type}" ${more}/>`

export function parse(xml: string): XmlElement {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  reader.write(xml)
  return reader.end()
}

export function decode(schema: Schema, inner: string, attributes = ''): unknown {
  const xsi = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:x="http://www.w3.org/2001/XMLSchema"'
  return schema.decode(parse(`<v xmlns="urn:t" xmlns:t="urn:t" ${xsi} ${attributes}>${inner}</v>`))
}

export function findOutcome(schema: Schema, inner: string, attributes = ''): unknown {
  try {
    return decode(schema, inner, attributes)
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error
    expect(error.subcodes[0]?.local).toBe('ValidationFailed')
    return error.message
  }
}

export const encode = (schema: Schema, value: unknown): string =>
  schema.encode({ uri: 'urn:t', local: 'v' }, value).replaceAll(/ xmlns:t="urn:t"| xmlns:xsi="[^"]*"/g, '')
