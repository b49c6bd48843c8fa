import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeAttribute } from '../../../internal/xml-escape.ts'
import { compilePattern } from './match-pattern.ts'

// The pattern, texts that match it, and texts that do not (XSD part 2, appendix F).
const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['[A-Za-z0-9_-]+', ['a-b_C9', '-'], ['', 'a b']],
  ['[0-9 +()-]*', ['', '+49 (0)-1'], ['a']],
  ['[^-]+', ['abc', '^'], ['a-b', '']],
  ['[\\p{L}_]+', ['größe_x'], ['a1']],
  ['\\d{4}\\-\\d{2}', ['2026-11'], ['2026/11', '202-11']],
  ['\\p{IsBasicLatin}*', ['', 'abc~'], ['é']],
  ['\\P{IsBasicLatin}+', ['éñ'], ['e']],
  ['\\p{IsGreek}', ['α'], ['a']],
  ['\\p{IsLatin-1Supplement}', ['é'], ['e', 'ł']],
  ['\\w+', ['größe', '日本', '+', '𝒳'], ['a-b', 'a b', '']],
  ['\\W', ['-', ' '], ['a']],
  ['.', ['a', '\u2028', '\u2029', '😀', '\u0085'], ['\n', '\r', '']],
  ['a.c', ['abc'], ['xabcx', 'a\nc']],
  ['\\i\\c*', ['größe-1', '_a', ':x'], ['1a', '-']],
  ['[\\i-[:]][\\c-[:]]*', ['a1'], ['a:b', ':']],
  ['[a-z-[aeiou]]+', ['xyz'], ['xay']],
  ['[^a-c-[x]]', ['d'], ['x', 'a']],
  ['[a-z-[m-p-[n]]]', ['a', 'n'], ['m', 'o']],
  ['^a$', ['^a$'], ['a']],
  ['\\d{3}', ['٣٣٣', '123'], ['12']],
  ['\\p{Lu}\\P{Lu}', ['Aa'], ['AA']],
  ['a|b|', ['a', 'b', ''], ['ab']],
  ['(ab){2,3}', ['abab', 'ababab'], ['ab', 'abababab']],
  ['a{2,}', ['aa', 'aaaa'], ['a']],
  ['a{0}b', ['b'], ['ab']],
  ['(a|b)*c', ['c', 'ababc'], ['ab']],
  ['(a*)*', ['', 'aaa'], ['b']],
  ['[\\t\\n\\r\\\\\\.\\[\\]\\^\\-]+', ['\t\\.[]^-'], ['x']],
  ['\\s\\S', [' a', '\tb'], ['\u00a0a', 'aa']],
  ['[.*+?(){}|/]+', ['.*+?(){}|/'], ['a']],
  ['\\c+', ['a-1.b·'], [' ']],
  ['[\\w-]+', ['a-b'], ['a.b']],
  ['[+\\-]?\\d+', ['-1', '+2', '3'], ['--1']],
]

describe('matches as XSD says', () => {
  test.each(CASES)('%s', (pattern, good, bad) => {
    const matcher = compilePattern(pattern)
    expect(good.filter((text) => !matcher.test(text))).toEqual([])
    expect(bad.filter((text) => matcher.test(text))).toEqual([])
  })

  test('as libxml2 does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-pattern-'))
    // libxml2 reads `\w` and the empty alternative in its own way. Control characters are not valid
    // in XML text.
    const cases = CASES.filter(([pattern]) => !/\\[wWicP]|\|$|\\p\{Is|-\[m/.test(pattern))
    const elements = cases.map(
      ([pattern], at) =>
        `<x:element name="e${at}"><x:simpleType><x:restriction base="x:string"><x:pattern value="${escapeAttribute(pattern)}"/></x:restriction></x:simpleType></x:element>`,
    )
    const schema = `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema">${elements.join('')}</x:schema>`
    writeFileSync(join(folder, 's.xsd'), schema)
    for (const [at, [, good, bad]] of cases.entries()) {
      for (const [index, text] of [...good, ...bad].entries()) {
        const file = join(folder, `c${at}-${index}.xml`)
        writeFileSync(file, `<e${at}>${text.replace(/[&<>\r]/g, (char) => `&#${char.charCodeAt(0)};`)}</e${at}>`)
      }
    }
    const { stderr } = spawnSync('sh', ['-c', 'xmllint --noout --schema s.xsd *.xml'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const wrong = cases.flatMap(([pattern, good, bad], at) =>
      [...good, ...bad]
        .map((text, index) => [stderr.includes(`c${at}-${index}.xml validates`), index < good.length, pattern, text])
        .filter(([says, expected]) => says !== expected),
    )
    expect(wrong).toEqual([])
  })

  test('as RegExp does for what both write alike', () => {
    const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\d')
    const pattern = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
        fc
          .tuple(tie('node'), fc.constantFrom('?', '*', '+', '{2}', '{1,3}', '{0,2}', '{2,}'))
          .map(([a, q]) => `(${a})${q}`),
      ),
    })).node
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abc1]{0,8}$/), (text, value) => {
        expect(compilePattern(text).test(value)).toBe(new RegExp(`^(?:${text})$`, 'u').test(value))
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each(['(a+)+b', '(a|a)*b', '(a*)*b', '(a|aa)+b', '([a-z]+)*\\d', 'a*a*a*a*a*b', '(.*,){20}b'])(
  '%s takes time in proportion to the text',
  (pattern) => {
    const matcher = compilePattern(pattern)
    expect(matcher.test('a'.repeat(200_000))).toBe(false)
    expect(matcher.test(`${'a'.repeat(200_000)}!`)).toBe(false)
  },
)

test.each([
  ['a letter outside of ASCII', (seed: number) => 'é'.repeat(200 + seed)],
  [
    'ever new letters',
    (seed: number) =>
      Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + seed * 100 + index)).join(''),
  ],
  ['ever new letters of two units', (seed: number) => String.fromCodePoint(0x20000 + seed).repeat(300)],
])('%s takes about as long as one of ASCII', (_, textOf) => {
  const matcher = compilePattern('(\\w{1,20}\\s?){1,50}')
  const start = process.cpuUsage()
  for (let seed = 0; seed < 150; seed++) expect(matcher.test(textOf(seed))).toBe(true)
  expect(process.cpuUsage(start).user).toBeLessThan(1_500_000)
})

test('memory stays bounded when texts lead to ever new states', () => {
  const matcher = compilePattern('(a|b)*a(a|b){12}')
  for (let seed = 0; seed < 150; seed++) {
    const text = Array.from({ length: 2_000 }, (_, at) => ((at * (seed + 7)) % 5 > 2 ? 'a' : 'b')).join('')
    expect(matcher.test(text)).toBe(/^(a|b)*a(a|b){12}$/.test(text))
  }
})

test.each([
  ['a**', '"*" is not expected at position 3'],
  ['(a', 'its end is not expected'],
  ['a)', '")" is not expected'],
  ['[', 'its end is not expected'],
  ['[a', 'its end is not expected'],
  ['[z-a]', 'not expected'],
  ['a{3,2}', 'not expected'],
  ['a{x}', '"x" is not expected'],
  ['(?:a)', '"?" is not expected'],
  ['\\b', '"b" is not expected at position 2'],
  ['\\1', '"1" is not expected'],
  ['\\p{Nothing}', 'not expected'],
  ['\\p{IsNothing}', 'not expected'],
  ['\\', 'its end is not expected'],
  ['(a{1000}){1000}', 'repeats too much'],
])('rejects %s', (pattern, message) => {
  expect(() => compilePattern(pattern)).toThrow(TypeError)
  expect(() => compilePattern(pattern)).toThrow(message)
})
