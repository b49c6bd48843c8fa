import { page, path, resource } from '@svc/hal'
import { expect, test } from 'vitest'

interface Employee {
  id: number
  name: string
  managerId?: number
}

const employee = resource('employee', {
  self: (one: Employee) => path`/employees/${one.id}`,
  links: { update: '/employees/{id}', manager: '/employees/{managerId}' },
})

test('renders and writes the same document', () => {
  const ada = { id: 1, name: 'Ada "A"' }
  const expected = { ...ada, _links: { self: { href: '/v1/employees/1' }, update: { href: '/v1/employees/1' } } }
  expect(employee.render(ada, { base: '/v1' })).toEqual(expected)
  expect(employee.stringify(ada, { base: '/v1' })).toBe(JSON.stringify(expected))
})

test('a page keeps filters and sort in its links', () => {
  const second = page([{ id: 1, name: 'Ada' }], {
    of: employee,
    path: '/employees',
    query: new URLSearchParams('sort=-name&department=R%26D&page=1'),
    number: 1,
    size: 20,
    totalElements: 60,
  })
  expect(second.links.next).toEqual({ href: '/employees?department=R%26D&page=2&size=20&sort=-name' })
  expect(second.stringify('hal')).toBe(JSON.stringify(second.render('hal')))
  expect(second.stringify()).toBe(JSON.stringify(second.render()))
})
