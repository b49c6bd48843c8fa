import { page, resource } from '@svc/hal'
import hal from 'hal'
import type { Bench } from '../harness/measure.ts'
import { type Employee, employees, halsonItem, halsonPage, plainItem, plainPage } from '../http/employees.ts'

export const title = 'HAL'

const BYTES =
  'JSON.stringify of the members and the bytes of the text, which every way pays, are more than half of it: decision 033'

const BUILDER = 'render and JSON.stringify of @svc/hal'

const [sample] = employees as [Employee]
const TOTAL = employees.length

const ours = resource<Employee>('employee', {
  self: '/employees/{id}',
  links: {
    update: '/employees/{id}',
    delete: '/employees/{id}',
    manager: '/employees/{managerId}',
    projects: '/employees/{id}/projects',
  },
})

/** The second page of so many. */
const takeItems = (size: number): Employee[] => employees.slice(0, size)
const twenty = takeItems(20)

/**
 * A text as bytes, which is what a server sends: joined strings are put together no sooner than
 * here.
 */
const sent = (make: () => string) => (): Buffer => Buffer.from(make())

export function benches(): Bench[] {
  return [
    {
      name: 'one item',
      base: 'halson',
      goals: [{ id: 'H1', against: 'halson', most: 0.45, reason: BYTES }],
      contenders: [
        { name: 'halson', run: sent(() => JSON.stringify(halsonItem(sample))) },
        { name: 'hal', run: sent(() => JSON.stringify(withHal(sample))) },
        { name: 'plain objects', run: sent(() => JSON.stringify(plainItem(sample))) },
        { name: '@svc/hal', run: sent(() => ours.stringify(sample)) },
        { name: BUILDER, run: sent(() => JSON.stringify(ours.render(sample))) },
      ],
    },
    {
      name: 'a page of 20',
      base: 'halson',
      goals: [
        { id: 'H1', against: 'halson', most: 0.45, reason: BYTES },
        { id: 'H1', against: 'plain objects', most: 0.6, reason: BYTES },
        { id: 'H1', of: BUILDER, against: 'halson', most: 0.85, reason: BYTES },
      ],
      contenders: [
        { name: 'halson', run: sent(() => JSON.stringify(halsonPage(twenty, 1, TOTAL))) },
        { name: 'plain objects', run: sent(() => JSON.stringify(plainPage(twenty.map(plainItem), 1, TOTAL))) },
        { name: '@svc/hal', run: sent(() => ourPage(twenty).stringify('hal')) },
        {
          name: BUILDER,
          run: sent(() => JSON.stringify(ourPage(twenty).render('hal'))),
        },
      ],
    },
  ]
}

/** A page of so many items as bytes. */
export function preparePage(size: number): () => Buffer {
  const items = takeItems(size)
  return sent(() => ourPage(items).stringify('hal'))
}

const ourPage = (items: readonly Employee[]) =>
  page(items, { resource: ours, path: '/employees', size: items.length, number: 1, totalElements: TOTAL })

function withHal(employee: Employee): InstanceType<typeof hal.Resource> {
  const { id, managerId } = employee
  const made = new hal.Resource({ ...employee }, `/employees/${id}`)
  made.link('update', `/employees/${id}`)
  made.link('delete', `/employees/${id}`)
  made.link('manager', `/employees/${managerId}`)
  made.link('projects', `/employees/${id}/projects`)
  return made
}
