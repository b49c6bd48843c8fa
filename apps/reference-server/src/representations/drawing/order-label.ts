import { bars } from './barcode.ts'
import { type Drawing, fitted, rectangle, text } from './drawing.ts'

/** What stands on a parcel. */
export interface OrderLabel {
  orderId: number
  /** Printable ASCII: it is the barcode. */
  number: string
  recipient: string
  email: string
  carrier: string
  parcels: number
}

const WIDTH = 480
const HEIGHT = 320
const MARGIN = 24
const MODULE = 2
const BLACK = '#000000'

/** A label for a parcel, with its number as a barcode (Code 128). */
export function drawLabel({ orderId, number, recipient, email, carrier, parcels }: OrderLabel): Drawing {
  const inner = WIDTH - 2 * MARGIN
  // Start, check and stop have 11, 11 and 13 modules, each letter 11.
  const width = (number.length * 11 + 35) * MODULE
  return {
    title: `Order ${orderId}, ${carrier} ${number}`,
    width: WIDTH,
    height: HEIGHT,
    shapes: [
      rectangle(0, 0, WIDTH, HEIGHT, '#ffffff'),
      rectangle(0, 0, WIDTH, 56, BLACK),
      text(MARGIN, 38, 21, fitted(carrier, 21, inner - 150), { fill: '#ffffff' }),
      text(WIDTH - MARGIN, 35, 14, `Order ${orderId}`, { fill: '#ffffff', anchor: 'end' }),
      text(MARGIN, 88, 14, 'To', { fill: '#555555' }),
      text(MARGIN, 122, 21, fitted(recipient, 21, inner)),
      text(MARGIN, 148, 14, fitted(email, 14, inner)),
      rectangle(MARGIN, 168, inner, 2, BLACK),
      ...bars(number, (WIDTH - width) / 2, 184, MODULE, 84),
      text(WIDTH / 2, 294, 14, number, { anchor: 'middle' }),
      text(MARGIN, 312, 7, `${parcels} ${parcels === 1 ? 'piece' : 'pieces'}`),
    ],
  }
}
