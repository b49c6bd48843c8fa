import type { Content } from '../resource/result.ts'
import type { Drawing } from './drawing/drawing.ts'
import { drawLabel, type OrderLabel } from './drawing/order-label.ts'
import { pngOf } from './drawing/png.ts'
import { drawProduct, type ProductImage } from './drawing/product-image.ts'
import { drawSalaries, type Salaries } from './drawing/salary-chart.ts'
import { svgOf } from './drawing/svg.ts'
import type { Format } from './format.ts'

/** Pictures of records, by the name of the record. */
const drawings: Readonly<Record<string, (value: unknown) => Drawing>> = {
  image: (value) => drawProduct(value as ProductImage),
  label: (value) => drawLabel(value as OrderLabel),
  salaries: (value) => drawSalaries(value as Salaries),
}

const records = Object.keys(drawings)

/** Pictures that are sharp at every size. */
export const svg: Format = {
  ...{ type: 'image/svg+xml', parameters: '', kinds: ['record'], records },
  encode: (content) => svgOf(drawingOf(content)),
}

/** The same pictures in dots. */
export const png: Format = {
  ...{ type: 'image/png', parameters: '', kinds: ['record'], records },
  encode: (content) => pngOf(drawingOf(content)),
}

function drawingOf(content: Content): Drawing {
  const draw = content.kind === 'record' ? drawings[content.name] : undefined
  if (content.kind !== 'record' || !draw) throw new TypeError(`there is no picture of this ${content.kind}`)
  return draw(content.value)
}
