import type { Item } from '../engine/define.ts'
import type { Format } from './format.ts'
import type { Invoice } from './invoice/invoice.ts'
import { invoiceText } from './invoice/text.ts'

/** Lines of `name: value`, for terminals and mail. */
export const text: Format = {
  type: 'text/plain',
  parameters: '; charset=utf-8',
  kinds: ['item', 'page', 'record'],
  encode(content, { version }) {
    if (content.kind === 'record')
      return content.name === 'invoice' ? invoiceText(content.value as unknown as Invoice) : linesOf(content.value)
    const codec = content.shape.codec(version)
    if (content.kind === 'item') return linesOf(codec.encode(content.item as Item, content.fields))
    const { number, size, totalElements, items } = content
    const total = totalElements === undefined ? '' : ` of ${Math.ceil(totalElements / size)}, ${totalElements} in all`
    return [`page ${number}${total}\n`, ...items.map((item) => linesOf(codec.encode(item, content.fields)))].join('\n')
  },
}

function linesOf(value: Readonly<Record<string, unknown>>, indent = ''): string {
  return Object.entries(value)
    .map(([name, inner]) => lineOf(name, inner, indent))
    .join('')
}

function lineOf(name: string, value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((entry) => lineOf(name, entry, indent)).join('')
  if (typeof value !== 'object' || value === null) return `${indent}${name}: ${printable(String(value))}\n`
  const { amount, currency } = value as Record<string, unknown>
  if (amount !== undefined && currency !== undefined) return `${indent}${name}: ${amount} ${currency}\n`
  return `${indent}${name}:\n${linesOf(value as Record<string, unknown>, `${indent}  `)}`
}

// Text of a client must not look like another line, nor control a terminal.
function printable(value: string): string {
  return value.replace(/\r?\n/g, ' ').replace(/\p{Cc}/gu, '\u{fffd}')
}
