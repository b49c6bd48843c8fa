import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectLanguage } from './language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['fr, de;q=0.5', 'de'],
  ['de;q=0.1, pt-BR', 'pt-BR'],
  ['pt', 'en'],
  ['pt-BR-x-test', 'pt-BR'],
  ['fr, *;q=0.5, de;q=0.1', 'en'],
  ['de;q=0', 'en'],
  ['en;q=0, *', 'de'],
  ['EN;q=0, de;q=0, pt-br;q=0, *', 'en'],
  ['__proto__', 'en'],
  ['-', 'en'],
])('selects for Accept-Language %j the language %s (RFC 4647 §3.4)', (accept, language) => {
  expect(selectLanguage(accept, ['en', 'de', 'pt-BR'])).toBe(language)
})

test('selects a language for any input', () => {
  fc.assert(
    fc.property(fc.string(), (accept) => {
      expect(['en', 'de']).toContain(selectLanguage(accept, ['en', 'de']))
    }),
  )
})
