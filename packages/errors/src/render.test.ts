import {
  type ErrorResponse,
  type ErrorsOptions,
  httpError,
  httpErrorValue,
  toRecord,
  validationError,
} from '@svc/errors'
import { describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { fail, serve } from './testing/serve.ts'

describe('problem documents', () => {
  const accept = { accept: 'application/problem+json' }
  const id = '0190CB5E-0000-7000-8000-0000000000AB'

  test('have a type built from base and code, and the correlation id as instance', async () => {
    const { url, entries } = await serve(httpError(404, 'No.', { code: 'EMPLOYEE_NOT_FOUND' }), {
      problemBaseUrl: 'https://api.example/problems',
      correlationId: () => id,
    })
    const answer = await check(url, { path: '/a?b', headers: accept }, { status: 404 })
    const instance = `urn:uuid:${id.toLowerCase()}`
    expect(JSON.parse(answer.text)).toEqual({
      type: 'https://api.example/problems/employee-not-found',
      title: 'Not Found',
      status: 404,
      detail: 'No.',
      instance,
      code: 'EMPLOYEE_NOT_FOUND',
      timestamp: '2026-11-21T07:30:00.000Z',
      path: '/a',
    })
    expect(entries[0]?.instance).toBe(instance)
  })

  test('have a new instance without a correlation id', async () => {
    const { url } = await serve(httpError(404), { correlationId: () => 'not a UUID' })
    const instance = /"instance":"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/
    await check(url, { headers: accept }, { body: instance })
  })

  test('point into the body with a fragment', async () => {
    const { url } = await serve(validationError([{ path: ['a', 0], message: 'bad' }]))
    await check(url, { headers: accept }, { body: { errors: [{ pointer: '#/a/0', field: 'a[0]' }] } })
  })

  test('encode characters that a fragment must not contain (RFC 6901 §6)', async () => {
    const { url } = await serve(validationError([{ path: ['a b', '#%ü\ud800'], message: 'bad' }]))
    await check(url, { headers: accept }, { body: { errors: [{ pointer: '#/a%20b/%23%25%C3%BC%EF%BF%BD' }] } })
  })

  test('fall back to a record if they cannot be serialized', async () => {
    const { url, entries } = await serve(httpError(403, 'No.', { extensions: { balance: 10n } }))
    const answer = await check(url, { headers: accept }, { status: 403, body: { message: 'No.' } })
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['timestamp', 'status', 'error', 'message', 'path'])
    expect(entries).toHaveLength(2)
  })
})

test.each([
  'No.',
  '',
  'a "quoted" text',
  'C:\\temp',
  'two\nlines\u0000\u001f',
  'del \u007f, no-break \u00a0, line \u2028',
  'Zürich, 東京, 🎈',
  'half \ud83c',
])('a record has the message %j as JSON.stringify() writes it', async (message) => {
  const { url } = await serve(httpErrorValue(404, message, { code: 'A_1' }))
  const { text } = await check(url, { path: '/a%22b' }, { status: 404 })
  const now = Date.UTC(2026, 10, 21, 7, 30)
  expect(text).toBe(JSON.stringify(toRecord(httpError(404, message, { code: 'A_1' }), { path: '/a%22b', now })))
})

test('strictRecord keeps only the five common properties', async () => {
  const { url } = await serve(validationError([{ path: ['a'], message: 'bad' }]), { strictRecord: true })
  const answer = await check(url, {}, { status: 400 })
  expect(Object.keys(JSON.parse(answer.text))).toEqual(['timestamp', 'status', 'error', 'message', 'path'])
})

describe('html', () => {
  const accept = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  test('true sends a self-contained page with all text escaped', async () => {
    const error = validationError([{ path: ['<b>'], message: '"&\'' }], { message: '<script>alert(1)</script>' })
    const { url } = await serve(error, { html: true })
    const answer = await check(
      url,
      { path: '/%3Cimg%3E', headers: accept },
      {
        status: 400,
        headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
      },
    )
    expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(answer.text).toContain('<h1>400 Bad Request</h1>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    expect(answer.text).toContain(`<strong>&lt;b&gt;</strong>: "&amp;'`)
    expect(answer.text).not.toContain('<script')
  })

  test.each([
    ['a text', (): string => '<p>mine</p>'],
    ['a promise', async (): Promise<string> => '<p>mine</p>'],
  ])('as a function sends its page: %s', async (_name, html) => {
    const { url } = await serve(httpError(404), { html })
    await check(
      url,
      { headers: accept },
      { status: 404, headers: { 'cache-control': 'no-store' }, body: '<p>mine</p>' },
    )
    await check(url, {}, { status: 404, body: { status: 404 } })
  })

  test.each([
    ['throws', () => fail('canary')],
    ['rejects', () => Promise.reject(new Error('canary'))],
    ['gives no text', () => 7 as unknown as string],
    ['promises no text', async () => ({ canary: 1 }) as unknown as string],
  ])('as a function that %s sends the plain page, and both errors are logged', async (_name, html) => {
    const { url, entries } = await serve(httpError(404), { html })
    const answer = await check(url, { headers: accept }, { status: 404, body: /<h1>404 Not Found<\/h1>/ })
    expect(answer.text).not.toContain('canary')
    expect(entries.map((entry) => entry.severity)).toEqual(['warn', 'error'])
  })
})

describe('render', () => {
  const fault: ErrorsOptions['render'] = ({ record, classification, req }) =>
    req.url?.startsWith('/ws')
      ? {
          contentType: 'application/soap+xml; charset=utf-8',
          body: `<Fault><Text>${record.message}</Text></Fault>`,
          status:
            classification.status === 429 || classification.status === 503
              ? classification.status
              : classification.status < 500
                ? 400
                : 500,
          headers: { 'X-Fault': 'yes' },
        }
      : undefined

  test('sends a custom response with the headers of the error', async () => {
    const { url } = await serve(httpError(409, 'Taken.', { retryAfter: 3 }), { render: fault })
    await check(
      url,
      { path: '/ws/customer', headers: { accept: 'application/json' } },
      {
        status: 400,
        headers: { 'content-type': 'application/soap+xml; charset=utf-8', 'retry-after': '3', 'x-fault': 'yes' },
        body: '<Fault><Text>Taken.</Text></Fault>',
      },
    )
    await check(url, { path: '/employees' }, { status: 409, body: { message: 'Taken.' } })
  })

  test('can be asynchronous and return bytes', async () => {
    const { url } = await serve(httpError(409), {
      render: async () => ({ contentType: 'image/x', body: new Uint8Array([1, 2]) }),
    })
    expect([...(await check(url, {}, { status: 409 })).body]).toEqual([1, 2])
  })

  test('falls back to the other options if it throws, rejects or returns an invalid response', async () => {
    const renderers: ErrorsOptions['render'][] = [
      () => fail('canary'),
      () => Promise.reject(new Error('canary')),
      () => ({ body: 'canary' }) as unknown as ErrorResponse,
      async () => ({ contentType: 'text/x', body: 7 as unknown as string }),
      () => ({ contentType: 'text/x; t=“a”', body: 'canary' }),
      async () => ({ contentType: 'text/x\r\nX: y', body: 'canary' }),
    ]
    for (const render of renderers) {
      const { url, entries } = await serve(httpError(409), { render: render ?? (() => undefined) })
      await check(url, {}, { status: 409, body: { status: 409 } })
      expect(entries).toHaveLength(2)
    }
  })
})

describe('problemBaseUrl as a function', () => {
  const accept = { headers: { accept: 'application/problem+json' } }

  test('is called with the request', async () => {
    const { url } = await serve(httpError(404), { problemBaseUrl: (req) => `http://${req.headers.host}/problems` })
    await check(url, accept, { body: { type: `${new URL(url).origin}/problems/not-found` } })
  })

  test.each([
    ['throws', () => fail('canary')],
    ['gives no URI', () => '/problems'],
  ])('leaves about:blank if it %s, and is logged', async (_name, problemBaseUrl) => {
    const { url, entries } = await serve(httpError(404), { problemBaseUrl })
    await check(url, accept, { status: 404, body: { type: 'about:blank' } })
    expect(entries.map(({ severity }) => severity)).toContain('error')
  })
})
