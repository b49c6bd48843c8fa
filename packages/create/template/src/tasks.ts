import { httpError, validationError } from '@svc/errors'
import { page, resource } from '@svc/hal'
import express, { type Request, type Response, Router } from 'express'
import { type Format, selectFormat, send, toCsv } from './formats.ts'

interface Task {
  id: number
  title: string
  done: boolean
}

const task = resource<Task>('task', {
  self: '/tasks/{id}',
  links: { completion: { href: '/tasks/{id}/completion', when: ({ done }) => !done } },
})

/** Whether a task is done. The link "completion" points here: PUT completes the task. */
const completion = resource<Task>('completion', {
  self: '/tasks/{id}/completion',
  links: { task: '/tasks/{id}' },
  state: ({ done }) => ({ done }),
})

const COLUMNS = ['id', 'title', 'done'] as const
const PAGE_SIZE = 100

/** The routes of the tasks. They are stored in memory: replace the map with your database. */
export function tasks(): Router {
  const stored = new Map<number, Task>([[1, { id: 1, title: 'Read the code', done: false }]])
  const router = Router()

  router.get('/', (req, res) => {
    const number = parsePage(req.query['page'])
    const items = [...stored.values()].slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE)
    const list = page(items, { resource: task, path: '/tasks', size: PAGE_SIZE, number, totalElements: stored.size })
    send(res, selectFormat(req), {
      'application/hal+json': () => list.stringify('hal'),
      'application/json': () => list.stringify(),
      'text/csv': () => toCsv(COLUMNS, items),
    })
  })

  router.get('/:id', (req, res) => {
    sendTask(find(req), selectFormat(req), res)
  })

  router.post('/', express.json(), (req, res) => {
    const format = selectFormat(req)
    const added: Task = { id: stored.size + 1, title: parseTitle(req.body), done: false }
    stored.set(added.id, added)
    res.status(201).location(task.self(added))
    sendTask(added, format, res)
  })

  router.get('/:id/completion', (req, res) => {
    sendCompletion(find(req), selectFormat(req), res)
  })

  router.put('/:id/completion', (req, res) => {
    const format = selectFormat(req)
    const completed = find(req)
    if (completed.done) throw httpError(409, 'The task is already done.', { code: 'TASK_DONE' })
    completed.done = true
    sendCompletion(completed, format, res)
  })

  function find(req: Request<{ id: string }>): Task {
    const match = stored.get(Number(req.params.id))
    if (!match) throw httpError(404, 'There is no such task.', { code: 'TASK_NOT_FOUND' })
    return match
  }

  return router
}

function sendTask(item: Task, format: Format, res: Response): void {
  send(res, format, {
    'application/hal+json': () => task.stringify(item),
    'application/json': () => task.stringify(item),
    'text/csv': () => toCsv(COLUMNS, [item]),
  })
}

function sendCompletion(item: Task, format: Format, res: Response): void {
  send(res, format, {
    'application/hal+json': () => completion.stringify(item),
    'application/json': () => completion.stringify(item),
    'text/csv': () => toCsv(['done'], [item]),
  })
}

function parsePage(value: unknown): number {
  if (value === undefined) return 0
  if (typeof value === 'string' && /^\d{1,6}$/.test(value)) return Number(value)
  throw validationError([{ message: 'must be an integer from 0 to 999999', path: ['page'] }], { location: 'query' })
}

function parseTitle(body: unknown): string {
  const title = typeof body === 'object' && body !== null && 'title' in body ? body.title : undefined
  if (typeof title === 'string' && title.trim()) return title.trim()
  throw validationError([{ message: 'must be a non-empty string', path: ['title'] }])
}
