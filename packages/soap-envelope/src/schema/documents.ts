import { attributeOf, type XmlElement } from '../xml/element.ts'
import { DOCUMENT_LIMITS } from '../xml/limits.ts'
import { XSD } from '../xml/names.ts'
import { treeReader } from '../xml/tree.ts'

/** Gives the text of a document by the name under which another one refers to it. */
export type ResolveImport = (name: string) => string

/** An `xs:schema` with the namespace that its declarations are in. */
export interface SchemaDocument {
  readonly root: XmlElement
  readonly namespace: string
}

/** Reads a document of our own. Throws a TypeError that names it. */
export function readDocument(text: string, name: string): XmlElement {
  const reader = treeReader({ limits: DOCUMENT_LIMITS })
  try {
    reader.write(text.replace(/^\ufeff/, ''))
    return reader.end()
  } catch (error) {
    throw new TypeError(`${name}: ${error instanceof Error ? error.message : ''}`)
  }
}

/** The documents that make up a schema: the given ones, and all that they import and include. */
export interface SchemaSources {
  readonly documents: readonly SchemaDocument[]
  /** Text of each document that was resolved, by its name. */
  readonly texts: ReadonlyMap<string, string>
}

/**
 * Follows `xs:import` and `xs:include`. A name is resolved against that of the document which refers to it; a document
 * that was seen in the same namespace is not read again, so circles end.
 */
export function loadSchemas(
  roots: readonly XmlElement[],
  resolveImport: ResolveImport | undefined,
  from = '',
): SchemaSources {
  const documents: SchemaDocument[] = []
  const texts = new Map<string, string>()
  const seen = new Set<string>()

  const add = (root: XmlElement, name: string, includedInto?: string): void => {
    if (root.uri !== XSD || root.local !== 'schema') throw new TypeError(`${name || 'the schema'} is no xs:schema`)
    // An included document without a namespace takes that of the one that includes it (XSD part 1, 4.2.1).
    const namespace = attributeOf(root, '', 'targetNamespace') ?? includedInto ?? ''
    documents.push({ root, namespace })
    for (const child of root.children) {
      if (child.uri !== XSD) continue
      if (child.local === 'redefine') throw new TypeError(`${name}: xs:redefine is not supported`)
      if (child.local !== 'import' && child.local !== 'include') continue
      const location = attributeOf(child, '', 'schemaLocation')
      if (location === undefined) continue
      follow(relativeTo(name, location), child.local === 'include' ? namespace : undefined)
    }
  }

  const follow = (name: string, includedInto: string | undefined): void => {
    const key = `${name}|${includedInto ?? ''}`
    if (seen.has(key)) return
    seen.add(key)
    const text = texts.get(name) ?? resolveImport?.(name)
    if (typeof text !== 'string')
      throw new TypeError(
        `soap-envelope: parseContract: the schema "${name}" was not found: give \`resolveImport\` that returns its text`,
      )
    texts.set(name, text)
    add(readDocument(text, name), name, includedInto)
  }

  for (const root of roots) add(root, from)
  return { documents, texts }
}

/** Resolves a relative name against the name of the document that it stands in: `types/` and `../` are understood. */
export function relativeTo(from: string, location: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  const steps = location.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of location.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}
