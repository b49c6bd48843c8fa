import type { Format } from '../format.ts'
import { buildHead, buildRows, buildSums, type Invoice, type Row } from './invoice.ts'

/** An invoice to print and to keep. */
export const pdf = {
  ...{ type: 'application/pdf', parameters: '', kinds: ['record'], records: ['invoice'] },
  encode(content) {
    if (content.kind !== 'record') throw new TypeError(`there is no PDF of this ${content.kind}`)
    return invoicePdf(content.value as unknown as Invoice)
  },
} as const satisfies Format

const MARGIN = 56
const PLAIN = 'Helvetica'
const BOLD = 'Helvetica-Bold'

/** An invoice as A4 pages. The same invoice gives the same bytes, so its entity tag stays. */
export async function invoicePdf(invoice: Invoice): Promise<Buffer> {
  // Half a megabyte of code and fonts that most processes never need.
  const { default: PDFDocument } = await import('pdfkit')
  const title = `Invoice ${invoice.number}`
  const doc = new PDFDocument({
    ...{ size: 'A4', margin: MARGIN, pdfVersion: '1.7', tagged: true, lang: 'en', displayTitle: true },
    info: { Title: title, Creator: 'Svc', Producer: 'Svc', CreationDate: new Date(invoice.issuedAt) },
  })
  const chunks: Buffer[] = []
  const ended = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject)
  })
  write(doc, invoice, title)
  doc.end()
  return ended
}

function write(doc: PDFKit.PDFDocument, invoice: Invoice, title: string): void {
  const root = doc.struct('Document', { title })
  doc.addStructure(root)
  const tagged = (type: string, draw: () => void): void => void root.add(doc.struct(type, {}, draw))
  tagged('H1', () => doc.font(BOLD).fontSize(22).text(title).moveDown())
  for (const [label, value] of buildHead(invoice))
    tagged('P', () =>
      doc
        .font(PLAIN)
        .fontSize(10)
        .text(`${label}: ${toWinAnsi(value)}`),
    )
  doc.moveDown(2)
  const header: Row = ['Item', 'Quantity', 'Price', 'Amount']
  tagged('P', () => row(doc, header, BOLD))
  tagged('P', () => rule(doc))
  for (const cells of buildRows(invoice)) tagged('P', () => row(doc, cells, PLAIN))
  tagged('P', () => rule(doc))
  for (const [label, amount] of buildSums(invoice))
    tagged('P', () => row(doc, ['', '', label, amount], label === 'Total' ? BOLD : PLAIN))
  root.end()
}

const COLUMNS = [
  { at: 0, width: 240, align: 'left' },
  { at: 240, width: 60, align: 'right' },
  { at: 300, width: 90, align: 'right' },
  { at: 390, width: 93, align: 'right' },
] as const
const SPACE = 6

function row(doc: PDFKit.PDFDocument, cells: Row, font: string): void {
  doc.font(font).fontSize(10)
  const texts = cells.map(toWinAnsi)
  const heights = COLUMNS.map(({ width }, at) => doc.heightOfString(texts[at] ?? '', { width }))
  const height = Math.max(...heights)
  if (doc.y + height > doc.page.maxY()) doc.addPage()
  const { y } = doc
  for (const [at, { at: left, width, align }] of COLUMNS.entries())
    doc.text(texts[at] ?? '', MARGIN + left, y, { width, align })
  doc.x = MARGIN
  doc.y = y + height + SPACE
}

function rule(doc: PDFKit.PDFDocument): void {
  const { y } = doc
  doc
    .moveTo(MARGIN, y)
    .lineTo(doc.page.width - MARGIN, y)
    .lineWidth(0.5)
    .stroke()
  doc.y = y + SPACE
}

// What WinAnsi has beside Latin-1 (PDF 32000-1, annex D.2).
const BEYOND_LATIN_1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')

// Letters that decompose into nothing, and signs that have a usual spelling.
const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ı: 'i', ŧ: 't', Ŧ: 'T', ŋ: 'ng', Ŋ: 'NG', ĸ: 'k', ẞ: 'SS' },
  ...{ '−': '-', '‐': '-', '‑': '-', '\u2028': ' ', '\u2029': ' ', '\t': ' ', '\n': ' ', '\r': ' ' },
}

/**
 * A text in the letters that the standard fonts of PDF have: `ő` is o, `Ł` is L. What has no spelling in them is a
 * question mark, so that nobody takes a gap for the name.
 */
export function toWinAnsi(text: string): string {
  let spelled = ''
  for (const letter of text.normalize('NFC')) spelled += spell(letter)
  return spelled
}

function spell(letter: string): string {
  if (isKnown(letter)) return letter
  const own = SPELLINGS[letter]
  if (own !== undefined) return own
  const bases = [...letter.normalize('NFKD').replace(/\p{M}/gu, '')]
  return bases.length > 0 && bases.every((base) => isKnown(base) || SPELLINGS[base] !== undefined)
    ? bases.map((base) => SPELLINGS[base] ?? base).join('')
    : '?'
}

function isKnown(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || BEYOND_LATIN_1.has(letter)
}
