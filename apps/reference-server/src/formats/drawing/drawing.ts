import { escapeText } from '@svc/soap-envelope'

/** An image as data: its shapes, back to front. SVG and PNG are written from the same one. */
export interface Drawing {
  /** The text alternative. */
  title: string
  width: number
  height: number
  shapes: readonly Shape[]
}

export type Shape = Rectangle | Text

export interface Rectangle {
  kind: 'rectangle'
  x: number
  y: number
  width: number
  height: number
  /** `#rrggbb` */
  fill: string
}

/** A line of monospaced text. */
export interface Text {
  kind: 'text'
  text: string
  /** Position of `anchor`. */
  x: number
  /** Position of the baseline. */
  y: number
  /** Height of a capital letter. Multiples of 7 are sharp in a PNG: its letters are 7 dots high. */
  size: number
  anchor: 'start' | 'middle' | 'end'
  fill: string
}

export function rectangle(x: number, y: number, width: number, height: number, fill: string): Rectangle {
  return { kind: 'rectangle', x, y, width, height, fill }
}

export function text(
  x: number,
  y: number,
  size: number,
  content: string,
  { fill = '#1a1a1a', anchor = 'start' }: { fill?: string; anchor?: Text['anchor'] } = {},
): Text {
  return { kind: 'text', text: content, x, y, size, anchor, fill }
}

/** Width of a letter with the gap after it, relative to the height of a capital letter. */
const ADVANCE = 6 / 7

export function truncateText(content: string, size: number, width: number): string {
  const letters = [...content]
  const max = Math.floor(width / (size * ADVANCE))
  return letters.length <= max ? content : `${letters.slice(0, Math.max(0, max - 3)).join('')}...`
}

/** Formats a drawing as SVG 1.1 without styles and scripts, for any Content-Security-Policy. */
export function formatSvg({ title, width, height, shapes }: Drawing): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const name = escapeText(title)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title">` +
    `<title id="title">${name}</title>${shapes.map(formatShape).join('')}</svg>\n`
  )
}

// In a monospaced font a capital letter is 0.7 em high and a letter 0.6 em wide: the proportions of
// the dots in a PNG.
const CAPITAL_EM = 0.7

function formatShape(shape: Shape): string {
  if (shape.kind === 'rectangle') {
    const { x, y, width, height, fill } = shape
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
  }
  const { x, y, size, anchor, fill, text: content } = shape
  const font = `font-family="monospace" font-size="${size / CAPITAL_EM}" text-anchor="${anchor}"`
  return `<text x="${x}" y="${y}" ${font} fill="${fill}">${escapeText(content)}</text>`
}
