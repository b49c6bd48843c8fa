import { createReadStream } from 'node:fs'
import { negotiate } from '@svc/negotiate'
import express5 from 'express'
import express4 from 'express4'
import { describe, expect, test } from 'vitest'
import { interceptResponse } from '../../internal/intercept-response.ts'
import type { Middleware } from '../../internal/middleware.ts'
import { type Answer, send } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts, listen } from '../../internal/testing/hosts.ts'
import { type Handler, json, sendWhole, serving, TEXT } from './testing/running.ts'

const file = new URL('../vectors/negotiate.json', import.meta.url).pathname
const conditions: Record<string, string>[] = [{}, { 'accept-encoding': 'gzip' }, { 'if-match': '"other"' }]

/** HEAD has the status and headers of GET, except an unknown length (RFC 9110 §9.3.2). */
async function expectSameHead(url: string, path: string): Promise<Answer[]> {
  const answers: Answer[] = []
  const ask = async (headers: Record<string, string>): Promise<void> => {
    const [full, head] = [await send(url, { path, headers }), await send(url, { path, headers, method: 'HEAD' })]
    const fields = ({ 'content-length': _, 'transfer-encoding': _chunked, ...rest }: Answer['headers']) => ({
      ...rest,
      date: undefined,
    })
    expect([head.status, fields(head.headers)]).toEqual([full.status, fields(full.headers)])
    expect([undefined, full.headers['content-length']]).toContain(head.headers['content-length'])
    expect(head.body).toHaveLength(0)
    answers.push(full)
  }
  for (const headers of conditions) await ask(headers)
  for (const { headers } of [...answers])
    if (headers['etag']) await ask({ 'accept-encoding': 'gzip', 'if-none-match': headers['etag'] })
  return answers
}

test.each(Object.keys(hosts))('HEAD has the ETag of GET on %s', async (host) => {
  await serving(host, { middlewares: [negotiate()], handler: sendWhole }, async (url) => {
    const answers = await expectSameHead(url, '/')
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 412, 304, 304])
  })
})

test.each(Object.keys(hosts))('HEAD has no ETag if later middleware changes the body of GET on %s', async (host) => {
  const shout: Middleware = (req, res, next) => {
    interceptResponse(req, res, {
      late: true,
      end: (last, onward) => onward.end(Buffer.from(String(last).toUpperCase())),
    })
    next()
  }
  await serving(host, { middlewares: [negotiate(), shout], handler: sendWhole }, async (url) => {
    expect((await send(url)).headers['etag']).toEqual(expect.any(String))
    expect((await send(url, { method: 'HEAD' })).headers['etag']).toBeUndefined()
  })
})

test.each(Object.keys(hosts))('HEAD that ends without a body announces no encoding on %s', async (host) => {
  const handler: Handler = (req, res) => {
    res.setHeader('Content-Type', json)
    res.setHeader('ETag', '"a"')
    res.end(req.method === 'HEAD' ? undefined : '{"a":1}')
  }
  await serving(host, { middlewares: [negotiate()], handler }, async (url) => {
    await expectSameHead(url, '/')
    const { headers } = await send(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
    expect([headers['etag'], headers['content-encoding'], headers['vary']]).toEqual([
      '"a"',
      undefined,
      'Accept-Encoding',
    ])
  })
})

describe.each([
  ['Express 4', express4 as unknown as typeof express5],
  ['Express 5', express5],
])('HEAD in %s', (_name, express) => {
  test.each([false, 'weak', 'strong'])('has the headers of GET with etag %s', async (etag) => {
    const app = express()
    app.disable('x-powered-by').set('etag', etag).use(negotiate())
    app.get('/json', (_req, res) => void res.json(JSON.parse(TEXT)))
    app.get('/text', (_req, res) => void res.send('short'))
    app.get('/bytes', (_req, res) => void res.type('text').send(Buffer.from(TEXT)))
    app.get('/uint8', (_req, res) => void res.type('text').send(new Uint8Array(Buffer.from(TEXT))))
    app.get('/empty', (_req, res) => void res.send(''))
    app.get('/file', (_req, res) => res.sendFile(file))
    app.get('/stream', (_req, res) => void createReadStream(file).pipe(res.type(json)))
    app.get('/missing', (_req, res) => void res.status(404).json({ missing: TEXT }))
    const { url, close } = await listen(app)
    for (const path of ['/json', '/text', '/bytes', '/uint8', '/empty', '/file', '/stream', '/missing']) {
      const [full] = await expectSameHead(url, path)
      if (!['/file', '/stream', '/missing'].includes(path))
        expect([path, full?.headers['etag']]).toEqual([path, expect.any(String)])
    }
    await close()
  })
})
