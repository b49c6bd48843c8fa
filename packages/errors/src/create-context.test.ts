import { type ErrorsOptions, errors, httpError } from '@svc/errors'
import { describe, expect, test } from 'vitest'
import { createHttpError } from '../../internal/http-error.ts'
import { check } from '../../internal/testing/check.ts'
import { fail, run, serve } from './testing/serve.ts'

describe('mapError', () => {
  class OutOfStock extends Error {}

  test('replaces an error, and passes the original to the log', async () => {
    const original = new OutOfStock('canary')
    const { url, entries } = await serve(original, {
      mapError: (error) =>
        error instanceof OutOfStock ? httpError(409, 'Sold out.', { code: 'SOLD_OUT' }) : undefined,
    })
    await check(url, {}, { status: 409, body: { code: 'SOLD_OUT', message: 'Sold out.' } })
    expect(entries[0]).toMatchObject({ error: original, status: 409, code: 'SOLD_OUT' })
  })

  test('keeps an error for which it returns undefined', async () => {
    const { url } = await serve(httpError(404), { mapError: () => undefined })
    await check(url, {}, { status: 404 })
  })

  test('is not awaited', async () => {
    const { url } = await serve(httpError(404), { mapError: () => Promise.reject(new Error('canary')) })
    await check(url, {}, { status: 404 })
    expect.hasAssertions()
  })

  test('is replaced by what it throws', async () => {
    const { url } = await serve(httpError(404), { mapError: () => fail('canary') })
    await check(url, {}, { status: 500, body: { code: 'INTERNAL_ERROR' } })
  })
})

test('an error that cannot be inspected is a failure, also after the handler has set a status', async () => {
  const severities: string[] = []
  const handle = errors({ onError: ({ severity }) => void severities.push(severity) })
  const hostile = Object.defineProperty(new Error('x'), 'name', { get: () => fail('canary') })
  const { url } = await run((req, res) => {
    res.statusCode = 404
    handle(hostile, req, res)
  })
  await check(url, {}, { status: 404 })
  expect(severities).toEqual(['error'])
})

test('headers that a callback adds are those of one error', async () => {
  const shared = httpError(404, undefined, { headers: { 'X-A': 'a' } })
  const { url } = await serve(shared, {
    render({ classification, req }) {
      if (req.url === '/first') classification.headers['X-B'] = 'b'
      return undefined
    },
  })
  await check(url, { path: '/first' }, { headers: { 'x-a': 'a', 'x-b': 'b' } })
  await check(url, { path: '/second' }, { headers: { 'x-a': 'a', 'x-b': undefined } })
})

describe('codes', () => {
  const limited = httpError(429, 'Too many.', { code: 'ERR_RATELIMIT_EXCEEDED' })

  test.each<[string, NonNullable<ErrorsOptions['codes']>, string]>([
    ['an object', { ERR_RATELIMIT_EXCEEDED: 'SLOW_DOWN' }, 'SLOW_DOWN'],
    ['an object without the code', { OTHER: 'SLOW_DOWN' }, 'ERR_RATELIMIT_EXCEEDED'],
    ['a function', (code) => code.replace(/^ERR_/, ''), 'RATELIMIT_EXCEEDED'],
    ['a function that returns undefined', () => undefined, 'ERR_RATELIMIT_EXCEEDED'],
    ['a function that throws', () => fail('canary'), 'ERR_RATELIMIT_EXCEEDED'],
    ['a function that returns no code', () => 'not a code', 'ERR_RATELIMIT_EXCEEDED'],
  ])('renames the code by %s', async (_name, codes, code) => {
    const { url, entries } = await serve(limited, { codes, problemBaseUrl: 'https://api.example/problems' })
    await check(url, {}, { status: 429, body: { code, message: 'Too many.' } })
    const type = `https://api.example/problems/${code.toLowerCase().replaceAll('_', '-')}`
    await check(url, { headers: { accept: 'application/problem+json' } }, { body: { code, type } })
    expect(entries.at(-1)?.code).toBe(code)
  })

  test('renames codes of statuses and libraries, and the code for localize', async () => {
    const localize: ErrorsOptions['localize'] = (code) => (code === 'MISSING' ? 'fehlt' : undefined)
    const { url } = await serve(httpError(404), { codes: { NOT_FOUND: 'MISSING' }, localize, languages: ['de'] })
    await check(url, {}, { body: { code: 'MISSING', message: 'fehlt' } })
  })

  test('does not read names of the prototype', async () => {
    const { url } = await serve(httpError(404, 'x', { code: 'X' }), { codes: Object.create({ X: 'Y' }) })
    await check(url, {}, { body: { code: 'X' } })
  })
})

describe('errors of other Svc packages', () => {
  test('keep their problem type and extension members, unlike other errors', async () => {
    const init = { status: 429, code: 'ERR_RATELIMIT_EXCEEDED', message: 'Too many.' }
    const problem = { type: 'https://iana.org/assignments/x', extensions: { 'violated-policies': ['minute'] } }
    const accept = { headers: { accept: 'application/problem+json' } }
    const own = await serve(createHttpError({ ...init, ...problem }))
    await check(own.url, accept, { body: { type: problem.type, 'violated-policies': ['minute'] } })
    const foreign = await serve(Object.assign(new Error('Too many.'), { ...init, ...problem, expose: true }))
    const { text } = await check(foreign.url, accept, { body: { type: 'about:blank' } })
    expect(text).not.toContain('minute')
  })
})

describe('localize', () => {
  const german: Record<string, string> = { OUT_OF_CREDIT: 'Ihr Guthaben ist {balance}.', REQUIRED: 'fehlt' }
  const localize: ErrorsOptions['localize'] = (code, language, params) =>
    language === 'de' ? german[code]?.replace('{balance}', String(params['balance'])) : undefined
  const error = httpError(403, 'Your balance is 3.', {
    code: 'OUT_OF_CREDIT',
    params: { balance: 3 },
    errors: [{ pointer: '/a', location: 'body', field: 'a', code: 'REQUIRED', detail: 'is required' }],
  })

  test('gets the params of an entry, which are never sent', async () => {
    const entry = { pointer: '/a', location: 'body', field: 'a', code: 'RANGE', detail: 'must be 1 to 9' } as const
    const failed = httpError(422, 'No.', { code: 'NO', errors: [{ ...entry, params: { max: 9 } }] })
    const limited: ErrorsOptions['localize'] = (code, _language, { max }) =>
      code === 'RANGE' ? `höchstens ${max}` : undefined
    const { url } = await serve(failed, { localize: limited, languages: ['de'] })
    for (const accept of ['application/json', 'application/problem+json']) {
      const answer = await fetch(url, { headers: { accept } })
      const { errors } = (await answer.json()) as { errors: Record<string, unknown>[] }
      expect(errors[0]).toMatchObject({ detail: 'höchstens 9' })
      expect(errors[0]).not.toHaveProperty('params')
    }
  })

  test('gets the params of an error of the http-errors convention', async () => {
    const own = Object.assign(new Error('Too many.'), {
      status: 429,
      statusCode: 429,
      expose: true,
      code: 'OUT_OF_CREDIT',
      params: { balance: 0 },
    })
    const { url } = await serve(own, { localize, languages: ['de'] })
    await check(url, {}, { status: 429, body: { message: 'Ihr Guthaben ist 0.' } })
  })

  test.each([
    ['de-AT, en;q=0.5', 'de', 'Ihr Guthaben ist 3.', 'fehlt'],
    ['en', 'en', 'Your balance is 3.', 'is required'],
    ['fr', 'en', 'Your balance is 3.', 'is required'],
  ])('translates for Accept-Language %s to %s', async (language, chosen, message, detail) => {
    const { url } = await serve(error, { localize, languages: ['en', 'de'] })
    await check(
      url,
      { headers: { 'accept-language': language } },
      {
        headers: { 'content-language': chosen, vary: 'Accept, Accept-Language' },
        body: { message, errors: [{ detail }] },
      },
    )
  })

  test('names the first language for a message that it does not translate', async () => {
    const { url } = await serve(httpError(404), { localize, languages: ['en', 'de'] })
    await check(
      url,
      { headers: { 'accept-language': 'de' } },
      { headers: { 'content-language': 'en', vary: 'Accept, Accept-Language' } },
    )
  })

  test('uses the language that a function returns', async () => {
    const { url } = await serve(error, { localize, languages: () => 'de' })
    await check(url, {}, { headers: { 'content-language': 'de' }, body: { message: 'Ihr Guthaben ist 3.' } })
  })

  test('sets the language of the page', async () => {
    const { url } = await serve(error, { localize, languages: ['de'], html: true })
    await check(
      url,
      { headers: { accept: 'text/html' } },
      { body: /<html lang="de">[\s\S]*<h1 lang="en">403 Forbidden<\/h1>\n<p>Ihr Guthaben[\s\S]*<dl lang="en">/ },
    )
  })

  test.each<[string, ErrorsOptions]>([
    ['throws', { localize: () => fail('canary') }],
    ['is asked for what is no language', { localize, languages: () => 'de\r\nX: y' }],
    ['is asked for nothing', { localize, languages: () => undefined as unknown as string }],
  ])('keeps the text if it %s', async (_name, options) => {
    const { url } = await serve(error, options)
    await check(url, {}, { status: 403, headers: { 'content-language': undefined }, body: { message: error.message } })
  })
})

test.each<[string, ErrorsOptions]>([
  ['localize', { localize: () => fail('canary') }],
  ['languages', { localize: () => undefined, languages: () => fail('canary') }],
  ['codes', { codes: () => fail('canary') }],
  ['correlationId', { correlationId: () => fail('canary') }],
  ['now', { now: () => fail('canary') }],
])('logs an error of %s, and sends the response without it', async (_name, options) => {
  const { url, entries } = await serve(httpError(404), options)
  await check(url, {}, { status: 404, body: { code: 'NOT_FOUND' } })
  expect(entries).toMatchObject([
    { error: new Error('canary'), status: 500, code: 'INTERNAL_ERROR', severity: 'error', path: '/' },
    { status: 404, severity: 'warn' },
  ])
})

test.each<[string, () => number]>([
  ['throws', () => fail('canary')],
  ['returns NaN', () => Number.NaN],
  ['returns nanoseconds', () => 1.7e18],
])('a clock that %s is ignored', async (_name, now) => {
  const { url } = await serve(httpError(404), { now })
  await check(url, {}, { status: 404, body: { timestamp: expect.stringMatching(/^20\d\d-/) } })
})
