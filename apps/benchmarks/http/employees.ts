import { DatabaseSync } from 'node:sqlite'
import halson from 'halson'
import { inOnePiece } from '../harness/strings.ts'

export interface Employee {
  id: number
  name: string
  department: string
  salary: number
  city: string
  managerId: number
}

/** Employees of the demo of the reference server. */
export const DEMO_ROWS = 137

/** Employees that each server has: as many as the demo of the reference server, or `BENCH_ROWS`. */
export const ROWS = Number(process.env['BENCH_ROWS'] ?? DEMO_ROWS)

/** Content of the servers of the benchmark, in the format of the reference server. */
export const employees: readonly Employee[] = Array.from({ length: ROWS }, (_, index) => ({
  id: index + 1,
  name: inOnePiece(`Employee Number ${index + 1}`),
  department: ['Logistics', 'Engineering', 'HR', 'Support'][index % 4] as string,
  salary: 2500 + ((index * 7919) % 5500),
  city: ['Paris', 'Oslo', 'Madrid', 'Zürich', 'Hamburg'][index % 5] as string,
  managerId: 1 + (index % 10),
}))

export interface Repository {
  find(id: number): Employee | undefined
  page(number: number, size: number): Employee[]
  count(): number
  insert(employee: Omit<Employee, 'id'>): Employee
  /** Replaces the salary of an employee. */
  update(id: number, salary: number): Employee | undefined
}

/** In a Map, as a demonstration does it. */
export function inMemory(): Repository {
  const rows = new Map(employees.map((employee) => [employee.id, employee]))
  const list = [...employees]
  return {
    find: (id) => rows.get(id),
    page: (number, size) => list.slice(number * size, (number + 1) * size),
    count: () => employees.length,
    insert(employee) {
      const created = { id: rows.size + 1, ...employee }
      rows.set(created.id, created)
      return created
    },
    update(id, salary) {
      const employee = rows.get(id)
      if (!employee) return undefined
      const updated = { ...employee, salary }
      rows.set(id, updated)
      list[id - 1] = updated
      return updated
    },
  }
}

/**
 * Stores employees in SQLite, with prepared statements. A write is on disk before the response, as
 * in the reference server.
 */
export function inSqlite(file: string): Repository {
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = WAL; pragma synchronous = FULL;
    create table employees (id integer primary key, name text, department text, salary integer, city text, managerId integer)`)
  const insert = database.prepare(
    'insert into employees (name, department, salary, city, managerId) values (?, ?, ?, ?, ?) returning *',
  )
  const add = ({ name, department, salary, city, managerId }: Omit<Employee, 'id'>): Employee =>
    ({ ...insert.get(name, department, salary, city, managerId) }) as unknown as Employee
  database.exec('begin')
  for (const employee of employees) add(employee)
  database.exec('commit')
  const change = database.prepare('update employees set salary = ? where id = ? returning *')
  const find = database.prepare('select * from employees where id = ?')
  const page = database.prepare('select * from employees order by id limit ? offset ?')
  const count = database.prepare('select count(*) as total from employees')
  return {
    find: (id) => find.get(id) as Employee | undefined,
    page: (number, size) => page.all(size, number * size) as unknown as Employee[],
    count: () => Number(count.get()?.['total']),
    insert: add,
    update: (id, salary) => change.get(salary, id) as Employee | undefined,
  }
}

const linkPage = (number: number): { href: string } => ({ href: `/employees?page=${number}&size=20` })

const linkPages = (number: number, total: number) => {
  const totalPages = Math.ceil(total / 20)
  const links = {
    self: linkPage(number),
    first: linkPage(0),
    previous: linkPage(number - 1),
    next: linkPage(number + 1),
    last: linkPage(totalPages - 1),
  }
  return { page: { number, size: 20, totalElements: total, totalPages }, links }
}

/** The item as HAL, of plain objects. */
export function plainItem(employee: Employee): object {
  const { id, managerId } = employee
  const self = { href: `/employees/${id}` }
  const manager = { href: `/employees/${managerId}` }
  const projects = { href: `/employees/${id}/projects` }
  return { ...employee, _links: { self, update: self, delete: self, manager, projects } }
}

/** The page as HAL, of items that are HAL already. */
export function plainPage(items: readonly object[], number: number, total: number): object {
  const { page, links } = linkPages(number, total)
  return { _embedded: { employees: items }, page, _links: links }
}

/** The item as HAL, by halson. */
export function halsonItem(employee: Employee): object {
  const { id, managerId } = employee
  return halson({ ...employee })
    .addLink('self', `/employees/${id}`)
    .addLink('update', `/employees/${id}`)
    .addLink('delete', `/employees/${id}`)
    .addLink('manager', `/employees/${managerId}`)
    .addLink('projects', `/employees/${id}/projects`)
}

/** The page as HAL, by halson. */
export function halsonPage(items: readonly Employee[], number: number, total: number): object {
  const { page, links } = linkPages(number, total)
  const document = halson({ page })
  for (const [rel, { href }] of Object.entries(links)) document.addLink(rel, href)
  for (const item of items) document.addEmbed('employees', halsonItem(item) as never)
  return document
}
