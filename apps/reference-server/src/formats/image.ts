import {
  type Drawing,
  formatPng,
  formatSvg,
  type Rectangle,
  rectangle,
  type Shape,
  text,
  truncateText,
} from './drawing.ts'
import type { Format } from './format.ts'

/** Images by the name of the record. */
const drawings: Readonly<Record<string, (value: never) => Drawing | Promise<Drawing>>> = {
  image: drawProduct,
  label: drawLabel,
  salaries: drawSalaries,
}

/** The images as vectors. */
export const svg = imageFormat('image/svg+xml', formatSvg)

/** The same images as pixels. */
export const png = imageFormat('image/png', formatPng)

function imageFormat(type: string, write: (drawing: Drawing) => string | Promise<Buffer>): Format {
  return {
    type,
    parameters: '',
    kinds: ['record'],
    records: Object.keys(drawings),
    async encode(content) {
      const draw = content.kind === 'record' ? drawings[content.name] : undefined
      if (content.kind !== 'record' || !draw) throw new TypeError(`a ${content.kind} has no image`)
      return write(await draw(content.value as never)) // the name of a record tells its type
    },
  }
}

export interface ProductImage {
  productId: number
  sku: string
  name: string
}

const TILE = 320
const TILE_COLORS = ['#1f4e79', '#7a3e00', '#1e5f3b', '#5b2a6e', '#7b1e3a', '#0f5c63', '#5c5400', '#3c3c8c']

/** Draws a tile in the color of the product, with its initials, name and SKU. */
export function drawProduct({ productId, sku, name }: ProductImage): Drawing {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
  const light = { fill: '#ffffff', anchor: 'middle' } as const
  return {
    title: name,
    width: TILE,
    height: TILE,
    shapes: [
      rectangle(0, 0, TILE, TILE, TILE_COLORS[productId % TILE_COLORS.length] ?? '#1f4e79'),
      rectangle(0, TILE - 80, TILE, 80, '#111111'),
      text(TILE / 2, 162, 84, initials, light),
      text(TILE / 2, TILE - 44, 14, truncateText(name, 14, TILE - 32), light),
      text(TILE / 2, TILE - 18, 14, truncateText(sku, 14, TILE - 32), { ...light, fill: '#cccccc' }),
    ],
  }
}

export interface OrderLabel {
  orderId: number
  /** Printable ASCII, since it is the barcode. */
  number: string
  recipient: string
  email: string
  carrier: string
  parcels: number
}

const LABEL = { width: 480, height: 320, margin: 24 }
const MODULE = 2
const BLACK = '#000000'

/** Draws a parcel label with its number as a barcode. */
export async function drawLabel(label: OrderLabel): Promise<Drawing> {
  const { orderId, number, recipient, email, carrier, parcels } = label
  const { width, height, margin } = LABEL
  const inner = width - 2 * margin
  return {
    title: `Order ${orderId}, ${carrier} ${number}`,
    width,
    height,
    shapes: [
      rectangle(0, 0, width, height, '#ffffff'),
      rectangle(0, 0, width, 56, BLACK),
      text(margin, 38, 21, truncateText(carrier, 21, inner - 150), { fill: '#ffffff' }),
      text(width - margin, 35, 14, `Order ${orderId}`, { fill: '#ffffff', anchor: 'end' }),
      text(margin, 88, 14, 'To', { fill: '#555555' }),
      text(margin, 122, 21, truncateText(recipient, 21, inner)),
      text(margin, 148, 14, truncateText(email, 14, inner)),
      rectangle(margin, 168, inner, 2, BLACK),
      ...(await drawBarcode(number, width / 2, 184, 84)),
      text(width / 2, 294, 14, number, { anchor: 'middle' }),
      text(margin, 312, 7, `${parcels} ${parcels === 1 ? 'piece' : 'pieces'}`),
    ],
  }
}

/** Draws a Code 128 barcode (ISO/IEC 15417), centered on x. Throws unless it is printable ASCII. */
async function drawBarcode(content: string, x: number, y: number, height: number): Promise<Rectangle[]> {
  // Loaded with the first label: bwip-js knows every kind of barcode, which takes 10 MB.
  const { default: bwipjs } = await import('bwip-js')
  const [symbol] = bwipjs.raw({ bcid: 'code128', text: content })
  if (!symbol || !('sbs' in symbol)) throw new TypeError(`no barcode for ${JSON.stringify(content)}`)
  const modules = symbol.sbs.reduce((sum, width) => sum + width, 0)
  const bars: Rectangle[] = []
  let left = x - (modules * MODULE) / 2
  for (const [index, width] of symbol.sbs.entries()) {
    if (index % 2 === 0) bars.push(rectangle(left, y, width * MODULE, height, BLACK))
    left += width * MODULE
  }
  return bars
}

/** The salaries of a department, counted by band. */
export interface Salaries {
  department: string
  employees: number
  bands: readonly { from: number; to: number; employees: number }[]
}

const CHART = { width: 640, height: 360, left: 48, top: 72, bottom: 304, gap: 8 }

/** Draws how many employees of a department earn how much: one bar per band. */
export function drawSalaries({ department, employees, bands }: Salaries): Drawing {
  const { width, height, left, top, bottom, gap } = CHART
  const max = Math.max(1, ...bands.map((band) => band.employees))
  const step = (width - left - 24) / Math.max(1, bands.length)
  const columns = bands.flatMap(({ from, employees: count }, index): Shape[] => {
    const x = Math.round(left + index * step)
    const middle = x + (step - gap) / 2
    const barHeight = Math.round(((bottom - top) * count) / max)
    return [
      rectangle(x, bottom - barHeight, Math.round(step - gap), barHeight, '#1f4e79'),
      text(middle, bottom - barHeight - 6, 7, String(count), { anchor: 'middle' }),
      text(middle, bottom + 20, 7, from.toLocaleString('en'), { anchor: 'middle' }),
    ]
  })
  return {
    title: `Salaries in ${department}: ${employees} employees in ${bands.length} bands`,
    width,
    height,
    shapes: [
      rectangle(0, 0, width, height, '#ffffff'),
      text(left, 40, 14, truncateText(`Salaries, ${department}`, 14, width - left - 24)),
      rectangle(left, top, width - left - 24, 1, '#d0d0d0'),
      ...columns,
      rectangle(left, bottom, width - left - 24, 2, '#1a1a1a'),
      text(width / 2, height - 16, 7, 'Salary from', { anchor: 'middle' }),
    ],
  }
}
