import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { roundTrip } from '@svc/versioning/testing'
import { expect, test } from 'vitest'
import type { Item } from '../resources/define.ts'
import { departments } from '../resources/departments.ts'
import { employees } from '../resources/employees.ts'
import { serviceVersions } from './service-versions.ts'
import { wireOf } from './wire.ts'

const versions = serviceVersions('')
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
  expect(roundTrip(versions, { employees: { 1: older, 2: newer } })).toBe(10)
})

test.each([
  ['1', one],
  ['2', two],
])('shows and accepts an employee in version %s', (version, body) => {
  const wire = wireOf(employees, version)
  expect(wire.show(kept, undefined)).toEqual(body)
  expect(Object.keys(wire.show(kept, undefined))).toEqual(['id', 'name', 'department', 'salary'])
  expect(wire.show(kept, new Set(['salary']))).toEqual({ salary: body.salary })
  expect(wire.accept(body)).toEqual(one)
})

test('shows a department, which no version changed, as it is kept in both', () => {
  const item: Item = { id: 3, revision: 1, updatedAt: '', name: 'Sales' }
  expect(wireOf(departments, '1').show(item, undefined)).toEqual(wireOf(departments, '2').show(item, undefined))
})

test('serves no version that it does not know', () => {
  expect(() => wireOf(employees, '3')).toThrow(TypeError)
})

test('has its changelog in the documentation', () => {
  const file = join(import.meta.dirname, '../../../docs/api-changelog.md')
  expect(readFileSync(file, 'utf8')).toBe(versions.changelog())
})
