import boom from '@hapi/boom'
import { HttpError, toRecord } from '@svc/errors'
import createError from 'http-errors'
import type { Bench } from '../harness/measure.ts'

export const title = 'Errors'

/** A peer's error as a record, as its users write it. */
function formatRecord(error: { status: number; message: string }): string {
  const { status, message } = error
  return JSON.stringify({
    timestamp: new Date().toISOString(),
    status,
    error: 'Not Found',
    message,
    path: '/employees/7',
  })
}

function deeper(levels: number, run: () => unknown): unknown {
  return levels === 0 ? run() : deeper(levels - 1, run)
}

export function benches(): Bench[] {
  const ours = (): string =>
    JSON.stringify(toRecord(new HttpError(404, 'Employee 7 does not exist.'), { path: '/employees/7' }))
  const peers = {
    'http-errors': () => formatRecord(createError(404, 'Employee 7 does not exist.')),
    '@hapi/boom': () => JSON.stringify(boom.notFound('Employee 7 does not exist.').output.payload),
  }
  const goals = [
    { id: 'R1', against: 'http-errors', most: 0.12 },
    { id: 'R1', against: '@hapi/boom', most: 0.2 },
  ]
  const contenders = [...Object.entries(peers), ['@svc/errors', ours] as const].map(([name, run]) => ({ name, run }))
  return [
    { name: 'create, record and JSON of a 404', base: 'http-errors', goals, contenders },
    {
      name: 'the same 30 frames deeper',
      base: 'http-errors',
      goals,
      contenders: contenders.map(({ name, run }) => ({ name, run: () => deeper(30, run) })),
    },
  ]
}
