import type { NegotiateOptions } from '@svc/negotiate'
import { describe, expect, test, vi } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts, type Pipeline } from '../../internal/testing/hosts.ts'
import { asking, type Handler, running, sendWhole } from './testing/running.ts'

describe.each(Object.keys(hosts))('a change on %s', (host) => {
  const ask = asking(host)

  const options = { currentState: () => ({ version: 7 }) }
  const rows: [string, NegotiateOptions, Record<string, string>, number][] = [
    ['of the current version', options, { 'if-match': '"7"' }, 200],
    ['of a tag of another variant and coding', options, { 'if-match': '"7.abcdef.gzip"' }, 200],
    ['of a tag of its own, coded', { currentState: () => ({ etag: '"a"' }) }, { 'if-match': '"a.br"' }, 200],
    ['of a tag that only begins alike', { currentState: () => ({ etag: '"a"' }) }, { 'if-match': '"a.b"' }, 412],
    ['of a longer tag', { currentState: () => ({ etag: '"a"' }) }, { 'if-match': '"ab"' }, 412],
    ['of what the tag must not be', { currentState: () => ({ etag: '"a"' }) }, { 'if-none-match': '"a.br"' }, 412],
    ['of an old version', options, { 'if-match': '"6.abcdef"' }, 412],
    ['of a version that only begins alike', options, { 'if-match': '"71"' }, 412],
    ['of a weak tag', options, { 'if-match': 'W/"7"' }, 412],
    ['of what must not exist', options, { 'if-none-match': '*' }, 412],
    ['with a malformed If-None-Match', options, { 'if-none-match': '7' }, 400],
    ['without condition', options, {}, 200],
    ['without condition, where one is required', { ...options, requirePrecondition: true }, {}, 428],
    [
      'of what must not exist, where one is required',
      { ...options, requirePrecondition: true },
      { 'if-none-match': '*' },
      412,
    ],
    ['with one, where it is required', { ...options, requirePrecondition: true }, { 'if-match': '"7"' }, 200],
    ['of nothing, where one is required', { currentState: () => null, requirePrecondition: true }, {}, 200],
    ['of what it would make, with If-Match', { currentState: () => ({ exists: false }) }, { 'if-match': '*' }, 412],
    ['of what it would make', { currentState: () => ({ exists: false }) }, { 'if-none-match': '*' }, 200],
    ['of what it would make, malformed', { currentState: () => ({ exists: false }) }, { 'if-none-match': '7' }, 400],
    ['of what exists', { currentState: () => ({ exists: true, version: 7 }) }, { 'if-match': '"7"' }, 200],
    ['of what exists, unversioned', { currentState: () => ({ exists: true }) }, { 'if-none-match': '*' }, 412],
    ['of what is not known', { currentState: () => undefined }, { 'if-match': '"6"' }, 200],
    ['of what is looked up', { currentState: async () => ({ version: 7 }) }, { 'if-match': '"6"' }, 412],
  ]
  test.each(rows)('%s', async (_name, settings, headers, status) => {
    let ran = 0
    const handler: Handler = (_req, res) => {
      ran++
      res.end()
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
      const answer = await ask(handler, headers, method, settings)
      expect([method, answer.status]).toEqual([method, status])
      if (status === 428) expect(answer.headers['cache-control']).toBe('no-store')
    }
    expect(ran).toBe(status === 200 ? 4 : 0)
  })

  test.each(['if-match', 'if-none-match', 'if-unmodified-since'])(
    'of a missing resource is the 404 of the handler, regardless of %s (RFC 9110 §13.2.1)',
    async (field) => {
      const missing: Handler = (_req, res) => void res.writeHead(404).end('nobody')
      for (const value of ['*', '"7"', 'malformed', 'Fri, 20 Nov 2026 10:00:00 GMT'])
        for (const requirePrecondition of [false, true]) {
          const answer = await ask(missing, { [field]: value }, 'PUT', {
            currentState: () => null,
            requirePrecondition,
          })
          expect([answer.status, answer.text]).toEqual([404, 'nobody'])
        }
    },
  )

  test('reaches the error handler if currentState fails', async () => {
    const onError: Pipeline['onError'] = (error, _req, res) => void res.writeHead(503).end(String(error))
    for (const currentState of [() => Promise.reject(new Error('down')), () => JSON.parse('{')]) {
      const answer = await running(host, sendWhole, { currentState }, (url) => send(url, { method: 'PUT' }), onError)
      expect(answer.status).toBe(503)
    }
  })

  const time = { 'if-unmodified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' }
  const failing: [string, () => unknown, Record<string, string>][] = [
    ['throws', () => JSON.parse('{'), {}],
    ['rejects', async () => JSON.parse('{'), {}],
    ['returns a version that is a Date', () => ({ version: new Date() }), { 'if-match': '"6"' }],
    ['resolves with a version that is a Date', async () => ({ version: new Date() }), { 'if-match': '"6"' }],
    ['resolves with a time that is a text', async () => ({ lastModified: '2026-11-20T10:00:00Z' }), time],
    ['resolves with false', async () => false, {}],
    ['returns a text', () => '7', {}],
    ['returns exists that is a number', () => ({ exists: 1, version: 7 }), {}],
    ['returns no validator', () => ({ revision: 7 }), time],
    ['returns an etag without quotes', () => ({ etag: '7' }), { 'if-match': '7' }],
  ]
  test.each(failing)('is 500 if currentState %s, and never runs the handler', async (_how, currentState, headers) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {}) // of the error pages of connect and Express
    let ran = false
    const handler: Handler = (_req, res) => {
      ran = true
      res.end()
    }
    const answer = await ask(handler, headers, 'PUT', { currentState } as NegotiateOptions)
    expect([answer.status, ran]).toEqual([500, false])
    if (host.startsWith('node:')) {
      expect(JSON.parse(answer.text)).toMatchObject({ status: 500, code: 'ERR_NEGOTIATE_STATE_FAILED' })
      expect(warn).toHaveBeenCalledOnce()
    }
    vi.restoreAllMocks()
  })
})
