import { page, resource } from '@svc/hal'
import hal from 'hal'
import halson from 'halson'
import type { Bench } from '../harness/measure.ts'

export const title = 'HAL'

interface Employee {
  id: number
  name: string
  department: string
  salary: number
  city: string
  managerId: number
}

const employees: Employee[] = Array.from({ length: 160 }, (_, at) => ({
  id: at + 1,
  name: `Employee Number ${at}`,
  department: 'Research & Development',
  salary: 50_000 + at,
  city: 'Zürich',
  managerId: at % 5,
}))
const [one] = employees as [Employee]
const twenty = employees.slice(0, 20)

const ours = resource<Employee>('employee', {
  self: '/employees/{id}',
  links: { update: '/employees/{id}', delete: '/employees/{id}', manager: '/employees/{managerId}' },
})

function plain(employee: Employee): object {
  const self = { href: `/employees/${employee.id}` }
  return {
    ...employee,
    _links: { self, update: self, delete: self, manager: { href: `/employees/${employee.managerId}` } },
  }
}

const withHalson = (employee: Employee): object =>
  halson({ ...employee })
    .addLink('self', `/employees/${employee.id}`)
    .addLink('update', `/employees/${employee.id}`)
    .addLink('delete', `/employees/${employee.id}`)
    .addLink('manager', `/employees/${employee.managerId}`)

function withHal(employee: Employee): InstanceType<typeof hal.Resource> {
  const made = new hal.Resource({ ...employee }, `/employees/${employee.id}`)
  made.link('update', `/employees/${employee.id}`)
  made.link('delete', `/employees/${employee.id}`)
  made.link('manager', `/employees/${employee.managerId}`)
  return made
}

const info = { number: 1, size: 20, totalElements: 137, totalPages: 7 }
const links = { self: 1, first: 0, previous: 0, next: 2, last: 6 }
const hrefs = Object.entries(links).map(([rel, at]) => [rel, `/employees?page=${at}&size=20`] as const)

/** A text as bytes, which is what a server sends: joined strings are put together no sooner than here. */
const sent = (make: () => string) => (): Buffer => Buffer.from(make())

export function benches(): Bench[] {
  return [
    {
      name: 'one item',
      base: 'halson',
      goals: [{ id: 'H1', against: 'halson', most: 0.45 }],
      contenders: [
        { name: 'halson', run: sent(() => JSON.stringify(withHalson(one))) },
        { name: 'hal', run: sent(() => JSON.stringify(withHal(one))) },
        { name: 'plain objects', run: sent(() => JSON.stringify(plain(one))) },
        { name: '@svc/hal', run: sent(() => ours.stringify(one)) },
        { name: 'render and JSON.stringify of @svc/hal', run: sent(() => JSON.stringify(ours.render(one))) },
      ],
    },
    {
      name: 'a page of 20',
      base: 'halson',
      goals: [
        { id: 'H1', against: 'halson', most: 0.45 },
        { id: 'H1', against: 'plain objects', most: 0.6 },
      ],
      contenders: [
        { name: 'halson', run: sent(halsonPage) },
        { name: 'plain objects', run: sent(plainPage) },
        { name: '@svc/hal', run: sent(() => ourPage().stringify('hal')) },
        { name: 'render and JSON.stringify of @svc/hal', run: sent(() => JSON.stringify(ourPage().render('hal'))) },
      ],
    },
  ]
}

const ourPage = (size = 20) =>
  page(size === 20 ? twenty : employees.slice(0, size), {
    of: ours,
    path: '/employees',
    size,
    number: 1,
    totalElements: 137,
  })

/** A page of so many items as bytes. */
export const pageOf = (size: number) => sent(() => ourPage(size).stringify('hal'))

function halsonPage(): string {
  const document = halson({ page: info })
  for (const [rel, href] of hrefs) document.addLink(rel, href)
  for (const employee of twenty) document.addEmbed('employees', withHalson(employee))
  return JSON.stringify(document)
}

function plainPage(): string {
  const _links = Object.fromEntries(hrefs.map(([rel, href]) => [rel, { href }]))
  return JSON.stringify({ _embedded: { employees: twenty.map(plain) }, page: info, _links })
}
