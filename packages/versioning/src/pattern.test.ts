import { expect, test } from 'vitest'
import { compilePattern } from './pattern.ts'

test.each([
  ['/employees', ['/employees', '/employees/', '/Employees'], ['/employee', '/employees/7', '/', '/x/employees']],
  ['/employees/*', ['/employees/7', '/employees/7/', '/employees/ä'], ['/employees', '/employees/7/photo']],
  ['/employees/{id}/photo', ['/employees/7/photo'], ['/employees/7', '/employees/photo']],
  ['/employees/:id', ['/employees/7'], ['/employees']],
  ['/files/**', ['/files/a', '/files/a/b/c'], ['/files', '/files/', '/file/a']],
  ['/', ['/', ''], ['/a']],
])('%j matches %j and not %j', (pattern, matching, others) => {
  const test = compilePattern(pattern)
  expect(matching.filter((path) => !test(path))).toEqual([])
  expect(others.filter((path) => test(path))).toEqual([])
})
