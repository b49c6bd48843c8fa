import { expect } from 'vitest'
import { SoapFault } from '../fault.ts'
import { type CompileSchemaOptions, compileSchema, type Schema } from '../schema/compile.ts'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { treeReader } from '../xml/tree.ts'

/** A schema with one element `v` of a type. */
export function schemaFor(type: string, inner = '', options: CompileSchemaOptions = {}): Schema {
  const element = inner === '' ? `<x:element name="v" type="${type}"/>` : `<x:element name="v">${inner}</x:element>`
  return compileSchema(
    `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">${element}</x:schema>`,
    options,
  )
}

export const restriction = (base: string, facets: string): string =>
  `<x:simpleType><x:restriction base="x:${base}">${facets}</x:restriction></x:simpleType>`

export function read(schema: Schema, text: string): unknown {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  reader.write(`<v xmlns="urn:t">${text}</v>`)
  return schema.decode(reader.end())
}

/** The value, or the message of the error. */
export function findOutcome(schema: Schema, text: string): unknown {
  try {
    return read(schema, text)
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error
    expect(error.subcodes[0]?.local).toBe('ValidationFailed')
    return error.message.replace('/v ', '')
  }
}

export const write = (schema: Schema, value: unknown): string =>
  schema.encode({ uri: 'urn:t', local: 'v' }, value).replace(/<[^>]*>/g, '')
