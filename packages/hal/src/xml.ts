import { escapeText } from '../../internal/xml-escape.ts'
import { isRecord } from './is-record.ts'
import { parseHal } from './parse-hal.ts'
import { singular } from './singular.ts'
import { formatAttributes, toElementName } from './xml-names.ts'

/** Names of the elements in XML. */
export interface XmlOptions {
  /** Name of the outermost element: `order`. */
  root: string
  /** Name of the element of each item of a page, whose `items` are directly in the root. */
  item?: string
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const MAX_DEPTH = 100

/**
 * Formats a JSON-like value as XML: a property is an element of its name, an array an element with
 * one child per value, named in the singular (`<roles><role>…`). Nulls and values that JSON cannot
 * represent are omitted; a bigint keeps its digits. The result is always well-formed. Throws a
 * `TypeError` for more than 100 levels.
 */
export function toXml(value: unknown, { root, item }: XmlOptions): string {
  const name = toElementName(root)
  const document = plain(value)
  if (item === undefined || !isRecord(document) || !Array.isArray(document['items'])) {
    return DECLARATION + (element(name, document, 0) || `<${name}></${name}>`)
  }
  const { items, ...rest } = document
  const children = (items as unknown[]).map((each) => element(toElementName(item), each, 1))
  return `${DECLARATION}<${name}>${children.join('')}${members(rest, 1)}</${name}>`
}

/**
 * Formats a HAL document as `application/hal+xml`: `<resource href>` with `<link rel href/>`, one
 * element per property of the state, and the embedded resources.
 */
export function toHalXml(document: object): string {
  return DECLARATION + resource(plain(document), undefined, 0)
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

function element(name: string, value: unknown, depth: number): string {
  checkDepth(depth)
  const content = plain(value)
  if (content === undefined) return ''
  if (Array.isArray(content)) {
    const child = toElementName(singular(name))
    return `<${name}>${content.map((each: unknown) => element(child, each, depth + 1)).join('')}</${name}>`
  }
  if (isRecord(content)) return `<${name}>${members(content, depth + 1)}</${name}>`
  return `<${name}>${escapeText(String(content))}</${name}>`
}

function members(record: Readonly<Record<string, unknown>>, depth: number): string {
  let text = ''
  for (const [key, value] of Object.entries(record)) text += element(toElementName(key), value, depth)
  return text
}

/** Returns the value that JSON would have, or `undefined` if it is omitted. */
function plain(value: unknown): unknown {
  const shown = isRecord(value) && typeof value['toJSON'] === 'function' ? value['toJSON']('') : value
  if (typeof shown === 'number') return Number.isFinite(shown) ? shown : undefined
  return shown === null || typeof shown === 'function' || typeof shown === 'symbol' ? undefined : shown
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new TypeError(`hal: XML of more than ${MAX_DEPTH} levels`)
}
