import { expandUriTemplate, type TemplateVariables, UriTemplate } from '@svc/hal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'

describe('URI templates beyond the public suite', () => {
  test.each<[string, TemplateVariables, string]>([
    ['{?page,size}', { page: 2, size: undefined }, '?page=2'],
    ['{/id*}', { id: ['a', 'b'] }, '/a/b'],
    ['{+path}', { path: '/foo/bar' }, '/foo/bar'],
    ['{#x}', { x: 'admin%2F' }, '#admin%2F'],
    ['{clef:1}', { clef: '\u{1D11E}x' }, '%F0%9D%84%9E'],
    ['{x}', { x: '\ud800' }, '%EF%BF%BD'],
    ['/ö{x}', { x: true }, '/%C3%B6true'],
    ['{?x}', { x: '' }, '?x='],
    ['{;x}', { x: '' }, ';x'],
    ['{?x}', { x: [null, undefined] }, ''],
    ['{?x*}', { x: { a: 1, b: null, 'c d': 'e' } }, '?a=1&c%20d=e'],
    ['{x}', { x: 9007199254740993n }, '9007199254740993'],
    ['{toString}{constructor}{__proto__}', {}, ''],
    ['{__proto__}', JSON.parse('{"__proto__":"p"}'), 'p'],
  ])('expands %s with %o to %s', (template, variables, expected) => {
    expect(expandUriTemplate(template, variables)).toBe(expected)
  })

  test('lists the variables of a template once', () => {
    const template = new UriTemplate('/{a}{?b,a,c*}')
    expect(template.variables).toEqual(['a', 'b', 'c'])
    expect(String(template)).toBe('/{a}{?b,a,c*}')
  })

  test('rejects more than 8192 characters', () => {
    expect(() => new UriTemplate('a'.repeat(8193))).toThrow('at most 8192 characters')
    expect(new UriTemplate('a'.repeat(8192)).expand({})).toHaveLength(8192)
  })
})

const text = anyText()

test('keeps a simple variable in its place', () => {
  fc.assert(
    fc.property(text, (value) => {
      const expanded = expandUriTemplate('{value}', { value })
      expect(expanded).toMatch(/^[\w.~%-]*$/)
      expect(decodeURIComponent(expanded)).toBe(value.toWellFormed())
    }),
  )
})

test('expands any query so that URLSearchParams parses it back', () => {
  fc.assert(
    fc.property(fc.dictionary(text, text), (map) => {
      const query = expandUriTemplate('{?map*}', { map })
      const pairs = [...new URLSearchParams(query)]
      expect(pairs).toEqual(Object.entries(map).map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]))
    }),
  )
})

test('rejects a template when it is parsed, or expands it to a URI', () => {
  const unit = fc.constantFrom(...'{}{}+#./;?&*:,abc%20"é |')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), text, (source, value) => {
      let template: UriTemplate
      try {
        template = new UriTemplate(source)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        return
      }
      const variables = Object.fromEntries(template.variables.map((name) => [name, value]))
      expect(template.expand(variables)).toMatch(/^[!#-;=?-[\]_a-z~]*$/i)
    }),
    { numRuns: 1000 },
  )
})
