import { type Drawing, fitted, rectangle, text } from './drawing.ts'

/** What the picture of a product is made of. */
export interface ProductImage {
  productId: number
  sku: string
  name: string
}

const SIDE = 320
const COLOURS = ['#1f4e79', '#7a3e00', '#1e5f3b', '#5b2a6e', '#7b1e3a', '#0f5c63', '#5c5400', '#3c3c8c']

/** A tile in the colour of the product, with its initials, its name and its number. */
export function drawProduct({ productId, sku, name }: ProductImage): Drawing {
  const colour = COLOURS[productId % COLOURS.length] ?? '#1f4e79'
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
  const light = { fill: '#ffffff', anchor: 'middle' } as const
  return {
    title: name,
    width: SIDE,
    height: SIDE,
    shapes: [
      rectangle(0, 0, SIDE, SIDE, colour),
      rectangle(0, SIDE - 80, SIDE, 80, '#111111'),
      text(SIDE / 2, 162, 84, initials, light),
      text(SIDE / 2, SIDE - 44, 14, fitted(name, 14, SIDE - 32), light),
      text(SIDE / 2, SIDE - 18, 14, sku, { ...light, fill: '#cccccc' }),
    ],
  }
}
