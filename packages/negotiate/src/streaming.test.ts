import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type ServerResponse } from 'node:http'
import { Readable, pipeline as startPipeline } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { compress, conditionalRequests, negotiate, sendRepresentation } from '@svc/negotiate'
import { describe, expect, test, vi } from 'vitest'
import type { IncomingMessage, Middleware } from '../../internal/middleware.ts'
import { hosts, hostsWithHttp2, listen } from '../../internal/testing/hosts.ts'
import { asking, type Handler, running, serving, TEXT } from './testing/running.ts'

function ask(url: string, coding: string): Promise<IncomingMessage> {
  return new Promise((resolve) => request(url, { headers: { 'accept-encoding': coding } }, resolve).end())
}

test.each([
  ['conditionalRequests()', conditionalRequests()],
  ['negotiate() without encodings', negotiate({ encodings: [] })],
])('%s does not replace the flush of another compression', async (_name, middleware) => {
  const flush = vi.fn()
  const handler: Handler = (_req, res) => {
    ;(res as ServerResponse & { flush(): void }).flush()
    res.end()
  }
  const other: Middleware = (_req, res, next) => next(void Object.assign(res, { flush }))
  await serving('node:http', { middlewares: [other, middleware], handler }, (url) => ask(url, 'gzip'))
  expect(flush).toHaveBeenCalledOnce()
})

describe.each(Object.keys(hosts))('a streamed response on %s', (host) => {
  /** Yields the decoded chunks of a client. The handler continues after the first one. */
  const chunksOf = (handler: Handler, goOn: () => void): Promise<string[]> =>
    running(host, handler, {}, async (url) => {
      const res = await ask(url, 'gzip')
      expect(res.headers['content-encoding']).toBe('gzip')
      const seen: string[] = []
      for await (const chunk of res.pipe(createGunzip())) if (seen.push(String(chunk)) === 1) goOn()
      return seen
    })

  test('sends events immediately, compressed', async () => {
    let next = (): void => {}
    const handler: Handler = (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' })
      res.flushHeaders()
      res.write('data: 1\n\n')
      next = () => void res.end('data: 2\n\n')
    }
    expect(await chunksOf(handler, () => next())).toEqual(['data: 1\n\n', 'data: 2\n\n'])
  })

  test('sends the events of sendRepresentation one by one', async () => {
    const events = new Readable({ read() {} })
    events.push('data: 1\n\n')
    const handler: Handler = (req, res) => sendRepresentation(req, res, { type: 'text/event-stream', body: events })
    await serving(host, { middlewares: [], handler }, async (url) => {
      const res = await ask(url, 'gzip')
      const seen: string[] = []
      for await (const chunk of res) {
        if (seen.push(String(chunk)) === 2) events.push(null)
        else events.push('data: 2\n\n')
      }
      expect(seen).toEqual(['data: 1\n\n', 'data: 2\n\n'])
    })
  })

  test('sends the buffered bytes of the encoder when the app calls flush', async () => {
    let next = (): void => {}
    const handler: Handler = (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain' })
      res.write('first')
      ;(res as ServerResponse & { flush(): void }).flush()
      next = () => void res.end('second')
    }
    expect(await chunksOf(handler, () => next())).toEqual(['first', 'second'])
  })

  test('slows a stream down to its client, and destroys it when the client disconnects', async () => {
    const noise = randomBytes(65_536) // keeps its size when it is coded: the socket fills up
    let made = 0
    let isStuck = (): boolean => false
    let closed = (): void => {}
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const handler: Handler = (_req, res) => {
      const source = new Readable({
        read() {
          made++
          this.push(noise)
        },
      })
      isStuck = () => source.isPaused() && res.writableNeedDrain
      source.on('close', closed)
      res.once('close', () => source.destroy())
      res.setHeader('Content-Type', 'text/plain')
      source.pipe(res)
    }
    await running(host, handler, {}, async (url) => {
      const client = request(url, { headers: { 'accept-encoding': 'gzip' }, agent: false })
      client.on('error', () => {})
      const res = await new Promise<IncomingMessage>((resolve) => client.once('response', resolve).end())
      expect(res.headers['content-encoding']).toBe('gzip')
      res.pause()
      while (!isStuck() && made < 2000) await new Promise((resolve) => setImmediate(resolve))
      expect(made).toBeLessThan(2000)
      client.destroy()
      await isClosed
    })
  })

  test.each(['identity', 'gzip'])('closes the connection if its stream fails halfway (%s)', async (coding) => {
    let breakOff = (): void => {}
    const handler: Handler = (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', ETag: '"a"' })
      res.write(TEXT)
      ;(res as ServerResponse & { flush(): void }).flush()
      breakOff = () => void res.destroy()
    }
    for (const middlewares of [[negotiate()], [conditionalRequests(), compress()], [compress(), conditionalRequests()]])
      await serving(host, { middlewares, handler }, async (url) => {
        const res = await ask(url, coding)
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (Buffer.concat(chunks).length > 100) breakOff() // more than a header of gzip
        })
        await expect(finished(res)).rejects.toThrow('aborted')
        const coded = Buffer.concat(chunks)
        const seen = coding === 'gzip' ? gunzipSync(coded, { finishFlush: constants.Z_SYNC_FLUSH }) : coded
        expect([res.complete, TEXT.startsWith(String(seen)), seen.length > 0]).toEqual([false, true, true])
      })
  })
})

describe.each([
  [{ 'if-none-match': '"a"' }, 304],
  [{ 'if-match': '"b"' }, 412],
])('a response with conditions %j', (headers, status) => {
  describe.each(Object.keys(hostsWithHttp2))('on %s', (host) => {
    const ask = asking(host)

    test('ends at the first chunk, and ignores the others', async () => {
      let isEnded = false
      const handler: Handler = (_req, res) => {
        res.setHeader('ETag', '"a"')
        res.write('first')
        res.once('close', () => {
          res.write('second')
          res.end('last', () => {
            isEnded = true
          })
        })
      }
      expect((await ask(handler, headers)).status).toBe(status)
      await expect.poll(() => isEnded).toBe(true)
    })

    test('destroys a piped stream', async () => {
      const source = new Readable({ read: () => void source.push(TEXT) })
      const handler: Handler = (_req, res) => {
        res.setHeader('ETag', '"a"')
        source.pipe(res)
      }
      expect((await ask(handler, headers)).status).toBe(status)
      await expect.poll(() => source.closed).toBe(true)
    })

    test('completes a pipeline without an error', async () => {
      const source = Readable.from([TEXT, TEXT])
      let outcome: unknown = 'running'
      const handler: Handler = (_req, res) => {
        res.setHeader('ETag', '"a"')
        startPipeline(source, res, (error) => {
          outcome = error ?? 'done'
        })
      }
      expect((await ask(handler, headers)).status).toBe(status)
      await expect.poll(() => outcome).toBe('done')
      expect(source.closed).toBe(true)
    })

    test('leaves a stream to its other readers', async () => {
      const source = new Readable({ read: () => {} })
      const seen: string[] = []
      const handler: Handler = (_req, res) => {
        res.setHeader('ETag', '"a"')
        source.on('data', (chunk) => seen.push(String(chunk)))
        source.pipe(res)
        source.push('first')
      }
      expect((await ask(handler, headers)).status).toBe(status)
      source.resume().push('second')
      await expect.poll(() => seen).toEqual(['first', 'second'])
      expect(source.destroyed).toBe(false)
    })

    test('reads a generator to its end', async () => {
      let isDone = false
      const handler: Handler = async (_req, res) => {
        res.setHeader('ETag', '"a"')
        const closed = once(res, 'close')
        await pipeline(async function* () {
          yield 'first'
          await closed
          yield 'last'
        }, res)
        isDone = true
      }
      expect((await ask(handler, headers)).status).toBe(status)
      await expect.poll(() => isDone).toBe(true)
    })
  })

  test('leaves its connection open', async () => {
    const { url, server, close } = await listen((req, res) =>
      negotiate()(req, res, () => {
        res.setHeader('ETag', '"a"')
        Readable.from([TEXT, TEXT]).pipe(res)
      }),
    )
    let connections = 0
    server.on('connection', () => connections++)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let time = 0; time < 3; time++) {
      const res = await new Promise<IncomingMessage>((resolve) => request(url, { headers, agent }, resolve).end())
      expect(res.statusCode).toBe(status)
      await finished(res.resume())
    }
    expect(connections).toBe(1)
    agent.destroy()
    await close()
  })
})
