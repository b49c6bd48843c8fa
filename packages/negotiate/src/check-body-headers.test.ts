import { type BodyHeaderRules, checkBodyHeaders } from '@svc/negotiate'
import { describe, expect, test } from 'vitest'
import { acceptHeaders } from './accept-headers.ts'

const documents: BodyHeaderRules = {
  types: ['application/json', 'application/xml'],
  encodings: ['gzip', 'br', 'deflate'],
}
const patches: BodyHeaderRules = {
  types: ['application/merge-patch+json', 'application/json-patch+json', 'application/json'],
}
const two = 'application/json, application/xml'

describe('headers of a body (RFC 9110 §15.5.16, RFC 10008 §2.1)', () => {
  const rows: [
    method: string,
    headers: Record<string, string>,
    accepted: BodyHeaderRules,
    status: number | undefined,
    fields?: object | undefined,
  ][] = [
    ['POST', { 'content-type': 'application/json' }, documents, undefined],
    ['POST', { 'content-type': 'APPLICATION/JSON; charset=UTF-8' }, documents, undefined],
    ['POST', { 'content-type': 'application/json; charset="utf-8"' }, documents, undefined],
    ['POST', { 'content-type': 'application/json;charset=utf8' }, documents, undefined],
    ['POST', { 'content-type': 'text/plain' }, documents, 415, { Accept: two, 'Accept-Post': two }],
    ['POST', {}, documents, 415, { Accept: two, 'Accept-Post': two }],
    ['POST', { 'content-type': 'rubbish' }, documents, 415, { Accept: two, 'Accept-Post': two }],
    ['POST', { 'content-type': 'application/jsonx' }, documents, 415, { Accept: two, 'Accept-Post': two }],
    ['PUT', { 'content-type': 'application/json; charset=latin1' }, documents, 415, { Accept: two }],
    ['PUT', { 'content-type': 'application/json', 'content-range': 'bytes 0-1/2' }, documents, 400, undefined],
    [
      'PATCH',
      { 'content-type': 'text/plain' },
      patches,
      415,
      { Accept: patches.types.join(', '), 'Accept-Patch': patches.types.join(', ') },
    ],
    ['QUERY', {}, documents, 400, { 'Accept-Query': '"application/json", "application/xml"' }],
    [
      'QUERY',
      { 'content-type': 'application/x-unknown' },
      { types: ['application/json'] },
      415,
      { Accept: 'application/json', 'Accept-Query': '"application/json"' },
    ],
    [
      'POST',
      { 'content-type': 'application/json', 'content-encoding': 'compress' },
      documents,
      415,
      { 'Accept-Encoding': 'gzip, br, deflate' },
    ],
    ['POST', { 'content-type': 'application/json', 'content-encoding': 'X-GZIP' }, documents, undefined],
    ['POST', { 'content-type': 'application/json', 'content-encoding': 'identity, gzip' }, documents, undefined],
    [
      'POST',
      { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip, gzip' },
      documents,
      415,
      { 'Accept-Encoding': 'gzip, br, deflate' },
    ],
    [
      'POST',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { ...documents, encodings: [] },
      415,
      { 'Accept-Encoding': 'identity' },
    ],
    [
      'POST',
      { 'content-type': 'text/plain', 'content-encoding': 'compress' },
      documents,
      415,
      { Accept: two, 'Accept-Post': two },
    ],
    ['PUT', { 'content-type': 'image/png' }, { types: ['image/*'] }, undefined],
    ['PUT', { 'content-type': 'imagex/png' }, { types: ['image/*'] }, 415, { Accept: 'image/*' }],
    ['PUT', { 'content-type': 'a/b' }, { types: ['*/*'] }, undefined],
    ['PUT', { 'content-type': 'text/csv; header=present' }, { types: ['text/csv; header=present'] }, undefined],
  ]
  test.each(rows)('%s %j', (method, headers, accepted, status, fields) => {
    for (const length of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }]) {
      const refused = checkBodyHeaders({ method, headers: { ...headers, ...length } }, accepted)
      expect(refused?.status).toBe(status)
      expect(refused?.headers).toEqual(fields)
    }
  })

  test('accepts a request without a body', () => {
    expect(checkBodyHeaders({ method: 'POST', headers: { 'content-length': '0' } }, documents)).toBeUndefined()
    expect(checkBodyHeaders({ method: 'POST', headers: {} }, documents)).toBeUndefined()
    expect(checkBodyHeaders({ method: 'GET', headers: { 'content-type': 'text/plain' } }, documents)).toBeUndefined()
  })

  test('accepts a Fetch Request whose length is 0, although it has a stream', () => {
    const request = (length: Record<string, string>): Request => {
      const body = new ReadableStream({ start: (controller) => controller.close() })
      return new Request('http://localhost/', {
        method: 'DELETE',
        headers: length,
        body,
        duplex: 'half',
      } as RequestInit)
    }
    expect(checkBodyHeaders(request({ 'content-length': '0' }), documents)).toBeUndefined()
    for (const length of [{}, { 'content-length': '2' }, { 'content-length': 'x' }])
      expect(checkBodyHeaders(request(length), documents)?.status).toBe(415)
  })

  test.each(['GZIP', 'x-gzip'])('accepts gzip by the encoding %s', (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': '1' }
    expect(checkBodyHeaders({ method: 'POST', headers }, { ...documents, encodings: [encoding] })).toBeUndefined()
  })

  test('has a code for each cause, and truncates a long header', () => {
    const codeOf = (method: string, headers: Record<string, string>): string | undefined =>
      checkBodyHeaders({ method, headers: { ...headers, 'content-length': '1' } }, documents)?.code
    expect([
      codeOf('POST', {}),
      codeOf('POST', { 'content-type': 'application/json', 'content-encoding': 'x' }),
      codeOf('QUERY', {}),
      codeOf('PUT', { 'content-range': 'bytes 0-1/2' }),
    ]).toEqual([
      'ERR_NEGOTIATE_CONTENT_TYPE_UNSUPPORTED',
      'ERR_NEGOTIATE_ENCODING_UNSUPPORTED',
      'ERR_NEGOTIATE_CONTENT_TYPE_REQUIRED',
      'ERR_NEGOTIATE_PARTIAL_PUT',
    ])
    const long = checkBodyHeaders(
      { method: 'POST', headers: { 'content-type': 'x'.repeat(5000), 'content-length': '1' } },
      documents,
    )
    expect(long?.message.length).toBeLessThan(200)
  })

  test.each<[string, Record<string, string>, string, object]>([
    ['no type', {}, 'A body without Content-Type', {}],
    ['an empty type', { 'content-type': '' }, 'A body without Content-Type', {}],
    ['a malformed type', { 'content-type': 'json' }, 'Content-Type json', { type: 'json' }],
    ['a charset', { 'content-type': 'a/b; charset=latin1' }, 'The charset latin1', { charset: 'latin1' }],
  ])('names %s in its params, which differ by cause', (_title, headers, subject, params) => {
    const request = { method: 'POST', headers: { ...headers, 'content-length': '1' } }
    const error = checkBodyHeaders(request, { types: ['a/b'] })
    expect(error?.message).toBe(`${subject} is not supported. Supported: a/b.`)
    expect(error).toMatchObject({ params: { ...params, supported: ['a/b'] } })
    expect(Object.keys(Object(error).params)).toEqual([...Object.keys(params), 'supported'])
  })
})

test('lists the accepted bodies, Accept-Query as a structured list (RFC 9651)', () => {
  expect(acceptHeaders({ POST: ['a/b', 'c/d;x=1'], PATCH: ['e/f'], QUERY: ['a/b', 'c/d;x=1'], GET: ['g/h'] })).toEqual({
    'Accept-Post': 'a/b, c/d;x=1',
    'Accept-Patch': 'e/f',
    'Accept-Query': '"a/b", "c/d";x=1',
  })
})
