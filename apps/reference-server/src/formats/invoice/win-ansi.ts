// What WinAnsi has beside Latin-1 (PDF 32000-1, annex D.2).
const BEYOND_LATIN_1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')

// Letters that decompose into nothing, and signs that have a usual spelling.
const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ı: 'i', ŧ: 't', Ŧ: 'T', ŋ: 'ng', Ŋ: 'NG', ĸ: 'k', ẞ: 'SS' },
  ...{ '−': '-', '‐': '-', '‑': '-', '\u2028': ' ', '\u2029': ' ', '\t': ' ', '\n': ' ', '\r': ' ' },
}

/**
 * A text in the letters that the standard fonts of PDF have: `ő` is o, `Ł` is L. What has no spelling in them is a
 * question mark, so that nobody takes a gap for the name.
 */
export function winAnsi(text: string): string {
  let spelled = ''
  for (const letter of text.normalize('NFC')) spelled += spell(letter)
  return spelled
}

function spell(letter: string): string {
  if (isKnown(letter)) return letter
  const own = SPELLINGS[letter]
  if (own !== undefined) return own
  const bases = [...letter.normalize('NFKD').replace(/\p{M}/gu, '')]
  return bases.length > 0 && bases.every((base) => isKnown(base) || SPELLINGS[base] !== undefined)
    ? bases.map((base) => SPELLINGS[base] ?? base).join('')
    : '?'
}

function isKnown(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || BEYOND_LATIN_1.has(letter)
}
