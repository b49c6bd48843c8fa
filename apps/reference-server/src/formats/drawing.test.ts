import { PNG } from 'pngjs'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { type Drawing, formatPng, formatSvg, rectangle, text, toGlyphs, truncateText } from './drawing.ts'
import { drawLabel, drawProduct, drawSalaries } from './image.ts'

/** Reads the colors of a PNG. */
function readPng(bytes: Buffer): { width: number; height: number; at(x: number, y: number): string } {
  const { width, height, data } = PNG.sync.read(bytes)
  const at = (x: number, y: number): string => `#${data.toString('hex', (y * width + x) * 4, (y * width + x) * 4 + 3)}`
  return { width, height, at }
}

const drawing = (...shapes: Drawing['shapes']): Drawing => ({ title: 'Täst <&>', width: 40, height: 20, shapes })

describe('PNG', () => {
  test('draws later shapes over earlier ones, and nothing outside', async () => {
    const png = readPng(
      await formatPng(drawing(rectangle(-5, -5, 15, 15, '#ff0000'), rectangle(5, 5, 99, 2, '#0000ff'))),
    )
    expect([png.width, png.height]).toEqual([40, 20])
    expect([png.at(0, 0), png.at(9, 9), png.at(10, 10), png.at(5, 5), png.at(39, 6)]).toEqual([
      '#ff0000',
      '#ff0000',
      '#ffffff',
      '#0000ff',
      '#0000ff',
    ])
  })

  test.each([
    ['start', 2],
    ['middle', -0.5],
    ['end', -3],
  ] as const)('places a letter at its anchor: %s', async (anchor, shift) => {
    const png = readPng(await formatPng(drawing(text(10, 15, 7, 'L', { anchor, fill: '#000000' }))))
    // The foot of the L is five dots wide, on the line above y.
    const foot = Array.from({ length: 40 }, (_, x) => png.at(x, 14)).flatMap((colour, x) =>
      colour === '#000000' ? [x] : [],
    )
    expect(foot).toHaveLength(5)
    expect(Math.abs((foot[2] ?? 0) - 10 - shift)).toBeLessThanOrEqual(1)
  })
})

describe('letters', () => {
  test('draws lower case and diacritics as capitals, and a question mark without a glyph', () => {
    expect(toGlyphs('é')).toEqual(toGlyphs('E'))
    expect(toGlyphs('ß')).toEqual(toGlyphs('SS'))
    expect(toGlyphs('日')).toEqual(toGlyphs('?'))
    expect(toGlyphs('😀')).toHaveLength(1)
    expect(toGlyphs('')).toEqual([])
  })

  test('are distinct, with seven rows of five dots', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;-_+/()&\'"!?#%=*@€'
    const pictures = toGlyphs(letters)
    expect(new Set(pictures.map(String)).size).toBe(letters.length)
    for (const rows of pictures) {
      expect(rows).toHaveLength(7)
      expect(rows.every((row) => row >= 0 && row < 32)).toBe(true)
    }
  })

  test('are truncated to the width', () => {
    expect(truncateText('short', 7, 300)).toBe('short')
    expect(truncateText('A'.repeat(100), 7, 60)).toBe('AAAAAAA...')
    expect(truncateText('😀'.repeat(100), 7, 60)).toBe(`${'😀'.repeat(7)}...`)
  })

  test('of a SKU that is wider than its tile end with dots', () => {
    const { shapes } = drawProduct({ productId: 1, sku: 'ABCDEFGHIJ-KLMNOPQRST-UVWXYZ-01', name: 'x' })
    expect(shapes.map((shape) => 'text' in shape && shape.text)).toContain('ABCDEFGHIJ-KLMNOPQRST...')
  })
})

describe('the barcode of a label (Code 128)', () => {
  test('encodes the number between start B, check digit and stop', async () => {
    const label = await drawLabel({ orderId: 1, number: 'PJJ123C', recipient: '', email: '', carrier: '', parcels: 1 })
    const bars = label.shapes.filter((shape) => shape.kind === 'rectangle' && shape.height === 84)
    // PJJ123C is the usual example: (104 + 48 + 84 + 126 + 68 + 90 + 114 + 245) modulo 103 is 55.
    const symbols = '211214 313121 112133 112133 123221 223211 221132 131321 311321 2331112'.replaceAll(' ', '')
    const widths = [...symbols].filter((_, index) => index % 2 === 0).map((digit) => Number(digit) * 2)
    expect(bars.map((bar) => 'width' in bar && bar.width)).toEqual(widths)
  })
})

describe('SVG', () => {
  const pictures: [string, Drawing | Promise<Drawing>][] = [
    ['a product', drawProduct({ productId: 1, sku: 'A-1', name: '<script>alert("1")</script>' })],
    [
      'a label',
      drawLabel({ orderId: 1, number: 'SVC1', recipient: 'A & \u0007B', email: 'a@b', carrier: 'C', parcels: 1 }),
    ],
    ['no salaries', drawSalaries({ department: '', employees: 0, bands: [] })],
    [
      'salaries',
      drawSalaries({ department: 'x'.repeat(200), employees: 3, bands: [{ from: 0, to: 1, employees: 3 }] }),
    ],
  ]

  test.each(pictures)('of %s is well-formed, with a title and no script', async (_title, image) => {
    const picture = await image
    const svg = formatSvg(picture)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .* role="img" aria-labelledby="title"><title /)
    expect(svg).not.toMatch(/<script|style=|on\w+=|NaN|undefined|Infinity/)
    new SaxesParser().write(svg).close()
    expect([...svg].every((letter) => letter >= ' ' || letter === '\n')).toBe(true)
    expect(readPng(await formatPng(picture))).toMatchObject({ width: picture.width, height: picture.height })
  })
})
