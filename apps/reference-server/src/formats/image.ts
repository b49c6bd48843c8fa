import { PNG } from 'pngjs'
import type { ResponseContent } from '../engine/action.ts'
import { type Drawing, formatSvg, type Rectangle, type Text } from './drawing/drawing.ts'
import {
  drawLabel,
  drawProduct,
  drawSalaries,
  type OrderLabel,
  type ProductImage,
  type Salaries,
} from './drawing/pictures.ts'
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
  type: 'image/svg+xml',
  parameters: '',
  kinds: ['record'],
  records,
  encode: async (content) => formatSvg(await draw(content)),
}

/** The same images as pixels. */
export const png: Format = {
  type: 'image/png',
  parameters: '',
  kinds: ['record'],
  records,
  encode: async (content) => formatPng(await draw(content)),
}

function draw(content: ResponseContent): Drawing | Promise<Drawing> {
  const drawing = content.kind === 'record' ? drawings[content.name] : undefined
  if (content.kind !== 'record' || !drawing) throw new TypeError(`a ${content.kind} has no image`)
  return drawing(content.value)
}

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
  GLYPHS.flatMap((line) => line.split('|')).map(([character = '', ...rows]) => [character, rows.map(parseRow)]),
)
const MISSING = glyphs.get('?') ?? []

function parseRow(digit: string): number {
  return Number.parseInt(digit, 32)
}

/**
 * Returns the dots of a text: an array of rows per letter, five bits per row. Letters are capitals
 * without diacritics (`é` is E, `ß` is SS). A character without a glyph is a question mark.
 */
export function toGlyphs(text: string): readonly (readonly number[])[] {
  const plain = text.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '')
  return [...plain].map((letter) => glyphs.get(letter) ?? MISSING)
}
