import { buffer } from 'node:stream/consumers'
import { format, type Money } from '../engine/money.ts'
import type { Format } from './format.ts'

/** An invoice as its document declares it. */
export interface Invoice {
  number: string
  orderId: number
  issuedAt: string
  lines: readonly { productId: number; name?: string; quantity: number; unitPrice: Money; lineTotal: Money }[]
  subtotal: Money
  tax: Money
  total: Money
}

type Row = readonly [name: string, quantity: string, price: string, total: string]

/** Returns the lines above the rows, the rows, and the sums below. Prices include the tax. */
function toTable({ number, orderId, issuedAt, lines, subtotal, tax, total }: Invoice) {
  const head = { Invoice: number, Order: String(orderId), Issued: issuedAt.slice(0, 10) }
  const rows = lines.map(
    ({ productId, name = `Product ${productId}`, quantity, unitPrice, lineTotal }): Row => [
      name,
      String(quantity),
      format(unitPrice),
      format(lineTotal),
    ],
  )
  const sums = { Net: format(subtotal), Tax: format(tax), Total: format(total) }
  return { head: Object.entries(head), rows, sums: Object.entries(sums) }
}

const WIDTHS = [36, 5, 15, 16] as const
const WIDTH = WIDTHS.reduce((sum, width) => sum + width, 0)
const RULE = `${'-'.repeat(WIDTH)}\n`

/** Formats an invoice in 72 columns, for terminals, mail and printers. */
export function invoiceText(invoice: Invoice): string {
  const { head, rows, sums } = toTable(invoice)
  return [
    ...head.map(([label, value]) => `${label.padEnd(10)}${value}\n`),
    '\n',
    rowText(['Item', 'Qty', 'Price', 'Amount']),
    RULE,
    ...rows.map(rowText),
    RULE,
    ...sums.map(([label, amount]) => `${label.padStart(WIDTH - 16)}${` ${amount}`.padStart(16)}\n`),
  ].join('')
}

function rowText([item, quantity, price, total]: Row): string {
  const [first, ...widths] = WIDTHS
  const numbers = [quantity, price, total].map((text, index) => ` ${text}`.padStart(widths[index] ?? 0)).join('')
  // Text from a client must not look like another line or control a terminal.
  const name = item.replace(/\p{Cc}/gu, '\u{fffd}')
  return name.length < first ? `${name.padEnd(first)}${numbers}\n` : `${name}\n${' '.repeat(first)}${numbers}\n`
}

export const pdf = {
  type: 'application/pdf',
  parameters: '',
  kinds: ['record'],
  records: ['invoice'],
  encode(content) {
    if (content.kind !== 'record') throw new TypeError(`there is no PDF of this ${content.kind}`)
    return drawInvoice(content.value)
  },
} as const satisfies Format

/** Whether the value of a record is an invoice. */
export function isInvoice(value: Partial<Invoice>): value is Invoice {
  const { number, orderId, issuedAt, lines, subtotal, tax, total } = value
  const hasSums = subtotal !== undefined && tax !== undefined && total !== undefined
  return typeof number === 'string' && typeof orderId === 'number' && issuedAt !== undefined && !!lines && hasSums
}

const MARGIN = 56
const PLAIN = 'Helvetica'
const BOLD = 'Helvetica-Bold'

/**
 * Formats the value of the document `invoice` as A4 pages. The same invoice gives the same bytes,
 * hence the same ETag. Rejects with a `TypeError` if it is the value of another document.
 */
export async function drawInvoice(invoice: object): Promise<Buffer> {
  if (!isInvoice(invoice)) throw new TypeError('the document is not an invoice')
  // Half a megabyte of code and fonts that most processes never need.
  const { default: PDFDocument } = await import('pdfkit')
  const title = `Invoice ${invoice.number}`
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Creator: 'Svc', Producer: 'Svc', CreationDate: new Date(invoice.issuedAt) },
  })
  write(doc, invoice, title)
  doc.end()
  return buffer(doc)
}

function write(doc: PDFKit.PDFDocument, invoice: Invoice, title: string): void {
  const { head, rows, sums } = toTable(invoice)
  const root = doc.struct('Document', { title })
  doc.addStructure(root)
  const tagged = (type: string, draw: () => void): void => void root.add(doc.struct(type, {}, draw))
  tagged('H1', () => doc.font(BOLD).fontSize(22).text(title).moveDown())
  for (const [label, value] of head) {
    const line = `${label}: ${toWinAnsi(value)}`
    tagged('P', () => doc.font(PLAIN).fontSize(10).text(line))
  }
  doc.moveDown(2)
  const header: Row = ['Item', 'Quantity', 'Price', 'Amount']
  tagged('P', () => row(doc, header, BOLD))
  tagged('P', () => rule(doc))
  for (const cells of rows) tagged('P', () => row(doc, cells, PLAIN))
  tagged('P', () => rule(doc))
  for (const [label, amount] of sums)
    tagged('P', () => row(doc, ['', '', label, amount], label === 'Total' ? BOLD : PLAIN))
  root.end()
}

const COLUMNS = [
  { left: 0, width: 240, align: 'left' },
  { left: 240, width: 60, align: 'right' },
  { left: 300, width: 90, align: 'right' },
  { left: 390, width: 93, align: 'right' },
] as const
const SPACE = 6

function row(doc: PDFKit.PDFDocument, cells: Row, font: string): void {
  doc.font(font).fontSize(10)
  const texts = cells.map(toWinAnsi)
  const heights = COLUMNS.map(({ width }, index) => doc.heightOfString(texts[index] ?? '', { width }))
  const height = Math.max(...heights)
  if (doc.y + height > doc.page.maxY()) doc.continueOnNewPage()
  const { y } = doc
  for (const [index, { left, width, align }] of COLUMNS.entries())
    doc.text(texts[index] ?? '', MARGIN + left, y, { width, align })
  doc.x = MARGIN
  doc.y = y + height + SPACE
}

function rule(doc: PDFKit.PDFDocument): void {
  const { y } = doc
  const right = doc.page.width - MARGIN
  doc.moveTo(MARGIN, y).lineTo(right, y).lineWidth(0.5).stroke()
  doc.y = y + SPACE
}

// Characters of WinAnsi that Latin-1 does not have (PDF 32000-1, annex D.2).
const BEYOND_LATIN_1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')

// Letters without a decomposition, and signs with a usual spelling.
const SPELLINGS: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŧ: 't',
  Ŧ: 'T',
  ŋ: 'ng',
  Ŋ: 'NG',
  ĸ: 'k',
  ẞ: 'SS',
  '−': '-',
  '‐': '-',
}

/**
 * Spells text with the letters that the standard fonts of PDF have: `ő` is o, `Ł` is L. A letter
 * that has no spelling becomes a question mark, since a gap would look like another name.
 */
export function toWinAnsi(text: string): string {
  const line = text.normalize('NFC').replace(/[\t\n\r\u2028\u2029]/g, ' ')
  return [...line].map(spell).join('')
}

function spell(letter: string): string {
  if (isWinAnsi(letter)) return letter
  const bases = [...letter.normalize('NFKD').replace(/\p{M}/gu, '')]
  const spelled = bases.map((base) => (isWinAnsi(base) ? base : SPELLINGS[base]))
  return spelled.includes(undefined) ? '?' : spelled.join('') || '?'
}

function isWinAnsi(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || BEYOND_LATIN_1.has(letter)
}
