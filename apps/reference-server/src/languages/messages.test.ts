import { expect, test } from 'vitest'
import { languages } from '../pages/locale.ts'
import { de } from './de.ts'
import { detailIn } from './details.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { messageIn } from './messages.ts'

test('every language has every text', () => {
  const names = Object.keys(de).sort()
  expect(names.length).toBeGreaterThan(50)
  expect(Object.keys(fr).sort()).toEqual(names)
  expect(Object.keys(es).sort()).toEqual(names)
  expect(languages).toEqual(['en', 'de', 'fr', 'es'])
})

test.each([
  ['must have at least 3 characters', 'muss mindestens 3 Zeichen haben', 'debe tener al menos 3 caracteres'],
  ['must have at most 100 entries', 'muss höchstens 100 Einträge haben', 'debe tener como máximo 100 elementos'],
  ['must be at least -0.50', 'muss mindestens -0.50 sein', 'debe ser al menos -0.50'],
  ['must be one of PLANNED, ACTIVE', 'muss eines von PLANNED, ACTIVE sein', 'debe ser uno de PLANNED, ACTIVE'],
  ['must be one of least', 'muss eines von least sein', 'debe ser uno de least'],
  ['must be an integer', 'muss eine ganze Zahl sein', 'debe ser un número entero'],
  ['must be a string', 'muss ein Text sein', 'debe ser un texto'],
])('%s', (english, german, spanish) => {
  expect(detailIn(english, 'de')).toBe(german)
  expect(detailIn(english, 'es')).toBe(spanish)
  expect(detailIn(english, 'fr')).toMatch(/^doit /)
  expect(detailIn(english, 'en')).toBeUndefined()
})

test.each(['', 'must be a unicorn', 'must be at least', '__proto__', 'x'.repeat(100_000)])(
  '%o stays as it is',
  (text) => {
    for (const language of [...languages, '__proto__']) expect(detailIn(text, language)).toBeUndefined()
  },
)

test('what has no text of its own is told by its code, and a code that is unknown by nothing', () => {
  expect(messageIn('REQUIRED', 'de', { detail: 'is required' })).toBe('ist erforderlich')
  expect(messageIn('LENGTH', 'de', { detail: 'must have at most 5 characters' })).toBe('muss höchstens 5 Zeichen haben')
  expect(messageIn('NOT_FOUND', 'fr')).toBe(fr['NOT_FOUND'])
  for (const [code, language] of [
    ['NOPE', 'de'],
    ['__proto__', 'de'],
    ['NOT_FOUND', 'en'],
    ['NOT_FOUND', 'constructor'],
  ] as const)
    expect(messageIn(code, language)).toBeUndefined()
})
