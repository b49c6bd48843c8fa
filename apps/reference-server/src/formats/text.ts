import { toXml } from '@svc/hal/xml'
import { stringify as toCsv } from 'csv-stringify/sync'
import type { JsonSchema } from '../engine/field.ts'
import { isObject } from '../engine/validate.ts'
import type { Format } from './format.ts'
import { invoiceText, isInvoice } from './invoice.ts'
import { getPage, renderItem, renderRecord } from './json.ts'

/** Lines of `name: value`, for terminals and mail. */
export const text: Format = {
  type: 'text/plain',
  parameters: '; charset=utf-8',
  kinds: ['item', 'page', 'record'],
  encode(content, { version }) {
    if (content.kind === 'record')
      return isInvoice(content.value) ? invoiceText(content.value) : formatLines(content.value)
    const codec = content.shape.codec(version)
    if (content.kind === 'item') return formatLines(codec.encode(content.item, content.fields))
    const { number, size, totalElements, items, cursors } = content
    const pages = cursors ? '' : ` ${number}`
    const total = totalElements === undefined ? '' : ` of ${Math.ceil(totalElements / size)}, ${totalElements} in all`
    const texts = items.map((item) => formatLines(codec.encode(item, content.fields)))
    return [`page${pages}${total}\n`, ...texts].join('\n')
  },
}

function formatLines(value: Readonly<Record<string, unknown>>, indent = ''): string {
  return Object.entries(value)
    .map(([name, inner]) => formatLine(name, inner, indent))
    .join('')
}

function formatLine(name: string, value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((entry) => formatLine(name, entry, indent)).join('')
  if (!isObject(value)) return `${indent}${name}: ${printable(String(value))}\n`
  const { amount, currency } = value
  if (amount !== undefined && currency !== undefined) return `${indent}${name}: ${amount} ${currency}\n`
  return `${indent}${name}:\n${formatLines(value, `${indent}  `)}`
}

// Text from a client must not look like another line or control a terminal.
function printable(value: string): string {
  return value.replace(/\r?\n/g, ' ').replace(/\p{Cc}/gu, '\u{fffd}')
}

/** XML with the names of JSON; a collection holds its items side by side, then `page`. */
export const xml: Format = {
  type: 'application/xml',
  parameters: '; charset=utf-8',
  isPure: true,
  kinds: ['item', 'page', 'record', 'none'],
  encode(content, context) {
    if (content.kind === 'record') return toXml(renderRecord(content, context), { root: content.name })
    const { collection } = content.shape
    if (content.kind === 'item') return toXml(renderItem(content, context), { root: collection.item })
    return toXml(getPage(content, context).render('plain'), { root: collection.name, item: collection.item })
  },
}

/** The same by its other name, the only one that many XML clients send (RFC 7303 §9.2). */
export const textXml: Format = { ...xml, type: 'text/xml' }

const texts = new WeakMap<object, string>()

/** The OpenAPI document as YAML (RFC 9512). Each document is encoded once, since that is slow. */
export const yaml: Format = {
  type: 'application/yaml',
  parameters: '',
  kinds: ['record'],
  records: ['openapi', 'openapi-yaml'],
  async encode(content, context) {
    if (content.kind !== 'record') throw new TypeError('only a record is written as YAML')
    const stored = texts.get(content.value)
    if (stored !== undefined) return stored
    // Loaded with the first document: it takes 2 MB.
    const { stringify } = await import('yaml')
    const text = stringify(renderRecord(content, context), { aliasDuplicateObjects: false })
    texts.set(content.value, text)
    return text
  },
}

/** The same, preferred to JSON by clients that accept both. */
export const preferredYaml: Format = { ...yaml, records: ['openapi-yaml'] }

/** A table with a header row (RFC 4180). Text that looks like a formula is escaped. */
export const csv = {
  type: 'text/csv',
  parameters: '; charset=utf-8; header=present',
  kinds: ['page', 'item'],
  encode(content, { version }) {
    if (content.kind === 'record') throw new TypeError('a record is not a table')
    const codec = content.shape.codec(version)
    const names = ['id', ...codec.visible].filter((name) => content.fields?.has(name) ?? true)
    const columns = names.flatMap((name) => listColumns(name, codec.fields[name]?.json ?? {}))
    const items = content.kind === 'page' ? content.items : [content.item]
    return toCsv(
      items.map((item) => codec.encode(item, content.fields)),
      {
        header: true,
        columns,
        record_delimiter: 'windows',
        escape_formulas: true,
        quoted_match: /[\r\n]/, // by default only the delimiter of records
        quoted_empty: columns.length === 1, // many readers skip blank lines
        cast: { boolean: String, object: formatObject },
      },
    )
  },
} as const satisfies Format

/** A column for a value; one for each member of an object: `department.id`. Money is one value. */
function listColumns(name: string, { properties }: JsonSchema): string[] {
  const members = Object.keys(Object(properties))
  if (members.length === 0 || members.includes('currency')) return [name]
  return members.map((member) => `${name}.${member}`)
}

// Lists of objects, such as the lines of an order, are shown by their length.
function formatObject(value: object): string {
  if (Array.isArray(value))
    return value.some((entry) => typeof entry === 'object') ? String(value.length) : value.join(' ')
  const { amount, currency } = value as Readonly<Record<string, unknown>>
  return `${amount} ${currency}`
}
