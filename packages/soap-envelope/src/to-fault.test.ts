import { httpStatusFor, SoapFault, toFault } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'

const error = (status: number, more: object = {}): Error =>
  Object.assign(new Error('The words.'), { status, expose: status < 500, ...more })

describe('maps an HTTP error to a fault, and its status in both versions', () => {
  test.each([
    [400, 'Sender', 'InvalidRequest', 400, 500],
    [401, 'Sender', 'FailedAuthentication', 400, 500],
    [403, 'Sender', 'NotPermitted', 400, 500],
    [404, 'Sender', 'NotFound', 400, 500],
    [405, 'Sender', 'MethodNotAllowed', 405, 405],
    [409, 'Sender', 'Conflict', 400, 500],
    [413, 'Sender', 'LimitExceeded', 413, 413],
    [415, 'Sender', 'UnsupportedMediaType', 415, 415],
    [414, 'Sender', 'LimitExceeded', 414, 414],
    [417, 'Sender', 'InvalidRequest', 417, 417],
    [418, 'Sender', 'InvalidRequest', 400, 500],
    [421, 'Sender', 'InvalidRequest', 421, 421],
    [422, 'Sender', 'InvalidValue', 400, 500],
    [429, 'Receiver', 'RateLimited', 429, 429],
    [431, 'Sender', 'LimitExceeded', 431, 431],
    [500, 'Receiver', 'InternalError', 500, 500],
    [502, 'Receiver', 'InternalError', 500, 500],
    [503, 'Receiver', 'Unavailable', 503, 503],
  ])('%i', (status, code, subcode, in12, in11) => {
    const fault = toFault(error(status))
    expect(fault).toMatchObject({ code, status })
    expect(fault.subcodes[0]?.local).toBe(subcode)
    expect(httpStatusFor(fault, '1.2')).toBe(in12)
    expect(httpStatusFor(fault, '1.1')).toBe(in11)
    expect(fault.message).toBe(status < 500 ? 'The words.' : 'The service could not process the message.')
  })
})

test.each([
  ['a bug', new TypeError('/home/app/secret.js is not a function')],
  ['an error that must not be shown', error(400, { expose: false })],
  ['an error that does not say that it may be shown', Object.assign(new Error('secret'), { status: 409 })],
  ['a database error', Object.assign(new Error('password=hunter2'), { code: 'ECONNREFUSED' })],
  ['a status that is none', error(200)],
  ['a status as text', error('404' as unknown as number)],
  ['a thrown text', 'secret'],
  ['nothing', undefined],
  ['null', null],
])('tells nothing of %s', (_, thrown) => {
  const fault = toFault(thrown)
  expect(fault.message).toBe('The service could not process the message.')
  expect(JSON.stringify(fault)).not.toMatch(/secret|hunter2/)
})

test.each([0, 99, 200, 302, 600, 404.5, Number.NaN, '404' as unknown as number])(
  'ignores %s as the status of a fault: it is not that of an error',
  (status) => {
    for (const [code, expected] of [['Sender', 400] as const, ['Receiver', 500] as const]) {
      const fault = new SoapFault({ code, reason: 'x', status, httpStatus: status })
      expect(fault).toMatchObject({ status: expected, httpStatus: undefined })
      expect(httpStatusFor(fault, '1.2')).toBe(expected)
    }
  },
)

test('keeps the header fields, and 401 only with a challenge', () => {
  expect(toFault(error(429, { headers: { 'Retry-After': 3 } })).headers).toEqual({ 'Retry-After': '3' })
  expect(httpStatusFor(toFault(error(401, { headers: { 'WWW-Authenticate': 'Basic' } })), '1.2')).toBe(401)
  expect(httpStatusFor(toFault(error(401)), '1.2')).toBe(400)
})

test('omits headers about the body, which is the fault', () => {
  const headers = {
    'content-type': 'x',
    'Content-Length': 9,
    'transfer-encoding': 'chunked',
    Trailer: 'x',
    ETag: '"x"',
  }
  expect(toFault(error(429, { headers: { ...headers, 'Retry-After': 3 } })).headers).toEqual({ 'Retry-After': '3' })
})

test.each([{ response: {} }, { request: {} }, { $metadata: {} }, { raw: {}, requestId: 'req_1' }])(
  'an error of an HTTP client is an internal error: %o',
  (members) => {
    const fault = toFault(error(401, { headers: { 'WWW-Authenticate': 'Basic' }, ...members }))
    expect(fault).toMatchObject({ code: 'Receiver', subcodes: [{ local: 'InternalError' }], status: 500, headers: {} })
    expect(fault.message).toBe('The service could not process the message.')
  },
)

test('shows an error of 503 that says it may be shown', () => {
  expect(toFault(error(503, { expose: true })).message).toBe('The words.')
})

describe('detail', () => {
  const detail = (record: object): string => JSON.stringify(record)
  const options = { path: '/ws', correlationId: 'c-1', now: () => 0, detail }

  test('is the Error record', () => {
    expect(JSON.parse(toFault(error(404), options).detail ?? '')).toEqual({
      timestamp: '1970-01-01T00:00:00.000Z',
      status: 404,
      error: 'Not Found',
      message: 'The words.',
      path: '/ws',
      correlationId: 'c-1',
    })
    expect(JSON.parse(toFault(error(404), { detail }).detail ?? '')).not.toHaveProperty('correlationId')
  })

  test('is not there for errors in header blocks (SOAP 1.1, 4.4)', () => {
    expect(toFault(error(401), options).detail).toBeUndefined()
    expect(toFault(new SoapFault({ code: 'MustUnderstand', reason: 'x' }), options).detail).toBeUndefined()
    expect(toFault(new SoapFault({ code: 'VersionMismatch', reason: 'x' }), options).detail).toBeUndefined()
  })

  test('of a fault that has one stays', () => {
    const own = new SoapFault({ code: 'Sender', reason: 'x', detail: '<own/>', role: 'r', node: 'n', httpStatus: 409 })
    expect(toFault(own, options)).toMatchObject({ detail: '<own/>', role: 'r', node: 'n', httpStatus: 409 })
  })
})

test('a fault of the receiver has a stack, one of the sender none', () => {
  expect(new SoapFault({ code: 'Receiver', reason: 'x' }).stack).toContain('to-fault.test')
  expect(new SoapFault({ code: 'Sender', reason: 'x' }).stack).not.toContain('to-fault.test')
})
