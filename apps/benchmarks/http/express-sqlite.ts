import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import express from 'express'
import { type Employee, employees, plainItem } from './employees.ts'
import { scratchFolder } from './scratch.ts'
import { serve } from './serve.ts'

// Express 5 with node:sqlite: the same statements and indexes as the reference server for a POST
// with a key, the same commit for all requests of a turn, and nothing else. The least that such a
// POST costs.
const database = new DatabaseSync(join(scratchFolder(), 'employees.db'))
database.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 10000;
  create table employees (id integer primary key, name text, department text, salary integer, city text, managerId integer);
  create table keys (id text primary key, expires integer, response text)`)
for (const column of ['name', 'department', 'salary', 'city', 'managerId'])
  database.exec(`create index employees_${column} on employees (${column}, id)`)
const insert = database.prepare(
  'insert into employees (name, department, salary, city, managerId) values (?, ?, ?, ?, ?) returning *',
)
const find = database.prepare('select id from employees where id = ?')
const findKey = database.prepare('select response from keys where id = ?')
const insertKey = database.prepare('insert into keys (id, expires, response) values (?, ?, ?)')
for (const { name, department, salary, city, managerId } of employees)
  insert.get(name, department, salary, city, managerId)

const DAY_MS = 86_400_000

let waiting: { work: () => string; respond: (text: string) => void }[] = []

function commitTogether(): void {
  const group = waiting
  waiting = []
  database.exec('begin immediate')
  const texts = group.map(({ work }) => work())
  database.exec('commit')
  for (const [index, { respond }] of group.entries()) respond(texts[index] ?? '')
}

const app = express()
app.post('/employees', express.json(), (req, res) => {
  const key = String(req.headers['idempotency-key'])
  const { name, department, salary, city, managerId } = req.body
  const work = (): string => {
    const stored = findKey.get(key)
    if (stored) return String(stored['response'])
    if (!find.get(managerId)) throw new Error('the manager does not exist')
    const employee = insert.get(name, department, salary, city, managerId) as unknown as Employee
    const text = JSON.stringify(plainItem(employee))
    insertKey.run(key, Date.now() + DAY_MS, text)
    return text
  }
  const respond = (text: string): void => void res.status(201).type('application/hal+json').send(text)
  if (waiting.push({ work, respond }) === 1) setImmediate(commitTogether)
})

serve(createServer(app))
