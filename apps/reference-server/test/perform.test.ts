import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { errors, httpError } from '@svc/errors'
import { idempotencyEngine } from '@svc/idempotency'
import { versioning } from '@svc/versioning'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check, type Expectation } from '../../../packages/internal/testing/check.ts'
import { readSetting, writeSetting } from '../src/database/settings.ts'
import type { ActionContext, ActionResult } from '../src/engine/action.ts'

import { type Action, route } from '../src/engine/route.ts'
import { inTransaction } from '../src/engine/transaction.ts'
import { createFormats } from '../src/formats/formats.ts'
import { errorOptions } from '../src/http/error-handler.ts'
import { keyStore } from '../src/http/idempotency.ts'
import { resolveVersion } from '../src/http/match-route.ts'
import { pipeline } from '../src/http/pipeline.ts'
import { runAction } from '../src/http/run-action.ts'
import { onEveryDatabase, record } from './service.ts'

onEveryDatabase('an action', (service) => {
  let runs = 0
  let work: (call: ActionContext) => ActionResult | Promise<ActionResult>
  let server: Server
  let url = ''
  let keys = 0
  const logged: { level: number; msg: string; code: string }[] = []

  const post = (key: string | undefined, expected: Expectation, headers = {}) =>
    check(url, { method: 'POST', headers: { ...(key && { 'idempotency-key': key }), ...headers } }, expected)
  const nextKey = (): string => `perform-${keys++}`
  const write = ({ db }: ActionContext, name: string) => writeSetting(db, name, '1')
  const isWritten = async (name: string): Promise<boolean> => {
    return (await readSetting(service.running.database, name)) !== undefined
  }
  const done: ActionResult = { status: 204, cache: 'never' }

  beforeAll(async () => {
    const { database } = service.running
    const idempotency = idempotencyEngine({ store: keyStore(database) })
    const run: Action['run'] = (call) => {
      runs++
      return work(call)
    }
    const info = { operationId: 'write', summary: 'Write', description: 'Writes a setting.', tag: 'test' }
    const action: Action = {
      ...info,
      run,
      scope: undefined,
      accepts: [],
      idempotency: 'optional',
      isSafe: false,
      cost: 1,
      kind: 'none',
    }
    const match = { route: route('/', { POST: action }), action, params: {} }
    const site = { publicUrl: '', versions: ['1'], users: [], additions: [], findMethods: () => [], canGet: () => true }
    const formats = createFormats()
    const parts = { database, idempotency, site, formats, findRoute: () => undefined, locate: () => '' }
    const patient = runAction(parts)
    const hasty = runAction({ ...parts, deadlineMs: 50 })
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
    const failed = errors(errorOptions({ log, site, localizers: [], toFault: () => undefined }))
    const versions = versioning({ versions: ['1'], default: 'lowest', headers: 'none' })
    const handle = pipeline({
      stages: [
        resolveVersion(versions),
        (state) => {
          state.match = match
          return state.req.headers['x-hasty'] ? hasty(state) : patient(state)
        },
      ],
    })
    server = createServer((req, res) => handle(req, res, (error) => failed(error, req, res, () => res.destroy())))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server?.close())

  test.each([
    ['a bug', 500, 'INTERNAL_ERROR', () => new Error('secret')],
    ['a failure of another service', 502, 'BAD_GATEWAY', () => httpError(502)],
    ['a conflict', 409, 'TAKEN', () => httpError(409, 'It is taken.', { code: 'TAKEN' })],
  ])('replays %s, and what was written is gone', async (_name, status, code, error) => {
    const key = nextKey()
    work = async (call) => {
      await write(call, key)
      throw error()
    }
    const before = runs
    logged.length = 0
    const first = await post(key, { status, headers: { 'idempotent-replayed': undefined }, body: record(status, code) })
    work = async () => done
    const headers = {
      'idempotent-replayed': 'true',
      'idempotent-original-correlation-id': first.headers['x-correlation-id'],
    }
    const { message } = JSON.parse(first.text)
    expect(message).not.toContain('secret')
    await post(key, { status, headers, body: { ...record(status, code), message } })
    await post(
      key,
      { status, headers: { ...headers, 'content-type': /^application\/problem\+xml/ } },
      {
        accept: 'application/problem+xml',
      },
    )
    expect(runs - before).toBe(1)
    expect(await isWritten(key)).toBe(false)
    // An error is logged as an error once. Its replays are logged as replays.
    const failures = status >= 500 ? ['request failed'] : []
    expect(logged.map(({ msg }) => msg)).toEqual([...failures, 'failure replayed', 'failure replayed'])
    expect(logged.filter(({ level }) => level >= 50)).toHaveLength(failures.length)
  })

  test.each([
    ['503', () => httpError(503, undefined, { retryAfter: 1 })],
    ['a rule that is checked before the work', () => httpError(412)],
    ['a missing item', () => httpError(404)],
    ['a connection that broke', () => new Error('Connection terminated unexpectedly')],
    ['a deadlock', () => Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' })],
  ])('runs again after %s', async (_name, error) => {
    const key = nextKey()
    work = async (call) => {
      await write(call, key)
      throw error()
    }
    await post(key, {})
    expect(await isWritten(key)).toBe(false)
    work = async (call) => {
      await write(call, key)
      return done
    }
    await post(key, { status: 204, headers: { 'idempotent-replayed': undefined } })
    expect(await isWritten(key)).toBe(true)
  })

  test('gives parallel retries of what fails the one failure', async () => {
    const key = nextKey()
    work = async (call) => {
      await write(call, key)
      throw httpError(422, `No, said attempt ${runs}.`, { code: 'NO' })
    }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(key, { status: 422 }, { prefer: 'wait=5' })),
    )
    expect(new Set(answers.map(({ text }) => JSON.parse(text).message)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await isWritten(key)).toBe(false)
  })

  test('keeps a failure beside a transaction that is rolled back', async () => {
    const [failing, other] = [nextKey(), nextKey()]
    let rolledBack: Promise<unknown> = Promise.resolve()
    work = () => {
      // Begins on the one connection of SQLite as soon as this one has failed, and before its
      // failure is kept.
      rolledBack = service.running.database.transaction(async (tx) => {
        await writeSetting(tx, other, '1')
        await new Promise((resolve) => setImmediate(resolve))
        throw new Error('rolled back')
      })
      rolledBack.catch(() => {})
      throw httpError(409, 'No.', { code: 'NO' })
    }
    await post(failing, { status: 409, headers: { 'idempotent-replayed': undefined } })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await post(failing, { status: 409, headers: { 'idempotent-replayed': 'true' } })
    expect(await isWritten(other)).toBe(false)
  })

  test.each([
    ['with a key', (key: string) => key],
    ['without a key', () => undefined],
  ])('undoes what is not ready before the deadline, %s', async (_name, keyOf) => {
    const name = nextKey()
    let goOn = (): void => {}
    const answered = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let isOver: Promise<unknown> = Promise.resolve()
    work = (call) => {
      const change = inTransaction(call, async (change) => {
        await write(change, name)
        await answered
        return done
      })
      isOver = change.catch((error: unknown) => error)
      return change
    }
    await post(keyOf(name), { status: 503, headers: { 'retry-after': '1' } }, { 'x-hasty': '1' })
    goOn()
    await isOver
    await service.running.database.transaction(() => {})
    expect(await isWritten(name)).toBe(false)
    work = async (call) => {
      await write(call, name)
      return done
    }
    await post(keyOf(name), { status: 204, headers: { 'idempotent-replayed': undefined } })
    expect(await isWritten(name)).toBe(true)
  })

  test('gives its deadline to the work, not to the client that sends the body', async () => {
    const { hostname, port } = new URL(url)
    work = async ({ body }) => ({ ...done, headers: { 'X-Length': String(body.length) } })
    const socket = connect(Number(port), hostname)
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nX-Hasty: 1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    // Longer than the deadline, while no work is in progress.
    setTimeout(() => socket.write('}'), 200)
    await new Promise((resolve) => socket.on('close', resolve))
    expect(answer).toMatch(/^HTTP\/1\.1 204 .*\r\nX-Length: 2\r\n/s)
  })

  test('replays a refusal of the business when its reason is gone, and no refusal of the fields', async () => {
    const product = (sku: string) => ({ sku, name: 'Lamp', price: { amount: '1.00', currency: 'EUR' } })
    const create = (json: unknown, key: string) =>
      ({ as: 'ada', method: 'POST', path: '/products', json, headers: { 'idempotency-key': key } }) as const
    const first = await service.check(create(product('ONCE-1'), nextKey()), { status: 201 })
    const duplicate = create(product('ONCE-1'), nextKey())
    const body = record(409, 'DUPLICATE_VALUE')
    const refused = await service.check(duplicate, { status: 409, headers: { 'idempotent-replayed': undefined }, body })
    await service.check({ as: 'ada', method: 'DELETE', path: first.headers['location'] ?? '' }, { status: 204 })
    const { message } = JSON.parse(refused.text)
    await service.check(duplicate, {
      status: 409,
      headers: { 'idempotent-replayed': 'true' },
      body: { ...body, message },
    })

    const key = nextKey()
    await service.check(create({ ...product('ONCE-2'), name: 7 }, key), { status: 400 })
    await service.check(create(product('ONCE-2'), key), { status: 201, headers: { 'idempotent-replayed': undefined } })

    const reference = create({ ...product('ONCE-3'), categoryId: 9999 }, nextKey())
    const { text } = await service.check(reference, { status: 422, body: record(422, 'UNKNOWN_REFERENCE') })
    const { errors } = JSON.parse(text)
    expect(errors).not.toHaveLength(0)
    await service.check(reference, { status: 422, headers: { 'idempotent-replayed': 'true' }, body: { errors } })
  })
})
