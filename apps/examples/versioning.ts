import { versioning } from '@svc/versioning'
import express, { type Express } from 'express'
import { startIfMain } from './start.ts'

interface Employee1 {
  id: number
  name: string
  salary: number
}

interface Employee2 {
  id: number
  name: string
  salary: { amount: string; currency: string }
}

interface Employee3 {
  id: number
  name: { given: string; family: string }
  salary: { amount: string; currency: string }
}

const api = versioning({
  versions: ['1', '2', '3'],
  default: '1',
  vendor: 'example',
  deprecated: { '1': { since: new Date('2026-06-01'), sunset: new Date('2028-06-01'), docsUrl: '/docs/v2' } },
})

api.addChange<Employee1, Employee2>('2', {
  description: 'salary is an amount with its currency',
  paths: ['/employees/*'],
  up: (employee) => ({ ...employee, salary: { amount: Number(employee.salary).toFixed(2), currency: 'EUR' } }),
  down: (employee) => ({ ...employee, salary: Number(employee.salary.amount) }),
})

api.addChange<Employee2, Employee3>('3', {
  description: 'name tells given and family name apart',
  paths: ['/employees/*'],
  up: ({ name, ...employee }) => {
    const [given = '', ...family] = String(name).split(' ')
    return { ...employee, name: { given, family: family.join(' ') } }
  },
  down: ({ name, ...employee }) => ({ ...employee, name: `${name.given} ${name.family}`.trim() }),
})

const employees = new Map<string, Employee3>([
  ['7', { id: 7, name: { given: 'Zoë', family: 'Ångström' }, salary: { amount: '5000.00', currency: 'EUR' } }],
])

export const app: Express = express()

app.use(api)
app.use(express.json({ type: ['json', '+json'] }))
app.use(api.transform)
app.get('/employees/:id', (req, res, next) => {
  const employee = employees.get(req.params.id)
  if (employee) res.json(employee)
  else next()
})
app.put('/employees/:id', (req, res) => {
  const { name, salary } = req.body as Employee3
  const employee = { id: Number(req.params.id), name, salary }
  employees.set(req.params.id, employee)
  res.json(employee)
})

startIfMain(app, import.meta.main)
