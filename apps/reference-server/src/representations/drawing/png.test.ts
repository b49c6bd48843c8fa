import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { symbolsOf } from './barcode.ts'
import { type Drawing, fitted, rectangle, text } from './drawing.ts'
import { glyphsOf } from './glyphs.ts'
import { drawLabel } from './order-label.ts'
import { pngOf } from './png.ts'
import { drawProduct } from './product-image.ts'
import { drawSalaries } from './salary-chart.ts'
import { svgOf } from './svg.ts'

/** Reads a PNG of our kind back into colours: a reader that knows nothing of the writer. */
function readPng(bytes: Buffer): { width: number; height: number; at(x: number, y: number): string; names: string[] } {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const named = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(named))
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4))
    at += 12 + length
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  expect([...header.subarray(8)]).toEqual([8, 3, 0, 0, 0])
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0)
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  expect(lines).toHaveLength((width + 1) * height)
  const at = (x: number, y: number): string => {
    const colour = (lines[y * (width + 1) + 1 + x] ?? 0) * 3
    return `#${palette.subarray(colour, colour + 3).toString('hex')}`
  }
  return { width, height, at, names: [...chunks.keys()] }
}

const drawing = (...shapes: Drawing['shapes']): Drawing => ({ title: 'Täst <&>', width: 40, height: 20, shapes })

describe('PNG', () => {
  test('has its chunks in their order, and the title as UTF-8', () => {
    const bytes = pngOf(drawing())
    expect(readPng(bytes).names).toEqual(['IHDR', 'iTXt', 'PLTE', 'IDAT', 'IEND'])
    expect(bytes.includes(Buffer.from('Täst <&>'))).toBe(true)
  })

  test('later shapes are over earlier ones, and nothing is drawn outside', () => {
    const png = readPng(pngOf(drawing(rectangle(-5, -5, 15, 15, '#ff0000'), rectangle(5, 5, 99, 2, '#0000ff'))))
    expect([png.width, png.height]).toEqual([40, 20])
    expect([png.at(0, 0), png.at(9, 9), png.at(10, 10), png.at(5, 5), png.at(39, 6)]).toEqual([
      ...['#ff0000', '#ff0000', '#ffffff', '#0000ff', '#0000ff'],
    ])
  })

  test.each([
    ['start', 2],
    ['middle', -0.5],
    ['end', -3],
  ] as const)('a letter stands where its anchor says: %s', (anchor, shift) => {
    const png = readPng(pngOf(drawing(text(10, 15, 7, 'L', { anchor, fill: '#000000' }))))
    // The foot of the L is five dots wide, on the line above y.
    const foot = Array.from({ length: 40 }, (_, x) => png.at(x, 14)).flatMap((colour, x) =>
      colour === '#000000' ? [x] : [],
    )
    expect(foot).toHaveLength(5)
    expect(Math.abs((foot[2] ?? 0) - 10 - shift)).toBeLessThanOrEqual(1)
  })

  test('a palette has 256 colours at most', () => {
    const colours = Array.from({ length: 256 }, (_, at) => `#0000${at.toString(16).padStart(2, '0')}`)
    expect(() => pngOf(drawing(...colours.map((colour) => rectangle(0, 0, 1, 1, colour))))).toThrow(RangeError)
  })
})

describe('letters', () => {
  test('lower case and marks are drawn as capitals; what has no picture is a question mark', () => {
    expect(glyphsOf('é')).toEqual(glyphsOf('E'))
    expect(glyphsOf('ß')).toEqual(glyphsOf('SS'))
    expect(glyphsOf('日')).toEqual(glyphsOf('?'))
    expect(glyphsOf('😀')).toHaveLength(1)
    expect(glyphsOf('')).toEqual([])
  })

  test('no two are the same, each has seven rows of five dots', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;-_+/()&\'"!?#%=*@€'
    const pictures = glyphsOf(letters)
    expect(new Set(pictures.map(String)).size).toBe(letters.length)
    for (const rows of pictures) {
      expect(rows).toHaveLength(7)
      expect(rows.every((row) => row >= 0 && row < 32)).toBe(true)
    }
  })

  test('a text is cut where it does not fit', () => {
    expect(fitted('short', 7, 300)).toBe('short')
    expect(fitted('A'.repeat(100), 7, 60)).toBe('AAAAAAA...')
    expect(fitted('😀'.repeat(100), 7, 60)).toBe(`${'😀'.repeat(7)}...`)
  })
})

describe('barcode (Code 128)', () => {
  test('every symbol is 11 modules wide with even bars, and unlike the others', () => {
    const all = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 0x20 + at))
    const symbols = symbolsOf(all).slice(1, -2)
    expect(new Set(symbols).size).toBe(95)
    for (const symbol of symbols) {
      const widths = [...symbol].map(Number)
      expect(widths.reduce((sum, width) => sum + width)).toBe(11)
      expect(widths.filter((_, at) => at % 2 === 0).reduce((sum, width) => sum + width) % 2).toBe(0)
    }
  })

  test('begins with start B, ends with the check digit and stop', () => {
    // PJJ123C is the usual example: (104 + 48 + 84 + 126 + 68 + 90 + 114 + 245) modulo 103 is 55.
    expect(symbolsOf('PJJ123C')).toEqual([
      ...['211214', '313121', '112133', '112133', '123221', '223211', '221132', '131321', '311321', '2331112'],
    ])
  })

  test('refuses what it cannot hold', () => {
    for (const letter of ['é', '\n', '\x7f', '😀']) expect(() => symbolsOf(letter)).toThrow(RangeError)
  })
})

describe('SVG', () => {
  const pictures: [string, Drawing][] = [
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

  test.each(pictures)('%s is well-formed, has a title and nothing that runs', (_title, picture) => {
    const svg = svgOf(picture)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .* role="img" aria-labelledby="title"><title /)
    expect(svg).not.toMatch(/<script|style=|on\w+=|NaN|undefined|Infinity/)
    expect([...svg].every((letter) => letter >= ' ' || letter === '\n')).toBe(true)
    expect(readPng(pngOf(picture))).toMatchObject({ width: picture.width, height: picture.height })
  })
})
