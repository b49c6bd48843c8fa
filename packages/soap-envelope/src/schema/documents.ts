import { findChildren, getAttribute, type XmlElement } from '../xml/element.ts'
import { DOCUMENT_LIMITS } from '../xml/limits.ts'
import { WSDL, XML, XSD } from '../xml/names.ts'
import { treeReader } from '../xml/tree.ts'
import { builtInSchema } from './built-in-schemas.ts'
import { checkSyntax } from './grammar.ts'

/**
 * Returns the text of an imported document, by its name resolved against that of the importing
 * document.
 */
export type ResolveImport = (name: string) => string

/** An `xs:schema` with the namespace that its declarations are in. */
export interface SchemaDocument {
  readonly root: XmlElement
  readonly namespace: string
}

/** An `xs:redefine` of a document. */
export interface SchemaRedefinition {
  readonly node: XmlElement
  readonly document: SchemaDocument
}

/** A document and the name that relative references in it are resolved against. */
export interface NamedDocument {
  readonly root: XmlElement
  readonly name: string
}

/** The documents of a schema: the given ones, and all that they import, include and redefine. */
export interface SchemaSources {
  readonly documents: readonly SchemaDocument[]
  /** Each `xs:redefine` with its document, those of the documents that are redefined first. */
  readonly redefinitions: readonly SchemaRedefinition[]
  /** Text of each document that was resolved, by its name. */
  readonly texts: ReadonlyMap<string, string>
}

/** Parses a document of a contract. Throws a TypeError that names it. */
export function readDocument(text: string, name: string): XmlElement {
  const reader = treeReader({ limits: DOCUMENT_LIMITS, isDocument: true })
  try {
    reader.write(text.replace(/^\ufeff/, ''))
    return reader.end()
  } catch (error) {
    throw new TypeError(`soap-envelope: ${name}: ${error instanceof Error ? error.message : ''}`)
  }
}

/**
 * Follows `xs:import`, `xs:include` and `xs:redefine`. A document that was seen in the same
 * namespace is not read again, so circles end, and a document that several others refer to is read
 * once.
 */
export function loadSchemas(
  roots: readonly NamedDocument[],
  resolveImport: ResolveImport | undefined,
  loaded: ReadonlyMap<string, string> = new Map(),
): SchemaSources {
  const loading: Loading = {
    documents: [],
    redefinitions: [],
    texts: new Map(),
    seen: new Set(),
    // Documents use `xml:lang` without an import too.
    imported: new Set([XML]),
    resolve: (name) => loaded.get(name) ?? resolveImport?.(name),
  }
  for (const { root, name } of roots) addSchema(root, name, undefined, loading)
  addBuiltIns(loading)
  return loading
}

interface Loading extends SchemaSources {
  readonly documents: SchemaDocument[]
  readonly redefinitions: SchemaRedefinition[]
  readonly texts: Map<string, string>
  /** Name and namespace of each document. */
  readonly seen: Set<string>
  /** The namespaces that some document imports. */
  readonly imported: Set<string>
  resolve(name: string): string | undefined
}

/** @param includer - the namespace of the document that includes this one */
function addSchema(root: XmlElement, name: string, includer: string | undefined, loading: Loading): void {
  if (root.uri !== XSD || root.local !== 'schema')
    throw new TypeError(`soap-envelope: ${name || 'the schema'} is not an xs:schema`)
  const targetNamespace = getAttribute(root, '', 'targetNamespace')
  if (targetNamespace !== undefined && includer !== undefined && targetNamespace !== includer)
    throw new TypeError(
      `soap-envelope: ${name} has the namespace ${targetNamespace}, but is included in ${includer || 'none'}`,
    )
  // An included document without a namespace takes that of the one that includes it (XSD part 1,
  // 4.2.1).
  const namespace = targetNamespace ?? includer ?? ''
  checkSyntax(root, name)
  const document = { root, namespace }
  loading.documents.push(document)
  for (const child of root.children) if (child.uri === XSD) followReference(child, name, document, loading)
}

function followReference(child: XmlElement, name: string, document: SchemaDocument, loading: Loading): void {
  const { local } = child
  if (local !== 'import' && local !== 'include' && local !== 'redefine') return
  const location = getAttribute(child, '', 'schemaLocation')?.trim()
  if (local === 'import') {
    const imported = getAttribute(child, '', 'namespace') ?? ''
    loading.imported.add(imported)
    if (location === undefined || location === '') return
    if (builtInSchema(imported) !== undefined && /^https?:/i.test(location)) return
    follow(relativeTo(name, location), undefined, loading)
    return
  }
  if (location === undefined) throw new TypeError(`soap-envelope: ${name}: xs:${local} has no schemaLocation`)
  follow(relativeTo(name, location), document.namespace, loading)
  if (local === 'redefine') loading.redefinitions.push({ node: child, document })
}

function follow(name: string, includer: string | undefined, loading: Loading): void {
  const key = (namespace: string | undefined): string => `${name}|${namespace ?? ''}`
  if (loading.seen.has(key(includer))) return
  const text = loading.texts.get(name) ?? loading.resolve(name)
  if (typeof text !== 'string')
    throw new TypeError(
      `soap-envelope: the schema "${name}" was not found: pass \`resolveImport\` that returns its text`,
    )
  loading.texts.set(name, text)
  const root = readDocument(text, name)
  if (root.uri === WSDL) {
    loading.seen.add(key(includer))
    for (const types of findChildren(root, WSDL, 'types'))
      for (const schema of findChildren(types, XSD, 'schema')) addSchema(schema, name, undefined, loading)
    return
  }
  const namespace = getAttribute(root, '', 'targetNamespace') ?? includer
  // The same document may be included here and imported there.
  const isNew = !loading.seen.has(key(namespace))
  loading.seen.add(key(includer)).add(key(namespace))
  if (isNew) addSchema(root, name, includer, loading)
}

/** Adds the schemas of standards that are imported, and that no document declares. */
function addBuiltIns({ documents, imported }: Loading): void {
  const declared = new Set(documents.map(({ namespace }) => namespace))
  const open = [...imported]
  for (let uri = open.pop(); uri !== undefined; uri = open.pop()) {
    const text = declared.has(uri) ? undefined : builtInSchema(uri)
    if (text === undefined) continue
    declared.add(uri)
    const root = readDocument(text, uri)
    documents.push({ root, namespace: uri })
    for (const child of findChildren(root, XSD, 'import')) open.push(getAttribute(child, '', 'namespace') ?? '')
  }
}

/**
 * Resolves a relative name against the name of the document that it is in: `types/` and `../` are
 * understood.
 */
export function relativeTo(from: string, location: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(from)) return new URL(location, from).href
  const steps = location.startsWith('/') ? [''] : from.split('/').slice(0, -1)
  for (const step of location.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}
