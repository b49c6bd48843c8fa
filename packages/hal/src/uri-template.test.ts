import { readFileSync } from 'node:fs'
import { expandUriTemplate, type TemplateVariables } from '@svc/hal'
import { describe, expect, test } from 'vitest'

interface Suite {
  variables: TemplateVariables
  testcases: [template: string, expected: string | string[] | false][]
}

const files = ['spec-examples', 'spec-examples-by-section', 'extended-tests', 'negative-tests']

// RFC 6570 §3.2.1: an empty value keeps its equals sign where names are no part of the operator.
test.each([
  ['{keys*}', 'a=,b=1'],
  ['{/keys*}', '/a=/b=1'],
  ['{;keys*}', ';a;b=1'],
  ['{?keys*}', '?a=&b=1'],
])('%s with an empty value is %s', (template, expected) => {
  expect(expandUriTemplate(template, { keys: { a: '', b: 1 } })).toBe(expected)
})

describe.each(files)('public suite %s', (file) => {
  const text = readFileSync(new URL(`../vectors/uritemplate/${file}.json`, import.meta.url), 'utf8')
  const suites = JSON.parse(text) as Record<string, Suite>
  const rows = Object.entries(suites).flatMap(([name, { variables, testcases }]) =>
    testcases.map(([template, expected]) => ({ name, template, expected, variables })),
  )
  test.each(rows)('$name: $template', ({ template, expected, variables }) => {
    if (expected === false) expect(() => expandUriTemplate(template, variables)).toThrow(TypeError)
    else expect([expected].flat()).toContain(expandUriTemplate(template, variables))
  })
})
