import { PNG } from 'pngjs'
import type { Drawing, Rectangle, Text } from './drawing.ts'
import { GLYPH_HEIGHT, GLYPH_WIDTH, toGlyphs } from './glyphs.ts'

const RGB = 2
const NO_FILTER = 0

/** Formats a drawing as PNG. Letters are drawn from dots, since a server need not have fonts. */
export function formatPng({ width, height, shapes }: Drawing): Buffer {
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
