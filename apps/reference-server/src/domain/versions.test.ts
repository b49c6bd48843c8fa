import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkRoundTrip } from '@svc/versioning/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item } from '../engine/define.ts'
import { compileVersions, createConversions, type StoredCodec } from '../engine/versions.ts'
import { departments } from './departments.ts'
import { employees } from './employees.ts'
import { apiVersions, v2 } from './versions.ts'

const versions = createConversions(apiVersions)
const codecsFor = compileVersions(apiVersions)
const kept: Item = {
  id: 7,
  revision: 1,
  updatedAt: '',
  name: 'Ada',
  department: 'Sales',
  salary: 1234.5,
  departmentId: 3,
}
const one = { id: 7, name: 'Ada', department: 'Sales', salary: 1234.5 }
const two = {
  id: 7,
  name: 'Ada',
  department: { id: 3, name: 'Sales' },
  salary: { amount: '1234.50', currency: 'EUR' },
}

test('brings representations of both versions there and back', () => {
  const older = [one, { ...one, salary: 0.1 }, { ...one, salary: 10_000_000 }, { name: 'part' }, { salary: 8.29 }, {}]
  const newer = [two, { ...two, salary: { amount: '0.00', currency: 'EUR' } }, { department: { name: 'IT' } }, {}]
  expect(checkRoundTrip(versions, { employees: { 1: older, 2: newer } })).toBe(10)
})

test.each([
  ['1', one, one],
  ['2', two, { ...one, assignedDepartmentId: 3 }],
])('shows and accepts an employee in version %s', (version, body, accepted) => {
  const codec = codecsFor(employees)(version)
  expect(codec.encode(kept, undefined)).toEqual(body)
  expect(Object.keys(codec.encode(kept, undefined))).toEqual(['id', 'name', 'department', 'salary'])
  expect(codec.encode(kept, new Set(['salary']))).toEqual({ salary: body.salary })
  expect(codec.decode(body)).toEqual(accepted)
})

test('what version 1 shows and accepts as it is kept is what the changes between the versions make', () => {
  const second: StoredCodec = v2.codecs.employees
  const employee = fc.record(
    {
      name: fc.string(),
      department: fc.string(),
      salary: fc.integer({ min: 0, max: 1_000_000_000 }).map((cents) => cents / 100),
      city: fc.string(),
      managerId: fc.nat(),
    },
    { requiredKeys: ['name', 'department', 'salary'] },
  )
  fc.assert(
    fc.property(employee, fc.option(fc.nat(), { nil: undefined }), (fields, departmentId) => {
      const item: Item = { ...kept, ...fields, departmentId }
      const { encode, decode } = codecsFor(employees)('1')
      const shown = encode(item, undefined)
      expect(shown).toEqual(versions.down('1', 'employees', second.encode({ id: 7, ...fields }, item)))
      expect(decode(fields)).toEqual(second.decode(versions.up('1', 'employees', fields) as typeof fields, () => true))
    }),
  )
})

test('shows a department, which no version changed, as it is kept in both', () => {
  const item: Item = { id: 3, revision: 1, updatedAt: '', name: 'Sales' }
  const codecs = codecsFor(departments)
  expect(codecs('1').encode(item, undefined)).toEqual(codecs('2').encode(item, undefined))
})

test('serves no version that it does not know', () => {
  expect(() => codecsFor(employees)('3')).toThrow(TypeError)
})

test('has its changelog in the documentation', () => {
  const file = join(import.meta.dirname, '../../../docs/api-changelog.md')
  expect(readFileSync(file, 'utf8')).toBe(versions.changelog())
})
