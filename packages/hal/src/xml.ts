import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { escapeAttribute, escapeText } from '../../internal/xml-escape.ts'
import { isRecord } from './is-record.ts'
import { parseHal } from './parse-hal.ts'
import { toSingular } from './singular.ts'

/** Names of the elements in XML. */
export interface ToXmlOptions {
  /** Name of the root element, such as `order`. */
  root: string
  /** Name of the elements of the items of a page, which are children of the root. */
  item?: string
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const MAX_DEPTH = 100
const NOT_IN_NAME = /[^-.\w\u00B7\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFF\u3001-\uD7FF]/gu
const NOT_AT_START = /^[-.\d\u00B7\u0300-\u036F]/

/**
 * Formats a JSON value as XML: a property is an element of its name, an array an element with one
 * child per value, named in the singular (`<roles><role>…`). Nulls and values that JSON cannot
 * represent are omitted; a bigint keeps its digits. The result is always well-formed. Throws a
 * `TypeError` beyond 100 levels.
 */
export function toXml(value: unknown, options: ToXmlOptions): string {
  assertKnownOptions('hal: toXml', options, ['root', 'item'])
  const { root, item } = options
  if (typeof root !== 'string') throw new TypeError(`hal: toXml: root must be a string, got ${inspectValue(root)}`)
  const name = toElementName(root)
  const document = toPlainValue(value)
  if (item === undefined || !isRecord(document) || !Array.isArray(document['items'])) {
    return DECLARATION + (formatElement(name, document, 0) || `<${name}></${name}>`)
  }
  const { items, ...rest } = document
  const children = (items as unknown[]).map((each) => formatElement(toElementName(item), each, 1))
  return `${DECLARATION}<${name}>${children.join('')}${members(rest, 1)}</${name}>`
}

/**
 * Formats a HAL document as `application/hal+xml`: `<resource href>` with `<link rel href/>`, one
 * element per property of the state, and the embedded resources.
 */
export function toHalXml(document: object): string {
  return DECLARATION + resource(toPlainValue(document), undefined, 0)
}

function resource(document: unknown, relation: string | undefined, depth: number): string {
  checkDepth(depth)
  const reader = parseHal(document)
  const open = formatAttributes({ rel: relation, href: reader.link('self')?.href })
  let text = ''
  for (const each of ['curies', ...reader.relations]) {
    if (each === 'self') continue
    for (const link of reader.links(each)) text += `<link${formatAttributes({ rel: each, ...link })}/>`
  }
  text += members(reader.state, depth + 1)
  const embedded = isRecord(document) && isRecord(document['_embedded']) ? document['_embedded'] : {}
  for (const [each, inside] of Object.entries(embedded)) {
    for (const item of [inside].flat()) text += resource(item, each, depth + 1)
  }
  return `<resource${open}>${text}</resource>`
}

function formatElement(name: string, value: unknown, depth: number): string {
  checkDepth(depth)
  const content = toPlainValue(value)
  if (content === undefined) return ''
  if (Array.isArray(content)) {
    const child = toElementName(toSingular(name))
    return `<${name}>${content.map((each: unknown) => formatElement(child, each, depth + 1)).join('')}</${name}>`
  }
  if (isRecord(content)) return `<${name}>${members(content, depth + 1)}</${name}>`
  return `<${name}>${escapeText(String(content))}</${name}>`
}

function members(record: Readonly<Record<string, unknown>>, depth: number): string {
  let text = ''
  for (const [key, value] of Object.entries(record)) text += formatElement(toElementName(key), value, depth)
  return text
}

/** Returns the value that JSON would have, or `undefined` if it is omitted. */
function toPlainValue(value: unknown): unknown {
  const serialized = isRecord(value) && typeof value['toJSON'] === 'function' ? value['toJSON']('') : value
  if (typeof serialized === 'number') return Number.isFinite(serialized) ? serialized : undefined
  return serialized === null || typeof serialized === 'function' || typeof serialized === 'symbol'
    ? undefined
    : serialized
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new TypeError(`hal: the depth of XML must be at most ${MAX_DEPTH} levels`)
}

/** Formats attributes, each after a space; absent ones are omitted. */
function formatAttributes(attributes: Readonly<Record<string, string | boolean | undefined>>): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) text += ` ${name}="${escapeAttribute(String(value))}"`
  }
  return text
}

/**
 * Returns an element name for a key, with `_` for characters that a name without prefix must not
 * contain.
 */
function toElementName(key: string): string {
  const name = key.replace(NOT_IN_NAME, '_')
  return name === '' || NOT_AT_START.test(name) ? `_${name}` : name
}
