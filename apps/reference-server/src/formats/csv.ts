import { stringify } from 'csv-stringify/sync'
import type { Item } from '../engine/define.ts'
import type { JsonSchema } from '../engine/fields.ts'
import type { Format } from './format.ts'

/** A table with a header row (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csv = {
  type: 'text/csv',
  parameters: '; charset=utf-8; header=present',
  kinds: ['page', 'item'],
  encode(content, { version }) {
    if (content.kind === 'record') throw new TypeError('a record is no table')
    const codec = content.shape.codec(version)
    const names = ['id', ...codec.visible].filter((name) => content.fields?.has(name) ?? true)
    const columns = names.flatMap((name) => toColumns(name, codec.fields[name]?.json ?? {}))
    const items = content.kind === 'page' ? content.items : [content.item]
    const rows = items.map((item) => {
      const shown = codec.encode(item as Item, content.fields)
      return columns.map(({ read }) => toCell(read(shown)))
    })
    return stringify([columns.map(({ header }) => header), ...rows], {
      record_delimiter: 'windows',
      escape_formulas: true,
    })
  },
} as const satisfies Format

interface Column {
  header: string
  read(shown: Readonly<Record<string, unknown>>): unknown
}

/** A column for a value; one for each member of an object: `department.id`. Money is one value. */
function toColumns(name: string, { properties }: JsonSchema): Column[] {
  const members = Object.keys(Object(properties))
  if (members.length === 0 || members.includes('currency')) return [{ header: name, read: (shown) => shown[name] }]
  return members.map((member) => ({ header: `${name}.${member}`, read: (shown) => Object(shown[name])[member] }))
}

// Of things that have fields of their own, such as the lines of an order, a table has room for their number.
function toCell(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.some((entry) => typeof entry === 'object') ? value.length : value.join(' ')
  const { amount, currency } = value as Record<string, unknown>
  return `${amount} ${currency}`
}
