import type { IncomingMessage, ServerResponse } from 'node:http'
import { versioning } from '@svc/versioning'
import express, { type NextFunction, type Request, type Response } from 'express'
import { afterEach, describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { hosts, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

const running: RunningHost[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()))
})

async function startOn(host: string, pipeline: Pipeline): Promise<string> {
  const server = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  running.push(server)
  return server.url
}

const api = versioning({ versions: ['1', '2', '3', '10'] })
const say =
  (word: string) =>
  (_req: IncomingMessage, res: ServerResponse): void =>
    void res.end(word)

describe.each(Object.keys(hosts))('a route on %s', (host) => {
  test('runs the handler of the version', async () => {
    const route = api.route({ '1': say('one'), '2..3': say('two or three'), '10': say('ten') })
    const url = await startOn(host, { middlewares: [api, route] })
    for (const [version, body] of Object.entries({ 1: 'one', 2: 'two or three', 3: 'two or three', 10: 'ten' }))
      await check(url, { headers: { 'api-version': version } }, { status: 200, body })
    expect.hasAssertions()
  })

  test('calls next if the resource does not exist in a version', async () => {
    const route = api.route({ '1': null, '2+': say('yes') })
    const url = await startOn(host, { middlewares: [api, route], handler: say('no') })
    await check(url, {}, { body: 'no' })
    await check(url, { headers: { 'api-version': '10' } }, { body: 'yes' })
    expect.hasAssertions()
  })

  test.each([
    [
      'a throw',
      () => {
        throw new Error('broken')
      },
    ],
    ['a rejection', () => Promise.reject(new Error('broken'))],
  ] as [string, () => unknown][])('passes %s of a handler to next', async (_name, handler) => {
    const errors: unknown[] = []
    const url = await startOn(host, {
      middlewares: [api, api.route({ '1+': handler })],
      onError: (error, _req, res) => {
        errors.push(error)
        res.statusCode = 500
        res.end()
      },
    })
    await check(url, {}, { status: 500 })
    expect(errors).toEqual([new Error('broken')])
  })

  test('passes an error to next if the middleware is not mounted', async () => {
    const codes: unknown[] = []
    const url = await startOn(host, {
      middlewares: [api.route({ '1+': say('never') })],
      onError: (error, _req, res) => {
        codes.push((error as { code: string }).code)
        res.end()
      },
    })
    await check(url, {}, { body: '' })
    expect(codes).toEqual(['ERR_VERSIONING_NOT_MOUNTED'])
  })
})

test.each([
  [
    { '1': say('a') },
    'route: every version must have a handler, got none for "2", "3", "10"; use null if the resource does not exist',
  ],
  [{}, 'route: every version must have a handler, got none for "1", "2", "3", "10"'],
  [{ '1+': say('a'), '10': say('b') }, 'route: version \"10\" must have one handler, got two'],
  [{ '1..3': say('a'), '3+': null }, 'route: version \"3\" must have one handler, got two'],
  [{ '1+': say('a'), '4': say('b') }, 'versions must be among 1, 2, 3, 10, got "4"'],
  [{ '1..': say('a') }, 'versions must be among 1, 2, 3, 10, got "1.."'],
  [{ '3..1': say('a') }, 'a range must end after it begins, got "3..1"'],
  [{ '+': say('a') }, 'versions must be among 1, 2, 3, 10, got "+"'],
  [{ '1+': 'a' }, 'route: the handler of "1+" must be a function or null, got "a"'],
  [{ '1+': undefined }, 'route: the handler of "1+" must be a function or null, got undefined'],
  [{ ['__proto__']: say('a') }, 'versions must be among 1, 2, 3, 10, got "__proto__"'],
])('rejects the route %j at startup', (handlers, message) => {
  expect(() => api.route(handlers as never)).toThrow(TypeError)
  expect(() => api.route(handlers as never)).toThrow(`versioning: ${message}`)
})

test('a version that is not in the options does not compile', () => {
  const typed = versioning({ versions: ['1', '2'], deprecated: { '1': { successor: '2' } } })
  const handler = (_req: Request, res: Response, _next: NextFunction): void => void res.json({})
  express().get('/a', typed.route({ '1': handler, '2+': async (_req: Request, res: Response) => res.json({}) }))
  express().get('/b', typed.route({ '1..2': (_req, res) => res.end() }))
  // @ts-expect-error there is no version 9
  expect(() => typed.route({ '1+': handler, '9': handler })).toThrow(TypeError)
  // @ts-expect-error there is no version 3
  expect(() => typed.route({ '1': handler, '3+': handler })).toThrow(TypeError)
  // @ts-expect-error there is no version 9
  expect(() => typed.addChange('9', { description: 'x' })).toThrow(TypeError)
  // @ts-expect-error there is no version 9
  expect(() => typed.down('9', 'x', {})).toThrow(TypeError)
  // @ts-expect-error the default is not one of the versions
  expect(() => versioning({ versions: ['1', '2'], default: '3' })).toThrow(TypeError)
  // @ts-expect-error the deprecated version is not one of the versions
  expect(() => versioning({ versions: ['1', '2'], deprecated: { '3': {} } })).toThrow(TypeError)
  // @ts-expect-error the option is misspelled
  expect(() => versioning({ versions: ['1'], vendr: 'svc' })).toThrow(TypeError)
  const decision = typed.resolve({})
  if (!('status' in decision)) expect(decision.version satisfies '1' | '2').toBe('1')
})
