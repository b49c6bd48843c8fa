import { crc32, deflateSync } from 'node:zlib'
import type { Drawing, Rectangle, Text } from './drawing.ts'
import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphsOf } from './glyphs.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MAX_COLOURS = 256

interface Canvas {
  width: number
  height: number
  /** One byte a pixel: which colour it has. */
  pixels: Uint8Array
  /** Colours in the order of their numbers. */
  palette: string[]
}

/** A drawing as a PNG with a palette (ISO/IEC 15948). */
export function pngOf({ title, width, height, shapes }: Drawing): Buffer {
  const canvas: Canvas = { width, height, pixels: new Uint8Array(width * height), palette: ['#ffffff'] }
  for (const shape of shapes) {
    if (shape.kind === 'rectangle') paint(canvas, shape)
    else write(canvas, shape)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a pixel, a palette, and the one method that there is for each of compression, filter and interlace.
  header.set([8, 3, 0, 0, 0], 8)
  const text = Buffer.concat([Buffer.from('Title\0\0\0\0\0'), Buffer.from(title)])
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('iTXt', text),
    chunk('PLTE', Buffer.from(canvas.palette.map((colour) => colour.slice(1)).join(''), 'hex')),
    chunk('IDAT', deflateSync(scanLines(canvas))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function paint(canvas: Canvas, { x, y, width, height, fill }: Omit<Rectangle, 'kind'>): void {
  const colour = colourIn(canvas, fill)
  const left = clamp(x, canvas.width)
  const right = clamp(x + width, canvas.width)
  const bottom = clamp(y + height, canvas.height)
  for (let row = clamp(y, canvas.height); row < bottom; row++)
    canvas.pixels.fill(colour, row * canvas.width + left, row * canvas.width + right)
}

function clamp(value: number, limit: number): number {
  return Math.max(0, Math.min(limit, Math.round(value)))
}

function colourIn({ palette }: Canvas, fill: string): number {
  const at = palette.indexOf(fill)
  if (at !== -1) return at
  if (palette.length === MAX_COLOURS) throw new RangeError(`a drawing has at most ${MAX_COLOURS} colours`)
  return palette.push(fill) - 1
}

function write(canvas: Canvas, { text, x, y, size, anchor, fill }: Text): void {
  const glyphs = glyphsOf(text)
  const dot = size / GLYPH_HEIGHT
  const width = (glyphs.length * (GLYPH_WIDTH + 1) - 1) * dot
  const left = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width
  for (const [at, rows] of glyphs.entries())
    for (const [row, bits] of rows.entries())
      for (let column = 0; column < GLYPH_WIDTH; column++) {
        if (((bits >> (GLYPH_WIDTH - 1 - column)) & 1) === 0) continue
        const dotX = left + (at * (GLYPH_WIDTH + 1) + column) * dot
        paint(canvas, { x: dotX, y: y - size + row * dot, width: dot, height: dot, fill })
      }
}

// Every line begins with the number of its filter: 0, none.
function scanLines({ width, height, pixels }: Canvas): Buffer {
  const lines = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row++)
    lines.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  return lines
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([frame, named, checksum])
}
