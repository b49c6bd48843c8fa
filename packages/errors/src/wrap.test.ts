import { wrap } from '@svc/errors'
import express from 'express'
import { expect, expectTypeOf, test, vi } from 'vitest'

type Handler = (req: string, res: string, next: (error?: unknown) => void) => unknown

const error = new Error('x')
const fail = (thrown: unknown): never => {
  throw thrown
}

async function errorsOf(handler: Handler): Promise<unknown[]> {
  const next = vi.fn()
  wrap(handler)('req', 'res', next)
  await new Promise(setImmediate)
  return next.mock.calls.map(([given]) => given)
}

test.each<[string, Handler, unknown[]]>([
  ['a throw', () => fail(error), [error]],
  ['a rejection', async () => fail(error), [error]],
  [
    'a rejection of another kind of promise',
    () => ({ then: (_: unknown, no: (e: unknown) => void) => no(error) }),
    [error],
  ],
  ['nothing wrong', () => 'fine', []],
  ['nothing wrong, later', async () => 'fine', []],
  ['its own next', (_req, _res, next) => next(), [undefined]],
])('passes on %s', async (_name, handler, expected) => {
  expect(await errorsOf(handler)).toEqual(expected)
})

test.each<[unknown]>([[null], [undefined], [0], ['']])('creates an error for a thrown %j', async (thrown) => {
  for (const handler of [() => fail(thrown), async () => fail(thrown)]) {
    expect(await errorsOf(handler)).toEqual([expect.objectContaining({ status: 500, code: 'INTERNAL_ERROR' })])
  }
})

test('has the types of Express', () => {
  const app = express()
  app.get(
    '/employees/:id',
    wrap((req, res) => {
      expectTypeOf(req.params.id).toEqualTypeOf<string>()
      expectTypeOf(res.json).toBeFunction()
    }),
  )
})
