import { checkBodyHeaders, checkPreconditions, encoding, language, mediaType } from '@svc/negotiate'
import { accepts } from '@svc/negotiate/accepts'
import { evaluatePreconditions } from '@svc/negotiate/etags'
import { Negotiator } from '@svc/negotiate/negotiator'
import { chooseVariant, rankMediaTypes } from '@svc/negotiate/variants'
import { describe, expect, test } from 'vitest'

const put = (headers: Record<string, string>): Request =>
  new Request('http://localhost/a', { method: 'PUT', body: 'x', headers })

describe('a Fetch Request', () => {
  test('has its preconditions checked like one of node:http', () => {
    expect(checkPreconditions(put({ 'if-match': '"999"' }), { version: 3 })?.status).toBe(412)
    expect(checkPreconditions(put({ 'if-match': '"3"' }), { version: 3 })).toBeUndefined()
    expect(checkPreconditions(put({}), { version: 3 }, { required: true })?.status).toBe(428)
    expect(evaluatePreconditions('PUT', put({ 'if-match': '"999"' }).headers, { version: 3 })).toBe('failed')
    const later = put({ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' })
    expect(checkPreconditions(later, { lastModified: new Date('1994-11-06T08:49:38Z') })?.status).toBe(412)
    expect(checkPreconditions(later, { lastModified: new Date('1994-11-06T08:49:37Z') })).toBeUndefined()
  })

  test('has its body checked, although it has no length', () => {
    expect(checkBodyHeaders(put({ 'content-type': 'text/csv' }), { types: ['application/json'] })?.status).toBe(415)
    expect(checkBodyHeaders(put({ 'content-type': 'text/csv' }), { types: ['text/csv'] })).toBeUndefined()
    const coded = put({ 'content-type': 'text/csv', 'content-encoding': 'snappy' })
    expect(checkBodyHeaders(coded, { types: ['text/csv'] })?.code).toBe('ERR_NEGOTIATE_ENCODING_UNSUPPORTED')
    expect(checkBodyHeaders(new Request('http://localhost/a'), { types: ['text/csv'] })).toBeUndefined()
  })

  const request = new Request('http://localhost/', {
    headers: { accept: 'text/csv', 'accept-language': 'de', 'accept-encoding': 'br' },
  })

  test.each([
    ['the request', request],
    ['its headers', request.headers],
  ])('is negotiated by %s', (_name, source) => {
    expect(mediaType(source, ['application/json', 'text/csv'])).toBe('text/csv')
    expect(language(source, ['en', 'de'])).toBe('de')
    expect(encoding(source, ['gzip', 'br'])).toBe('br')
    expect(rankMediaTypes(source, ['application/json', 'text/csv'])[0]?.value).toBe('text/csv')
    expect(chooseVariant(source, { types: ['a/b', 'text/csv'] }).type).toBe('text/csv')
  })

  test('is read by the drop-ins', () => {
    expect(new Negotiator(request).mediaType(['application/json', 'text/csv'])).toBe('text/csv')
    expect(accepts(request).types('json', 'csv')).toBe('csv')
    expect(accepts(request).languages('en', 'de')).toBe('de')
  })
})

describe('any other argument throws a TypeError instead of passing', () => {
  test.each([[undefined], [null], [5], ['if-match'], [[['if-match', '"9"']]]])('headers: %j', (headers) => {
    const message = /^negotiate: headers must be those of node:http or Fetch, got /
    expect(() => evaluatePreconditions('PUT', headers as never, { version: 3 })).toThrow(message)
    expect(() => checkPreconditions({ method: 'PUT', headers: headers as never }, { version: 3 })).toThrow(message)
    expect(() => checkBodyHeaders({ method: 'PUT', headers: headers as never }, { types: [] })).toThrow(message)
    expect(() => mediaType({ headers: headers as never }, ['a/b'])).toThrow(message)
  })

  test.each(['If-Match', 'If-None-Match', 'If-Unmodified-Since'])('%s in a record of headers', (name) => {
    const message = new TypeError(`negotiate: names of headers must be in lower case, got "${name}"`)
    const headers = { [name]: '"9"' }
    expect(() => evaluatePreconditions('PUT', headers, { version: 3 })).toThrow(message)
    expect(() => checkPreconditions({ method: 'PUT', headers }, { version: 3 })).toThrow(message)
    // As a condition that is set only sometimes: it is reported before the first time.
    expect(() => evaluatePreconditions('PUT', { [name]: undefined }, { version: 3 })).toThrow(message)
  })

  test('Content-Type in a record of headers', () => {
    const headers = { 'Content-Type': 'text/csv', 'Content-Length': '9' }
    expect(() => checkBodyHeaders({ method: 'PUT', headers }, { types: [] })).toThrow(
      new TypeError('negotiate: names of headers must be in lower case, got "Content-Type"'),
    )
  })

  test('an invalid time', () => {
    const headers = { 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }
    for (const [lastModified, got] of [
      [new Date('never'), 'an invalid Date'],
      [Number.NaN, 'NaN'],
      [1.7e18, '1700000000000000000'],
      [null as never, 'null'],
    ] as const)
      expect(() => evaluatePreconditions('PUT', headers, { lastModified })).toThrow(
        new TypeError(`negotiate: lastModified must be a Date or milliseconds, got ${got}`),
      )
  })

  test('a header named get is a header', () => {
    const headers = { get: 'x', 'if-match': '"9"' } as never
    expect(evaluatePreconditions('PUT', headers, { version: 3 })).toBe('failed')
  })
})
