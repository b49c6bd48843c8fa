import { describe, expect, test } from 'vitest'
import type { TextCatalog } from '../src/formats/pages/texts.ts'
import { languages } from '../src/messages/locale.ts'

/** Tests for every set of texts. `same`: words that other languages share with English. */
export function catalogCases(name: string, texts: TextCatalog<string>, same: ReadonlySet<string>): void {
  describe(`the texts of the ${name}`, () => {
    const entries = Object.entries(texts.en)

    test.each(languages)('are all there in %s, with the same names to be filled in', (language) => {
      const translated = texts[language]
      expect(Object.keys(translated).sort()).toEqual(Object.keys(texts.en).sort())
      for (const [key, english] of entries) {
        const sentence = translated[key] ?? ''
        expect(sentence.trim(), key).not.toBe('')
        expect(namesIn(sentence), key).toEqual(namesIn(english))
      }
    })

    test.each(languages.filter((language) => language !== 'en'))('are translated into %s', (language) => {
      const translated = texts[language]
      expect(entries.filter(([key, english]) => translated[key] === english && !same.has(english))).toEqual([])
    })
  })
}

function namesIn(sentence: string): string[] {
  return [...sentence.matchAll(/\{(\w+)\}/g)].map(([name]) => name).sort()
}
