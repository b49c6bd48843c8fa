import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languageFor } from './language.ts'

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
  ['__proto__', 'en'],
  ['-', 'en'],
])('answers Accept-Language %j in %s (RFC 4647 §3.4)', (accept, language) => {
  expect(languageFor(accept, ['en', 'de', 'pt-BR'])).toBe(language)
})

test('finds a language for whatever a client sends', () => {
  fc.assert(
    fc.property(fc.string(), (accept) => {
      expect(['en', 'de']).toContain(languageFor(accept, ['en', 'de']))
    }),
  )
})
