import { httpError, validationError } from '@svc/errors'
import { page, resource } from '@svc/hal'
import express, { type Request, type Response, Router } from 'express'
import { send, toCsv } from './formats.ts'

interface Task {
  id: number
  title: string
  done: boolean
}

const task = resource<Task>('task', {
  self: '/tasks/{id}',
  links: { completion: { href: '/tasks/{id}/completion', when: ({ done }) => !done } },
})

const COLUMNS = ['id', 'title', 'done'] as const

/** The routes of the tasks. They are stored in memory: replace the map with your database. */
export function tasks(): Router {
  const stored = new Map<number, Task>([[1, { id: 1, title: 'Read the code', done: false }]])
  const router = Router()

  router.get('/', (req, res) => {
    const items = [...stored.values()]
    const list = page(items, { resource: task, path: '/tasks', size: 100, totalElements: items.length })
    send(req, res, {
      'application/hal+json': () => list.stringify('hal'),
      'application/json': () => list.stringify(),
      'text/csv': () => toCsv(COLUMNS, items),
    })
  })

  router.get('/:id', (req, res) => {
    sendTask(find(req), req, res)
  })

  router.post('/', express.json(), (req, res) => {
    const added: Task = { id: stored.size + 1, title: parseTitle(req.body), done: false }
    stored.set(added.id, added)
    res.status(201).location(task.self(added))
    sendTask(added, req, res)
  })

  // The link "completion" points here. A task has it until it is done.
  router.put('/:id/completion', (req, res) => {
    const completed = find(req)
    if (completed.done) throw httpError(409, 'The task is already done.', { code: 'TASK_DONE' })
    completed.done = true
    sendTask(completed, req, res)
  })

  function find(req: Request<{ id: string }>): Task {
    const match = stored.get(Number(req.params.id))
    if (!match) throw httpError(404, 'There is no such task.', { code: 'TASK_NOT_FOUND' })
    return match
  }

  return router
}

function sendTask(item: Task, req: Request, res: Response): void {
  send(req, res, {
    'application/hal+json': () => task.stringify(item),
    'application/json': () => task.stringify(item),
    'text/csv': () => toCsv(COLUMNS, [item]),
  })
}

function parseTitle(body: unknown): string {
  const title = typeof body === 'object' && body !== null && 'title' in body ? body.title : undefined
  if (typeof title === 'string' && title.trim()) return title.trim()
  throw validationError([{ message: 'must be a non-empty string', path: ['title'] }])
}
