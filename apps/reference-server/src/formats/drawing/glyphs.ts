/** Size of a letter in dots. */
export const GLYPH_WIDTH = 5
export const GLYPH_HEIGHT = 7

// A character and its seven rows, top first. A row is one digit of base 32: five bits are its dots from left to right.
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
 * Returns the dots of a text: an array of rows per letter, five bits per row. Letters are capitals without diacritics
 * (`é` is E, `ß` is SS). A character without a glyph is a question mark.
 */
export function toGlyphs(text: string): readonly (readonly number[])[] {
  const plain = text.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '')
  return [...plain].map((letter) => glyphs.get(letter) ?? MISSING)
}
