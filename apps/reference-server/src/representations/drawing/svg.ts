import { escapeText } from '@svc/soap-envelope'
import type { Drawing, Shape } from './drawing.ts'

/** A drawing as a document of SVG 1.1, without styles and scripts: any policy lets it be shown. */
export function svgOf({ title, width, height, shapes }: Drawing): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const name = escapeText(title)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title">` +
    `<title id="title">${name}</title>${shapes.map(elementOf).join('')}</svg>\n`
  )
}

// Of a monospaced font a capital letter is 0.7 em high and a letter 0.6 em wide: the size of the dots in a PNG.
const CAPITAL = 0.7

function elementOf(shape: Shape): string {
  if (shape.kind === 'rectangle') {
    const { x, y, width, height, fill } = shape
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
  }
  const { x, y, size, anchor, fill, text } = shape
  const font = `font-family="monospace" font-size="${size / CAPITAL}" text-anchor="${anchor}"`
  return `<text x="${x}" y="${y}" ${font} fill="${fill}">${escapeText(text)}</text>`
}
