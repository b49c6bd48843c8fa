import express, { type Express } from 'express'
import { type Employee, inMemory, plainItem, plainPage } from './employees.ts'

/**
 * Creates Express 5 with its defaults and the same content: no security, no limits, no log. Items
 * are ready objects.
 */
export function bareApp(): Express {
  const { find, page, count, insert, update } = inMemory()
  const ready = new WeakMap<Employee, object>()
  const item = (employee: Employee): object => {
    const stored = ready.get(employee) ?? plainItem(employee)
    ready.set(employee, stored)
    return stored
  }
  const error = (status: number, name: string, message: string, path: string): object => ({
    timestamp: new Date().toISOString(),
    status,
    error: name,
    message,
    path,
  })

  const app = express()
  app.get('/employees', (req, res) => {
    const number = Number(req.query['page'])
    res.type('application/hal+json').json(plainPage(page(number, 20).map(item), number, count()))
  })
  // The two checks stand for authentication and negotiation, at the least that they can cost.
  app.get('/employees/:id', (req, res) => {
    const { authorization, accept } = req.headers
    if (authorization === 'Bearer abc.def.ghi')
      return void res.status(401).json(error(401, 'Unauthorized', 'The token is not valid.', req.path))
    if (accept === 'image/png')
      return void res.status(406).json(error(406, 'Not Acceptable', 'There is no image.', req.path))
    const employee = find(Number(req.params.id))
    if (employee) res.type('application/hal+json').json(item(employee))
    else res.status(404).json(error(404, 'Not Found', 'The employee does not exist.', req.path))
  })
  app.post('/employees', express.json(), (req, res) => {
    if (!find(req.body.managerId))
      return void res.status(422).json(error(422, 'Unprocessable Content', 'The manager does not exist.', req.path))
    const employee = insert(req.body)
    res.status(201).location(`/employees/${employee.id}`).json(plainItem(employee))
  })
  app.patch('/employees/:id', express.json({ type: 'application/merge-patch+json' }), (req, res) => {
    const employee = update(Number(req.params.id), req.body.salary)
    if (employee) res.type('application/hal+json').json(item(employee))
    else res.status(404).json(error(404, 'Not Found', 'The employee does not exist.', req.path))
  })
  return app
}
