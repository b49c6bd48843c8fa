import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { inOrder } from './in-order.ts'

const req = {} as IncomingMessage
const res = {} as ServerResponse

function run(...stages: Middleware[]): unknown[] {
  const results: unknown[] = []
  inOrder(...stages)(req, res, (...args) => results.push(args[0]))
  return results
}

describe('stages in order', () => {
  test('run one after the other, with the same request and response', () => {
    const seen: unknown[] = []
    const stage =
      (name: string): Middleware =>
      (...[ownReq, ownRes, next]) => {
        seen.push([name, ownReq === req, ownRes === res])
        next()
      }
    expect(run(stage('first'), stage('second'))).toEqual([undefined])
    expect(seen).toEqual([
      ['first', true, true],
      ['second', true, true],
    ])
  })

  test('none of them hands the request on at once', () => {
    expect(run()).toEqual([undefined])
  })

  test.each([
    ['hands an error on', (_req: unknown, _res: unknown, next: (error: unknown) => void) => next('refused')],
    [
      'throws',
      () => {
        throw 'refused'
      },
    ],
  ])('a stage that %s ends the order', (_what, stage) => {
    const never: Middleware = () => {
      throw 'must not run'
    }
    expect(run(stage, never)).toEqual(['refused'])
  })

  test('a stage that answers by itself hands nothing on', () => {
    expect(run(() => {})).toEqual([])
  })

  test('tells that it takes errors, so that a refusal is handed on and not answered on the spot', () => {
    run((_req, _res, next) => expect(next.length).toBe(1))
  })
})
