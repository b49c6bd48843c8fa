import { stringify } from 'csv-stringify/sync'
import type { Item } from '../resources/define.ts'
import type { Format } from './format.ts'

/** A table with a header row (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csv = {
  type: 'text/csv',
  parameters: '; charset=utf-8; header=present',
  kinds: ['page', 'item'],
  encode(content, { version }) {
    if (content.kind === 'record') throw new TypeError('a record is no table')
    const wire = content.shape.wire(version)
    const columns = ['id', ...wire.visible].filter((name) => content.fields?.has(name) ?? true)
    const items = content.kind === 'page' ? content.items : [content.item]
    const rows = items.map((item) => rowOf(wire.show(item as Item, content.fields), columns))
    return stringify(rows, { header: true, columns, record_delimiter: 'windows' })
  },
} as const satisfies Format

const FORMULA = /^[=+\-@\t\r]/

function rowOf(shown: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((name) => [name, cellOf(shown[name])]))
}

function cellOf(value: unknown): unknown {
  if (typeof value === 'string') return FORMULA.test(value) ? `'${value}` : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.every((entry) => typeof entry !== 'object') ? value.join(' ') : JSON.stringify(value)
  const { amount, currency } = value as Record<string, unknown>
  return amount !== undefined && currency !== undefined ? `${amount} ${currency}` : JSON.stringify(value)
}
