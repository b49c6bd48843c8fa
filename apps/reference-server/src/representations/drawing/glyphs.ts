/** Dots of a letter from side to side, and from top to bottom. */
export const GLYPH_WIDTH = 5
export const GLYPH_HEIGHT = 7

// Seven rows each, top first; a row is one digit of base 32, whose five bits are the dots from left to right.
const GLYPHS: Readonly<Record<string, string>> = {
  ...{ A: 'ehhvhhh', B: 'uhhuhhu', C: 'ehggghe', D: 'uhhhhhu', E: 'vgguggv', F: 'vgguggg', G: 'ehgnhhf', H: 'hhhvhhh' },
  ...{ I: 'e44444e', J: '72222ic', K: 'hikokih', L: 'ggggggv', M: 'hrllhhh', N: 'hhpljhh', O: 'ehhhhhe', P: 'uhhuggg' },
  ...{ Q: 'ehhhlid', R: 'uhhukih', S: 'fgge11u', T: 'v444444', U: 'hhhhhhe', V: 'hhhhha4', W: 'hhhllrh', X: 'hha4ahh' },
  ...{ Y: 'hha4444', Z: 'v1248gv', 0: 'ehjlphe', 1: '4c4444e', 2: 'eh168gv', 3: 'eh161he', 4: '26aiv22', 5: 'vgu11he' },
  ...{ 6: '68guhhe', 7: 'v124888', 8: 'ehhehhe', 9: 'ehhf12c', ' ': '0000000', '.': '00000cc', ',': '0000c48' },
  ...{ ':': '0cc0cc0', ';': '0cc0c48', '-': '000v000', _: '000000v', '+': '044v440', '/': '01248g0', '(': '2488842' },
  ...{ ')': '8422248', '&': 'cik8lid', "'": '4480000', '"': 'aa00000', '!': '4444404', '?': 'eh12404', '#': 'aavavaa' },
  ...{ '%': 'op248j3', '=': '00v0v00', '*': '04lel40', '@': 'eh1dlle', '€': '69s8s96' },
}

const known = new Map(Object.entries(GLYPHS).map(([letter, rows]) => [letter, [...rows].map(rowOf)]))
const MISSING = known.get('?') ?? []

function rowOf(digit: string): number {
  return Number.parseInt(digit, 32)
}

/**
 * The dots of a text: for every letter its rows, a row as five bits. Letters are capital and without marks (`é` is E,
 * `ß` is SS); what there is no picture of is a question mark.
 */
export function glyphsOf(text: string): readonly (readonly number[])[] {
  const plain = text.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '')
  return [...plain].map((letter) => known.get(letter) ?? MISSING)
}
