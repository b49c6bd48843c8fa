import { type Rectangle, rectangle } from './drawing.ts'

// Code 128 (ISO/IEC 15417): widths of bars and gaps by symbol; 104 starts set B, 106 stops.
const WIDTHS = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ')
const START_B = 104
const STOP = 106
const FIRST = 0x20
const LAST = 0x7e

/** The symbols of a text in Code 128, with start, check digit and stop. Throws for what is not printable ASCII. */
export function symbolsOf(text: string): readonly string[] {
  const values = [...text].map((letter) => {
    const code = letter.charCodeAt(0)
    if (letter.length !== 1 || code < FIRST || code > LAST)
      throw new RangeError(`a barcode holds printable ASCII, got ${JSON.stringify(letter)}`)
    return code - FIRST
  })
  const check = values.reduce((sum, value, at) => sum + value * (at + 1), START_B) % 103
  return [START_B, ...values, check, STOP].map((value) => WIDTHS[value] ?? '')
}

/** The bars of a text, each module so many units wide. Around them must stay ten modules of nothing. */
export function bars(text: string, x: number, y: number, module: number, height: number): Rectangle[] {
  const drawn: Rectangle[] = []
  let left = x
  for (const symbol of symbolsOf(text))
    for (const [at, digit] of [...symbol].entries()) {
      const width = Number(digit) * module
      if (at % 2 === 0) drawn.push(rectangle(left, y, width, height, '#000000'))
      left += width
    }
  return drawn
}
