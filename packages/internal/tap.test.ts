import { describe, expect, test } from 'vitest'
import type { IncomingMessage, Middleware, ServerResponse } from './middleware.ts'
import { type Tap, tap } from './tap.ts'
import { send } from './testing/check.ts'
import { hosts, listen, type Pipeline } from './testing/hosts.ts'

const tapping =
  (own: (res: ServerResponse) => Tap): Middleware =>
  (req, res, next) => {
    tap(req, res, own(res))
    next()
  }

async function answerOf(host: keyof typeof hosts, pipeline: Pipeline, method = 'GET') {
  const { url, close } = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  try {
    return await send(url, { method })
  } finally {
    await close()
  }
}

const shout = tapping((res) => ({
  head: () => res.setHeader('X-Status', String(res.statusCode)),
  write: (chunk, onward) => onward.write(Buffer.from(chunk.toString().toUpperCase())),
  end: (last, onward) => onward.end(last && Buffer.from(last.toString().toUpperCase())),
}))

const endings: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
  'end with a body': (_req, res) => void res.end('abc'),
  'write and end': (_req, res) => {
    res.write('a')
    res.write(Buffer.from('b'))
    res.end('c')
  },
  'writeHead with an object': (_req, res) => void res.writeHead(200, { 'x-given': 'yes' }).end('abc'),
  'writeHead with a reason and pairs': (_req, res) => void res.writeHead(200, 'Fine', ['x-given', 'yes']).end('abc'),
  'end with another encoding': (_req, res) => void res.end('616263', 'hex'),
}

describe.each(Object.keys(hosts))('tap on %s', (host) => {
  test.each(Object.keys(endings))('sees head and body of %s', async (ending) => {
    const answer = await answerOf(host, { middlewares: [shout], handler: endings[ending] as never })
    expect(answer.text).toBe('ABC')
    expect(answer.headers['x-status']).toBe('200')
    if (ending.includes('writeHead')) expect(answer.headers['x-given']).toBe('yes')
  })

  test('keeps the length of a body that is sent at once', async () => {
    const answer = await answerOf(host, { middlewares: [shout], handler: (_req, res) => void res.end('abc') })
    expect(answer.headers['content-length']).toBe('3')
  })

  test('nests: the last one in sees the response first', async () => {
    const mark = (name: string) =>
      tapping(() => ({
        end: (last, onward) => onward.end(Buffer.concat([last ?? Buffer.alloc(0), Buffer.from(name)])),
      }))
    const answer = await answerOf(host, {
      middlewares: [mark('1'), mark('2')],
      handler: (_req, res) => void res.end('x'),
    })
    expect(answer.text).toBe('x21')
  })

  test('shows no chunk of an answer to HEAD, and its head', async () => {
    const answer = await answerOf(host, { middlewares: [shout], handler: (_req, res) => void res.end('abc') }, 'HEAD')
    expect(answer.body).toHaveLength(0)
    expect(answer.headers['x-status']).toBe('200')
  })
})
