import type { ResponseContent } from '../engine/action-result.ts'
import { type Drawing, formatSvg } from './drawing/drawing.ts'
import {
  drawLabel,
  drawProduct,
  drawSalaries,
  type OrderLabel,
  type ProductImage,
  type Salaries,
} from './drawing/pictures.ts'
import { formatPng } from './drawing/png.ts'
import type { Format } from './format.ts'

/** Images by the name of the record. */
const drawings: Readonly<Record<string, (value: unknown) => Drawing | Promise<Drawing>>> = {
  image: (value) => drawProduct(value as ProductImage),
  label: (value) => drawLabel(value as OrderLabel),
  salaries: (value) => drawSalaries(value as Salaries),
}

const records = Object.keys(drawings)

/** The images as vectors. */
export const svg: Format = {
  ...{ type: 'image/svg+xml', parameters: '', kinds: ['record'], records },
  encode: async (content) => formatSvg(await draw(content)),
}

/** The same images as pixels. */
export const png: Format = {
  ...{ type: 'image/png', parameters: '', kinds: ['record'], records },
  encode: async (content) => formatPng(await draw(content)),
}

function draw(content: ResponseContent): Drawing | Promise<Drawing> {
  const drawing = content.kind === 'record' ? drawings[content.name] : undefined
  if (content.kind !== 'record' || !drawing) throw new TypeError(`a ${content.kind} has no image`)
  return drawing(content.value)
}
