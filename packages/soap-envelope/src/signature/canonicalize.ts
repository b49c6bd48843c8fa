import type { XmlAttribute, XmlElement } from '../xml/element.ts'

/** Called with the namespace declarations that the canonical form of an element contains. */
export type OnRendered = (element: XmlElement, declarations: readonly XmlAttribute[]) => void

interface Walk {
  /** The namespaces in scope by prefix; `''` is the default namespace. */
  scope: Map<string, string>
  /** Those that an ancestor in the output has declared. */
  rendered: Map<string, string>
  /** Prefixes of the PrefixList, declared even if no name uses them. */
  inclusive: readonly string[]
  onRendered: OnRendered | undefined
}

/**
 * Returns the canonical form of an element without comments (Exclusive XML Canonicalization 1.0).
 * Its cost is linear in the size of the element.
 *
 * @param prefixes - the PrefixList of InclusiveNamespaces, `''` for `#default`
 */
export function canonicalize(element: XmlElement, prefixes: readonly string[] = [], onRendered?: OnRendered): string {
  const walk: Walk = { scope: readScope(element.parent), rendered: new Map(), inclusive: prefixes, onRendered }
  return writeElement(element, walk)
}

function readScope(element: XmlElement | undefined): Map<string, string> {
  const ancestors: XmlElement[] = []
  for (let current = element; current; current = current.parent) ancestors.push(current)
  const scope = new Map<string, string>()
  for (const ancestor of ancestors.reverse()) {
    for (const declaration of ancestor.declarations) scope.set(declaredPrefix(declaration), declaration.value)
  }
  return scope
}

function declaredPrefix({ prefix, local }: XmlAttribute): string {
  return prefix === '' ? '' : local
}

type Saved = [prefix: string, uri: string | undefined][]

function writeElement(element: XmlElement, walk: Walk): string {
  const { scope, rendered } = walk
  const hidden: Saved = element.declarations.map((declaration) => {
    const prefix = declaredPrefix(declaration)
    const before: Saved[0] = [prefix, scope.get(prefix)]
    scope.set(prefix, declaration.value)
    return before
  })
  const declarations = findDeclarations(element, walk)
  const replaced: Saved = declarations.map(({ prefix, local, value }) => {
    const name = prefix === '' ? '' : local
    const before: Saved[0] = [name, rendered.get(name)]
    rendered.set(name, value)
    return before
  })
  walk.onRendered?.(element, declarations)
  const name = formatName(element)
  let output = `<${name}`
  for (const declaration of declarations) output += formatAttribute(declaration)
  for (const attribute of sortAttributes(element.attributes)) output += formatAttribute(attribute)
  output += `>${writeContent(element, walk)}</${name}>`
  restore(scope, hidden)
  restore(rendered, replaced)
  return output
}

function restore(map: Map<string, string>, saved: Saved): void {
  for (const [prefix, uri] of saved.reverse()) {
    if (uri === undefined) map.delete(prefix)
    else map.set(prefix, uri)
  }
}

/**
 * The namespaces that names of the element use, and those of the PrefixList, unless the output has
 * them already.
 */
function findDeclarations(element: XmlElement, { scope, rendered, inclusive }: Walk): XmlAttribute[] {
  const used = new Set(inclusive)
  used.add(element.prefix)
  for (const { prefix } of element.attributes) if (prefix !== '') used.add(prefix)
  const declarations: XmlAttribute[] = []
  for (const prefix of used) {
    if (prefix === 'xml') continue
    const value = scope.get(prefix) ?? (prefix === '' ? '' : undefined)
    if (value === undefined || value === (rendered.get(prefix) ?? (prefix === '' ? '' : undefined))) continue
    declarations.push(
      prefix === ''
        ? { uri: '', prefix: '', local: 'xmlns', value }
        : { uri: '', prefix: 'xmlns', local: prefix, value },
    )
  }
  return declarations.length < 2
    ? declarations
    : declarations.sort((a, b) => compareCodePoints(declaredPrefix(a), declaredPrefix(b)))
}

/** By namespace and local name; attributes in no namespace come first. */
function sortAttributes(attributes: readonly XmlAttribute[]): readonly XmlAttribute[] {
  if (attributes.length < 2) return attributes
  return [...attributes].sort((a, b) => compareCodePoints(a.uri, b.uri) || compareCodePoints(a.local, b.local))
}

// JavaScript compares UTF-16 units, in which U+10000 comes before U+E000. UTF-8 keeps the order of
// code points.
function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function formatName({ prefix, local }: { prefix: string; local: string }): string {
  return prefix === '' ? local : `${prefix}:${local}`
}

function formatAttribute(attribute: XmlAttribute): string {
  return ` ${formatName(attribute)}="${escapeValue(attribute.value)}"`
}

/** The value of an attachment is written as the Base64 text that it replaces. */
function writeContent(element: XmlElement, walk: Walk): string {
  const { text, children, bytes } = element
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  if (children.length === 0) return escapeContent(text)
  let output = ''
  let offset = 0
  for (const child of children) {
    output += escapeContent(text.slice(offset, child.textOffset)) + writeElement(child, walk)
    offset = child.textOffset
  }
  return output + escapeContent(text.slice(offset))
}

// Canonical XML escapes differently from what a writer needs: `>` in text only, tab and line feed
// in values only.
const IN_CONTENT = /[&<>\r]/g
const IN_VALUE = /[&<"\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function escapeContent(text: string): string {
  return text.replace(IN_CONTENT, (char) => ESCAPES[char] ?? char)
}

function escapeValue(value: string): string {
  return value.replace(IN_VALUE, (char) => ESCAPES[char] ?? char)
}

/** Reads the PrefixList of InclusiveNamespaces. */
export function parsePrefixList(text: string): string[] {
  const prefixes = text.split(/[ \t\r\n]+/).filter((prefix) => prefix !== '')
  return prefixes.map((prefix) => (prefix === '#default' ? '' : prefix))
}
