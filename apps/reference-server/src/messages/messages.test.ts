import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collections, documents } from '../domain/collections.ts'
import { CODES, VALUE_CODES } from './errors.ts'
import { languages } from './locale.ts'
import {
  codeOfKey,
  formatMessage,
  isMessageKey,
  localize,
  type Message,
  type MessageKey,
  message,
  quoteInput,
} from './messages.ts'

type Catalog = Readonly<Record<string, string | Readonly<Record<string, string>>>>

const catalogs = Object.fromEntries(
  languages.map((language): [string, Catalog] => {
    const file = new URL(`catalogs/${language}.json`, import.meta.url)
    return [language, JSON.parse(readFileSync(file, 'utf8'))]
  }),
)
const english = catalogs['en'] as Catalog
const keys = Object.keys(english) as MessageKey[]

const placeholdersIn = (template: string): string[] =>
  [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort()

/** What a catalog lacks: keys, plural forms and placeholders of the English one. */
function findGaps(catalog: Catalog, language: string): string[] {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const others = Object.keys(catalog).filter((key) => !Object.hasOwn(english, key))
  return others.concat(
    Object.entries(english).flatMap(([key, template]) => {
      const own = catalog[key]
      if (own === undefined || typeof own !== typeof template) return [key]
      const facts = placeholdersIn(Object.values(typeof template === 'string' ? [template] : template).join())
      const texts = typeof own === 'string' ? [own] : Object.values(own)
      const missing = texts.flatMap((text) => {
        const names = placeholdersIn(text)
        return facts.filter((name) => !names.includes(name)).concat(names.filter((name) => !facts.includes(name)))
      })
      // Millions, which French and Spanish count in their own way, are as any other number here.
      const forms = typeof own === 'string' ? [] : categories.filter((form) => form !== 'many' && !own[form])
      return [...missing, ...forms].map((gap) => `${key}: ${gap}`)
    }),
  )
}

describe('the catalogs', () => {
  test.each(languages)('state in %s every fact of the English one', (language) => {
    expect(keys.length).toBeGreaterThan(250)
    expect(findGaps(catalogs[language] as Catalog, language)).toEqual([])
  })

  test('are compared: a key, a placeholder and a plural form that are missing are found', () => {
    const { REQUIRED: _, ...rest } = catalogs['de'] as Catalog
    const broken = { ...rest, 'RANGE.min': 'zu klein', 'headline.more': { other: 'noch {count}' } }
    expect(findGaps(broken, 'de')).toEqual(['headline.more: one', 'RANGE.min: min', 'REQUIRED'].sort(byEnglish))
  })

  test.each(['de', 'fr', 'es'])('say nothing in %s as English does, but for what is the same word', (language) => {
    const same = keys.filter((key) => JSON.stringify(catalogs[language]?.[key]) === JSON.stringify(english[key]))
    expect(same.filter((key) => !/^(?:noun|duration|headline)\.|\.(?:value|character)$/.test(key))).toEqual([])
  })

  test('have what every code means, and begin with a code or a kind of word', () => {
    for (const code of [...Object.keys(CODES), ...VALUE_CODES]) expect(english[code]).toMatch(/^[A-Z][^{}]*\.$/)
    const kinds = new Set(keys.map(codeOfKey))
    for (const kind of kinds)
      expect([
        ...Object.keys(CODES),
        ...VALUE_CODES,
        'duration',
        'headline',
        'json',
        'noun',
        'relation',
        'remedy',
        'source',
        'word',
      ]).toContain(kind)
  })

  test('have a noun for each item and each document', () => {
    const names = [...collections.map(({ item }) => item), ...documents.map(({ name }) => name), 'operation']
    expect(names.filter((name) => !isMessageKey(`noun.${name}`))).toEqual([])
  })

  test('have no message that nothing says', () => {
    const folder = new URL('..', import.meta.url)
    const files = globSync('**/*.ts', { cwd: folder, exclude: (name) => name.endsWith('.test.ts') })
    const source = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
    // By its key, or by the end of the key where a template has the beginning.
    const isSaid = (key: string): boolean =>
      source.includes(`'${key}'`) ||
      (source.includes(`\`${key.split('.', 1)}.\${`) && source.includes(`'${key.slice(key.indexOf('.') + 1)}'`))
    const unused = keys.filter(
      (key) => key.includes('.') && !/^(?:noun|word|relation|remedy)\./.test(key) && !isSaid(key),
    )
    expect(unused).toEqual([])
  })
})

const byEnglish = (a: string, b: string): number =>
  keys.indexOf(a.replace(/:.*/, '') as MessageKey) - keys.indexOf(b.replace(/:.*/, '') as MessageKey)

describe('a message', () => {
  test.each<[Message, string, string, string]>([
    [
      message('LENGTH.minCharacters', { count: 1 }),
      'must have at least 1 character',
      'muss mindestens 1 Zeichen haben',
      'debe tener al menos 1 carácter',
    ],
    [
      message('LENGTH.maxItems', { count: 100 }),
      'must have at most 100 items',
      'darf höchstens 100 Einträge haben',
      'debe tener como máximo 100 elementos',
    ],
    [
      message('RANGE.min', { min: '-0.50' }),
      'must be at least -0.50',
      'muss mindestens -0.50 sein',
      'debe ser al menos -0.50',
    ],
    [
      message('VALUE.oneOf', { allowed: ['PLANNED', 'ACTIVE'] }),
      'must be one of PLANNED, ACTIVE',
      'muss eines von PLANNED, ACTIVE sein',
      'debe ser uno de PLANNED, ACTIVE',
    ],
    [
      message('TYPE.expected', { expected: message('word.integer') }),
      'must be an integer',
      'muss eine ganze Zahl sein',
      'debe ser un número entero',
    ],
  ])('%o is written with its values', (said, en, de, es) => {
    expect([formatMessage(said, 'en'), formatMessage(said, 'de'), formatMessage(said, 'es')]).toEqual([en, de, es])
  })

  test('takes braces of a value for text', () => {
    const said = message('NOT_FOUND.item', { item: message('noun.order'), id: '{item}$&' })
    expect(formatMessage(said, 'de')).toBe('Bestellung {item}$& gibt es nicht.')
  })

  test('repeats what a client sent on one line, and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const quoted = quoteInput(text)
        expect(quoted.length).toBeLessThanOrEqual(80)
        expect(quoted).not.toMatch(/\p{Cc}/u)
        expect(quoted.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('localize()', () => {
  test('writes the message of an error', () => {
    const said = message('NOT_FOUND.item', { item: message('noun.employee'), id: 9 })
    expect(localize('NOT_FOUND', 'de', { message: said })).toBe('Mitarbeiter 9 gibt es nicht.')
    expect(localize('NOT_FOUND', 'de', { message: JSON.parse(JSON.stringify(said)) })).toBe(
      'Mitarbeiter 9 gibt es nicht.',
    )
  })

  test('keeps the English message of an error', () => {
    expect(localize('NOT_FOUND', 'en', { message: message('NOT_FOUND') })).toBeUndefined()
  })

  test('says what a code means if the error has no message of its own', () => {
    expect(localize('NOT_FOUND', 'fr', {})).toBe('La ressource n’existe pas.')
    expect(localize('NOT_FOUND', 'en', {})).toBeUndefined()
  })

  test.each([
    ['NOPE', 'de', {}],
    ['__proto__', 'de', {}],
    ['NOT_FOUND', 'constructor', {}],
    ['NOT_FOUND', 'xx', { message: message('NOT_FOUND') }],
    ['NOPE', 'de', { message: { key: '__proto__' } }],
    ['NOPE', 'de', { message: 'text' }],
  ])('leaves %s in %s with %o as it is', (code, language, params) => {
    expect(localize(code, language, params)).toBeUndefined()
  })
})
