import { escapeText } from '@svc/soap-envelope'
import type { PNG } from 'pngjs'

/** An image as data: its shapes, back to front. SVG and PNG are written from the same one. */
export interface Drawing {
  /** The text alternative. */
  title: string
  width: number
  height: number
  shapes: readonly Shape[]
}

export type Shape = Rectangle | Text

export type Rectangle = ReturnType<typeof rectangle>

type Text = ReturnType<typeof text>

/** Creates a rectangle. `fill` is `#rrggbb`, as in a text. */
export function rectangle(x: number, y: number, width: number, height: number, fill: string) {
  return { kind: 'rectangle', x, y, width, height, fill } as const
}

/**
 * Creates a line of monospaced text. `x` is the position of its anchor, `y` that of its baseline,
 * `size` the height of a capital letter. Multiples of 7 are sharp in a PNG: its letters are 7 dots
 * high.
 */
export function text(
  x: number,
  y: number,
  size: number,
  content: string,
  { fill = '#1a1a1a', anchor = 'start' }: { fill?: string; anchor?: 'start' | 'middle' | 'end' } = {},
) {
  return { kind: 'text', text: content, x, y, size, anchor, fill } as const
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
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title">` +
    `<title id="title">${escapeText(title)}</title>${shapes.map(formatShape).join('')}</svg>\n`
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

const RGB = 2
const NO_FILTER = 0

/** Formats a drawing as PNG. Letters are drawn from dots, since a server need not have fonts. */
export async function formatPng({ width, height, shapes }: Drawing): Promise<Buffer> {
  // Loaded with the first image.
  const { PNG } = await import('pngjs')
  // No filter: large areas of one color need none, and trying all five takes ten times as long.
  const png = new PNG({ width, height, colorType: RGB, inputHasAlpha: true, filterType: NO_FILTER })
  png.data.fill(0xff)
  for (const shape of shapes) {
    if (shape.kind === 'rectangle') paint(png, shape)
    else write(png, shape)
  }
  return PNG.sync.write(png, { colorType: RGB, filterType: NO_FILTER })
}

function paint(png: PNG, { x, y, width, height, fill }: Omit<Rectangle, 'kind'>): void {
  const color = Buffer.from(`${fill.slice(1)}ff`, 'hex')
  const left = clamp(x, png.width)
  const right = clamp(x + width, png.width)
  const bottom = clamp(y + height, png.height)
  for (let row = clamp(y, png.height); row < bottom; row++)
    png.data.fill(color, (row * png.width + left) * 4, (row * png.width + right) * 4)
}

function clamp(value: number, limit: number): number {
  return Math.max(0, Math.min(limit, Math.round(value)))
}

function write(png: PNG, { text, x, y, size, anchor, fill }: Text): void {
  const glyphs = toGlyphs(text)
  const dot = size / GLYPH_HEIGHT
  const width = (glyphs.length * (GLYPH_WIDTH + 1) - 1) * dot
  const left = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width
  for (const [index, rows] of glyphs.entries())
    for (const [row, bits] of rows.entries())
      for (let column = 0; column < GLYPH_WIDTH; column++) {
        if (((bits >> (GLYPH_WIDTH - 1 - column)) & 1) === 0) continue
        const dotX = left + (index * (GLYPH_WIDTH + 1) + column) * dot
        paint(png, { x: dotX, y: y - size + row * dot, width: dot, height: dot, fill })
      }
}

/** Size of a letter in dots. */
const GLYPH_WIDTH = 5
const GLYPH_HEIGHT = 7

// A character and its seven rows, top first. A row is one digit of base 32: five bits are its dots
// from left to right.
const GLYPHS = [
  `Aehhvhhh|Buhhuhhu|Cehggghe|Duhhhhhu|Evgguggv|Fvgguggg|Gehgnhhf|Hhhhvhhh|Ie44444e|J72222ic|Khikokih|Lggggggv`,
  `Mhrllhhh|Nhhpljhh|Oehhhhhe|Puhhuggg|Qehhhlid|Ruhhukih|Sfgge11u|Tv444444|Uhhhhhhe|Vhhhhha4|Whhhllrh|Xhha4ahh`,
  `Yhha4444|Zv1248gv|0ehjlphe|14c4444e|2eh168gv|3eh161he|426aiv22|5vgu11he|668guhhe|7v124888|8ehhehhe|9ehhf12c`,
  ` 0000000|.00000cc|,0000c48|:0cc0cc0|;0cc0c48|-000v000|_000000v|+044v440|/01248g0|(2488842|)8422248|&cik8lid`,
  `'4480000|"aa00000|!4444404|?eh12404|#aavavaa|%op248j3|=00v0v00|*04lel40|@eh1dlle|€69s8s96`,
]

const glyphs = new Map(
  GLYPHS.flatMap((line) => line.split('|')).map(([character = '', ...rows]) => [
    character,
    rows.map((row) => Number.parseInt(row, 32)),
  ]),
)
const MISSING = glyphs.get('?') ?? []

/**
 * Returns the dots of a text: an array of rows per letter, five bits per row. Letters are capitals
 * without diacritics (`é` is E, `ß` is SS). A character without a glyph is a question mark.
 */
export function toGlyphs(text: string): readonly (readonly number[])[] {
  const plain = text.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '')
  return [...plain].map((letter) => glyphs.get(letter) ?? MISSING)
}
