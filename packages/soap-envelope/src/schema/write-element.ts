import { escapeAttribute, escapeText } from '../../../internal/xml-escape.ts'
import { listContent, resolvePrefix, type XmlElement } from '../xml/element.ts'
import { isLocalName } from '../xml/names.ts'

/**
 * The namespace of each prefix where an element is written; the default namespace has the empty
 * prefix.
 */
type Scope = Map<string, string>

/**
 * Writes an element that was parsed so that it means the same anywhere else: it keeps its prefixes,
 * and declares those of its ancestors that it uses, also in values such as `xsi:type="p:name"`.
 * Throws a TypeError if the value is not an element.
 */
export function writeElement(value: unknown): string {
  if (!isElement(value)) throw new TypeError('soap-envelope: an element must be one that was parsed')
  const inherited = new Map<string, string>()
  for (const prefix of prefixesIn(value)) {
    const uri = resolvePrefix(value, prefix)
    if (uri !== undefined && !(prefix === '' && uri === '') && prefix !== 'xml') inherited.set(prefix, uri)
  }
  return write(value, new Map([['', '']]), inherited)
}

function write(element: XmlElement, scope: Scope, inherited?: ReadonlyMap<string, string>): string {
  const { uri, local, attributes } = element
  assertLocalName(local)
  const declared = new Map(inherited)
  for (const { prefix, local: name, value } of element.declarations ?? [])
    declared.set(prefix === '' ? '' : name, value)
  // All elements share the scope: a copy for each would cost as much as all that is declared.
  const hidden = new Map<string, string | undefined>()
  const declare = (prefix: string, bound: string): void => {
    if (prefix !== '') assertLocalName(prefix)
    if (!hidden.has(prefix)) hidden.set(prefix, scope.get(prefix))
    declared.set(prefix, bound)
    scope.set(prefix, bound)
  }
  for (const [prefix, bound] of declared) {
    if (scope.get(prefix) === bound) declared.delete(prefix)
    else declare(prefix, bound)
  }
  const prefix = element.prefix ?? ''
  if (scope.get(prefix) !== uri) declare(prefix, uri)
  let fields = ''
  for (const attribute of attributes) {
    assertLocalName(attribute.local)
    const value = escapeAttribute(attribute.value)
    if (attribute.uri === '') fields += ` ${attribute.local}="${value}"`
    else fields += ` ${prefixFor(attribute.uri, attribute.prefix, scope, declare)}:${attribute.local}="${value}"`
  }
  let namespaces = ''
  for (const [name, bound] of declared)
    namespaces += name === '' ? ` xmlns="${escapeAttribute(bound)}"` : ` xmlns:${name}="${escapeAttribute(bound)}"`
  const tag = prefix === '' ? local : `${prefix}:${local}`
  const inner = writeContent(element, scope)
  for (const [name, before] of hidden) {
    if (before === undefined) scope.delete(name)
    else scope.set(name, before)
  }
  return inner === undefined ? `<${tag}${namespaces}${fields}/>` : `<${tag}${namespaces}${fields}>${inner}</${tag}>`
}

/** Names are written as they are: one that was not parsed could be any markup. */
function assertLocalName(name: string): void {
  if (!isLocalName(name))
    throw new TypeError('soap-envelope: an element or attribute has a name that is not a name of XML')
}

function writeContent(element: XmlElement, scope: Scope): string | undefined {
  if (element.bytes) return Buffer.from(element.bytes).toString('base64')
  const content = listContent(element)
  if (content.length === 0) return undefined
  return content.map((part) => (typeof part === 'string' ? escapeText(part) : write(part, scope))).join('')
}

/** A prefix that is bound to the namespace of an attribute; a new one if there is none. */
function prefixFor(
  uri: string,
  wanted: string | undefined,
  scope: Scope,
  declare: (prefix: string, uri: string) => void,
): string {
  if (wanted === 'xml' || (wanted && scope.get(wanted) === uri)) return wanted
  for (const [prefix, bound] of scope) if (prefix !== '' && bound === uri) return prefix
  let prefix = wanted || 'a'
  for (let number = 0; scope.has(prefix); number++) prefix = `a${number}`
  declare(prefix, uri)
  return prefix
}

/**
 * The prefixes that an element and what is in it use: in names, and possibly in values of type
 * QName.
 */
function prefixesIn(element: XmlElement, prefixes = new Set<string>()): Set<string> {
  prefixes.add(element.prefix ?? '')
  addFromText(element.text, prefixes)
  for (const { prefix, value } of element.attributes) {
    if (prefix) prefixes.add(prefix)
    addFromText(value, prefixes)
  }
  for (const child of element.children) prefixesIn(child, prefixes)
  return prefixes
}

function addFromText(text: string, prefixes: Set<string>): void {
  if (!text.includes(':')) return
  // Each run of the characters of a name is read once; what a name cannot start with is dropped.
  for (const [, run = ''] of text.matchAll(/(?<![\p{L}\p{N}._-])([\p{L}\p{N}._-]+):/gu)) {
    const prefix = run.replace(/^[^\p{L}_]+/u, '')
    if (prefix !== '') prefixes.add(prefix)
  }
}

function isElement(value: unknown): value is XmlElement {
  const element = value as Partial<XmlElement> | null
  return typeof element?.uri === 'string' && typeof element.local === 'string' && Array.isArray(element.children)
}
