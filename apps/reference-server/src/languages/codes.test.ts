import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { de } from './de.ts'

const CODE = /\b(?:code: |conflict\(|refuseValue\()'([A-Z]+(?:_[A-Z]+)+)'/g
// What is made up for demonstrations, and codes of packages, which have names of their own here.
const OTHERS = /^(?:DEMO_|ERR_)/

test('every failure that the service names has a text in each language', () => {
  const folder = new URL('..', import.meta.url)
  const files = globSync('**/*.ts', { cwd: folder, exclude: (name) => name.endsWith('.test.ts') })
  const codes = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(CODE)].map(([, code = '']) => code),
  )
  expect(codes.length).toBeGreaterThan(40)
  expect(codes.filter((code) => !OTHERS.test(code) && !Object.hasOwn(de, code))).toEqual([])
})
