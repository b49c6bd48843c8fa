import { httpError, validationError } from '@svc/errors'
import { page, resource } from '@svc/hal'
import { mediaType, notAcceptable } from '@svc/negotiate'
import express, { type Request, type Response, Router } from 'express'

interface Task {
  id: number
  title: string
  done: boolean
}

const task = resource<Task>('task', {
  self: '/tasks/{id}',
  links: { completion: { href: '/tasks/{id}/completion', when: ({ done }) => !done } },
})

/** The routes of the tasks. They are kept in memory: put your database in place of the map. */
export function tasks(): Router {
  const stored = new Map<number, Task>([[1, { id: 1, title: 'Read the code', done: false }]])
  const router = Router()

  router.get('/', (_req, res) => {
    const items = [...stored.values()]
    const shown = page(items, { resource: task, path: '/tasks', size: 100, totalElements: items.length })
    res.type('application/hal+json').send(shown.stringify('hal'))
  })

  router.get('/:id', (req, res) => {
    show(find(req), req, res)
  })

  router.post('/', express.json(), (req, res) => {
    const added: Task = { id: stored.size + 1, title: titleOf(req.body), done: false }
    stored.set(added.id, added)
    res.status(201).location(task.self(added))
    show(added, req, res)
  })

  // The link "completion" of a task: it is there as long as this can be done.
  router.put('/:id/completion', (req, res) => {
    const found = find(req)
    if (found.done) throw httpError(409, 'The task is done already.', { code: 'TASK_DONE' })
    found.done = true
    show(found, req, res)
  })

  function find(req: Request<{ id: string }>): Task {
    const found = stored.get(Number(req.params.id))
    if (!found) throw httpError(404, 'There is no such task.', { code: 'TASK_NOT_FOUND' })
    return found
  }

  return router
}

const formats = ['application/hal+json', 'application/json', 'text/csv'] as const

function show(shown: Task, req: Request, res: Response): void {
  const type = mediaType(req, formats)
  if (!type) throw notAcceptable(formats)
  const { id, title, done } = shown
  const csv = (): string => `id,title,done\r\n${id},"${title.replaceAll('"', '""')}",${done}\r\n`
  res.vary('Accept').type(type)
  res.send(type === 'text/csv' ? csv() : type === 'application/json' ? JSON.stringify(shown) : task.stringify(shown))
}

function titleOf(body: unknown): string {
  const title = typeof body === 'object' && body !== null && 'title' in body ? body.title : undefined
  if (typeof title === 'string' && title.trim()) return title.trim()
  throw validationError([{ message: 'must be a text', path: ['title'] }])
}
