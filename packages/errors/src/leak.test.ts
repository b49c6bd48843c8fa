import { classify, errors, toProblem, toRecord } from '@svc/errors'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { selectFormat } from './format.ts'

const CANARY = 'canary7f3a'

// Properties in which libraries store data that no client may see.
const MEMBERS = [
  'name',
  'stack',
  'cause',
  'query',
  'sql',
  'detail',
  'hint',
  'where',
  'table',
  'constraint',
  'path',
  'data',
  'config',
  'body',
  'address',
  'errors',
  'issues',
  'validation',
  'output',
  'extensions',
  'params',
  'title',
]
const STATUSES = [undefined, 0, 99, 200, 400, 401, 404, 409, 422, 499, 500, 503, 599, 600, '404', Number.NaN]
const CODES = [
  undefined,
  '23505',
  '23503',
  'ECONNREFUSED',
  'ERR_SQLITE_ERROR',
  'ERR_JWT_EXPIRED',
  'SQLITE_BUSY',
  CANARY,
  CANARY.toUpperCase(),
  404,
]

const secret = fc.constantFrom<unknown>(
  CANARY,
  `SELECT '${CANARY}'`,
  [CANARY],
  { message: CANARY, path: [CANARY] },
  new Error(CANARY),
)

/** Arbitrary errors with a canary in every place that is not exposed. */
const hostile = fc
  .record({
    make: fc.constantFrom<(text: string) => object>(
      (text) => new Error(text),
      (text) => new TypeError(text),
      (text) => new AggregateError([new Error(text)], text),
      (text) => new DOMException(text, 'AbortError'),
      (text) => ({ message: text }),
      (text) => Object.create(null, { message: { value: text, configurable: true } }),
    ),
    status: fc.constantFrom(...STATUSES),
    statusCode: fc.constantFrom(...STATUSES),
    code: fc.constantFrom(...CODES),
    expose: fc.constantFrom(undefined, false, 'true', 1),
    severity: fc.constantFrom(undefined, 'ERROR'),
    errcode: fc.constantFrom(undefined, 2067, 5, 1),
    isBoom: fc.constantFrom(undefined, true),
    type: fc.constantFrom(undefined, 'entity.parse.failed', CANARY),
    members: fc.dictionary(fc.constantFrom(...MEMBERS), secret, { maxKeys: 4 }),
    throwing: fc.option(fc.constantFrom('status', 'message', 'code', 'headers', 'issues')),
  })
  .map(({ make, members, throwing, ...plain }) => {
    const error = make(`at /srv/${CANARY}.ts:1:1 password=${CANARY}`)
    for (const [name, value] of Object.entries({ ...plain, ...members })) {
      if (value !== undefined) Object.defineProperty(error, name, { value, configurable: true, enumerable: true })
    }
    if (throwing) Object.defineProperty(error, throwing, { get: () => fail(), configurable: true })
    return error
  })

const anything = fc.oneof(
  { weight: 5, arbitrary: hostile },
  {
    weight: 1,
    arbitrary: fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true, withDate: true }),
  },
)

const fields = fc.constantFrom(
  undefined,
  'application/json',
  'application/problem+json',
  'application/problem+xml',
  'application/xml',
  'text/html',
  'text/plain',
)

describe('any thrown value', () => {
  test('is classified as an error, and reveals nothing', () => {
    fc.assert(
      fc.property(anything, (thrown) => {
        const classification = classify(thrown)
        expect(classification.status).toBeGreaterThanOrEqual(400)
        expect(classification.status).toBeLessThan(600)
        expect(classification.code).toMatch(/^[A-Z][A-Z0-9_]*$/)
        const sent = JSON.stringify([toRecord(thrown, { path: '/a' }), toProblem(thrown, { path: '/a' })])
        expect(sent).not.toMatch(new RegExp(CANARY, 'i'))
      }),
      { numRuns: 2000 },
    )
  })

  describe('over HTTP', () => {
    let running: RunningHost
    let thrown: unknown
    beforeAll(async () => {
      const answer = errors({ html: true, onError: () => {} })
      running = await listen((req, res) => answer(thrown, req, res))
    })
    afterAll(() => running.close())

    test('is a valid response in the requested format, and reveals nothing', async () => {
      await fc.assert(
        fc.asyncProperty(anything, fields, async (value, accept) => {
          thrown = value
          const answer = await send(running.url, { path: '/a?b=c', headers: accept ? { accept } : {} })
          expect(answer.status).toBe(classify(value).status)
          expect(answer.headers['content-length']).toBe(String(answer.body.length))
          const format = selectFormat(accept, true)
          if (format === 'json' || format === 'problem+json') expect(JSON.parse(answer.text).status).toBe(answer.status)
          else expect(answer.text).toContain(String(answer.status))
          expect(answer.text + JSON.stringify(answer.headers)).not.toMatch(new RegExp(CANARY, 'i'))
        }),
        { numRuns: 300 },
      )
    })
  })
})

function fail(): never {
  throw new Error(CANARY)
}
