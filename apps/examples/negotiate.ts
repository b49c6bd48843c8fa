import { checkPreconditions, mediaType, notAcceptable, refuse, sendRepresentation } from '@svc/negotiate'
import express, { type Express } from 'express'
import { startIfMain } from './start.ts'

const employee = { revision: 1, id: 7, name: 'Zoë Ångström', department: 'Research' }
const formats = ['application/json', 'text/csv', 'text/plain'] as const

const write: Record<(typeof formats)[number], () => string> = {
  'application/json': () => JSON.stringify(employee),
  'text/csv': () => `id,name,department\r\n${employee.id},${employee.name},${employee.department}\r\n`,
  'text/plain': () => `${employee.name}, ${employee.department}\n`,
}

export const app: Express = express()

app.get('/employees/7', (req, res, next) => {
  const type = mediaType(req, formats)
  if (!type) return refuse(notAcceptable(formats), req, res, next)
  const charset = type === 'application/json' ? '' : '; charset=utf-8'
  sendRepresentation(
    req,
    res,
    { type: type + charset, version: employee.revision, vary: ['Accept'], body: write[type] },
    next,
  )
})

app.patch('/employees/7', express.json(), (req, res, next) => {
  const refused = checkPreconditions(req, { version: employee.revision }, { required: true })
  if (refused) return refuse(refused, req, res, next)
  employee.department = String(req.body.department)
  employee.revision += 1
  sendRepresentation(
    req,
    res,
    { type: 'application/json', version: employee.revision, body: write['application/json'] },
    next,
  )
})

startIfMain(app, import.meta.main)
