import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { interceptResponse, type ResponseInterceptor } from './intercept-response.ts'
import type { IncomingMessage, Middleware, ServerResponse } from './middleware.ts'
import { toBuffer } from './response-state.ts'
import { send } from './testing/check.ts'
import { hostsWithHttp2 as hosts, listen, type Pipeline } from './testing/hosts.ts'

const interceptingWith =
  (own: (res: ServerResponse) => ResponseInterceptor): Middleware =>
  (req, res, next) => {
    interceptResponse(req, res, own(res))
    next()
  }

async function readResponse(host: keyof typeof hosts, pipeline: Pipeline, method = 'GET') {
  const { url, close } = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  try {
    return await send(url, { method })
  } finally {
    await close()
  }
}

const shout = interceptingWith((res) => ({
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

describe.each(Object.keys(hosts))('interceptResponse on %s', (host) => {
  test.each(Object.keys(endings))('sees headers and body of %s', async (ending) => {
    const answer = await readResponse(host, { middlewares: [shout], handler: endings[ending] as never })
    expect(answer.text).toBe('ABC')
    expect(answer.headers['x-status']).toBe('200')
    if (ending.includes('writeHead')) expect(answer.headers['x-given']).toBe('yes')
  })

  test('keeps the length of a body that is sent in one call', async () => {
    const answer = await readResponse(host, { middlewares: [shout], handler: (_req, res) => void res.end('abc') })
    // HTTP/2 frames the body itself, and its server adds no length.
    expect(answer.headers['content-length']).toBe(host === 'node:http2' ? undefined : '3')
  })

  test('nests: the last one in sees the response first', async () => {
    const mark = (name: string) =>
      interceptingWith(() => ({
        end: (last, onward) => onward.end(Buffer.concat([toBuffer(last ?? ''), Buffer.from(name)])),
      }))
    const answer = await readResponse(host, {
      middlewares: [mark('1'), mark('2')],
      handler: (_req, res) => void res.end('x'),
    })
    expect(answer.text).toBe('x21')
  })

  test('sees the headers of a response to HEAD, and no chunk', async () => {
    const answer = await readResponse(
      host,
      { middlewares: [shout], handler: (_req, res) => void res.end('abc') },
      'HEAD',
    )
    expect(answer.body).toHaveLength(0)
    expect(answer.headers['x-status']).toBe('200')
  })

  test.each(Object.keys(endings))('late, decides by the whole body of %s', async (ending) => {
    let seen: [boolean, boolean, number | undefined] | undefined
    const lateTap: Middleware = (req, res, next) => {
      interceptResponse(req, res, {
        late: true,
        head: (whole, last) => {
          seen = [whole, res.headersSent, last?.length]
        },
        end: (last, onward) => {
          if (!res.headersSent) res.setHeader('X-Size', String(last?.length))
          onward.end(last)
        },
      })
      next()
    }
    const answer = await readResponse(host, { middlewares: [shout, lateTap, shout], handler: endings[ending] as never })
    const isWhole = ending !== 'write and end'
    expect(answer.text).toBe('ABC')
    expect(seen).toEqual([isWhole, false, isWhole ? 3 : undefined])
    expect(answer.headers['x-size']).toBe(isWhole ? '3' : undefined)
    if (ending.includes('writeHead')) expect(answer.headers['x-given']).toBe('yes')
  })
})

test('passes text on as text, so that node:http sends it in one piece with the headers', async () => {
  const ends: unknown[][] = []
  const watchEnd: Middleware = (_req, res, next) => {
    const { end } = res
    res.end = ((...args: unknown[]) => {
      ends.push(args)
      return end.apply(res, args as never)
    }) as typeof res.end
    next()
  }
  const pass = interceptingWith(() => ({ late: true, end: (last, onward) => onward.end(last) }))
  const handler = (req: IncomingMessage, res: ServerResponse): void => {
    if (req.method === 'POST') res.end('5ac3bc', 'hex')
    else res.end('Zü')
  }
  const pipeline = { middlewares: [watchEnd, pass, pass], handler }
  expect((await readResponse('node:http', pipeline)).text).toBe('Zü')
  expect((await readResponse('node:http', pipeline, 'POST')).text).toBe('Zü')
  expect(ends).toEqual([
    ['Zü', 'utf8'],
    [Buffer.from('Zü'), 'utf8'],
  ])
})

test('sends nothing when the app flushes the headers, through an interceptor that ignores it', async () => {
  const handler = (_req: IncomingMessage, res: ServerResponse): void => {
    res.setHeader('x-given', 'yes')
    res.flushHeaders()
    expect(() => res.setHeader('x-given', 'no')).toThrow('after they are sent')
    res.end('abc')
  }
  const seen: unknown[] = []
  const ignoring = interceptingWith((res) => ({
    ignoreFlush: true,
    end(last, onward) {
      seen.push(res.headersSent)
      onward.end(last)
    },
  }))
  const answer = await readResponse('node:http', { middlewares: [shout, ignoring], handler })
  expect([answer.text, answer.headers['x-given'], seen]).toEqual(['ABC', 'yes', [false]])
})

test('sends the headers when the app flushes them, through late interceptors too', async () => {
  const late: Middleware = (req, res, next) => {
    interceptResponse(req, res, { late: true })
    next()
  }
  let release = (): void => {}
  const handler = (_req: IncomingMessage, res: ServerResponse): void => {
    res.writeHead(200, { 'x-given': 'yes' })
    res.flushHeaders()
    release = () => void res.end('abc')
  }
  const { url, close } = await listen(
    (hosts['node:http'] as (typeof hosts)[string])({ middlewares: [late, shout], handler }),
  )
  const response = await fetch(url) // resolves with the header section, before there is a body
  expect(response.headers.get('x-given')).toBe('yes')
  release()
  expect(await response.text()).toBe('ABC')
  await close()
})

describe.each(Object.keys(hosts))('a response that is held back on %s', (host) => {
  const states: string[] = []
  const note = (res: ServerResponse): void => void states.push(`${res.headersSent} ${res.writableEnded}`)
  const later = interceptingWith((res) => {
    const chunks: Buffer[] = []
    return {
      late: true,
      write: (chunk) => chunks.push(chunk) > 0,
      end: (last, onward) =>
        setImmediate(() => {
          note(res)
          res.setHeader('X-Late', 'yes')
          onward.end(Buffer.concat(last ? [...chunks, toBuffer(last)] : chunks))
          note(res)
        }),
    }
  })

  test.each([1, 2])('appears as sent to the app, with %i interceptors', async (count) => {
    states.length = 0
    const answer = await readResponse(host, {
      middlewares: Array.from({ length: count }, () => later),
      handler: (_req, res) => {
        note(res)
        res.write('a')
        note(res)
        res.end('b')
        note(res)
      },
    })
    expect([answer.text, answer.headers['x-late']]).toEqual(['ab', 'yes'])
    expect(states.slice(0, 3)).toEqual(['false false', 'true false', 'true true'])
    expect(states.at(-1)).toBe('true true')
  })

  test('can be replaced, also below an interceptor that has seen the end', async () => {
    const refusing = interceptingWith((res) => ({
      write: () => true,
      end: (_last, onward) => {
        onward.reopen()
        setImmediate(() => {
          note(res)
          res.statusCode = 500
          res.end('instead')
        })
      },
    }))
    states.length = 0
    const handler = (_req: IncomingMessage, res: ServerResponse): void => {
      res.write('a')
      res.end('b')
    }
    const answer = await readResponse(host, { middlewares: [shout, refusing, later], handler })
    expect([answer.status, answer.text, states.at(-1)]).toEqual([500, 'INSTEAD', 'false false'])
  })
})

test.each(['head', 'end'] as const)('lets an error of %s be answered', async (part) => {
  const failing = interceptingWith(() => ({
    [part]: () => {
      throw new Error('wrong')
    },
  }))
  const handler = (_req: IncomingMessage, res: ServerResponse): void => {
    expect(() => res.end('abc')).toThrow('wrong')
    res.statusCode = 500
    res.end('instead')
  }
  const answer = await readResponse('node:http', { middlewares: [failing, shout], handler })
  expect([answer.status, answer.text.toLowerCase()]).toEqual([500, 'instead'])
})

test('calls back for a second end, and throws for an invalid chunk', async () => {
  const calls: string[] = []
  const handler = (_req: IncomingMessage, res: ServerResponse): void => {
    expect(() => res.write(7 as never)).toThrow('a chunk must be a string or bytes, got 7')
    res.end('abc', () => calls.push('first'))
    res.end(() => {
      calls.push('second')
      res.end(() => calls.push('third'))
    })
  }
  const answer = await readResponse('node:http', { middlewares: [shout], handler })
  expect(answer.text).toBe('ABC')
  await expect.poll(() => calls).toEqual(['first', 'second', 'third'])
})

describe.each(Object.keys(hosts))('headers that appear as sent on %s', (host) => {
  const late = interceptingWith(() => ({ late: true }))
  const collecting = interceptingWith(() => {
    const chunks: Buffer[] = []
    return {
      write: (chunk) => chunks.push(chunk) > 0,
      end: (last, onward) => setImmediate(() => onward.end(Buffer.concat(last ? [...chunks, toBuffer(last)] : chunks))),
    }
  })

  test.each([
    ['writeHead', [late]],
    ['write', [collecting]],
    ['write', [late, collecting, collecting]],
    ['end', [collecting]],
    ['end', [collecting, late, collecting]],
  ] as const)('by %s keep their status, as in node:http', async (by, middlewares) => {
    const statuses: number[] = []
    const handler = (_req: IncomingMessage, res: ServerResponse): void => {
      res.statusCode = 201
      if (by === 'writeHead') res.writeHead(201)
      else res[by]('a')
      res.statusCode = 500
      statuses.push(res.statusCode)
      if (by === 'write') res.write('b')
      res.statusCode = 404
      if (by !== 'end') res.end('c')
    }
    const answer = await readResponse(host, { middlewares: [...middlewares], handler })
    expect([answer.status, statuses]).toEqual([201, [500]])
    expect(answer.text).toBe({ writeHead: 'c', write: 'abc', end: 'a' }[by])
  })

  test.each([
    ['writeHead', late],
    ['write', collecting],
  ] as const)('by %s cannot be set, as in node:http', async (by, middleware) => {
    const thrown: unknown[] = []
    const attempt = (call: () => void): void => {
      try {
        call()
      } catch (error) {
        thrown.push((error as { code?: string }).code)
      }
    }
    const handler = (_req: IncomingMessage, res: ServerResponse): void => {
      res.statusCode = 201
      res.setHeader('x-given', 'yes')
      if (by === 'writeHead') res.writeHead(201)
      else res.write('')
      attempt(() => res.setHeader('x-late', 'no'))
      attempt(() => res.appendHeader('x-given', 'no'))
      attempt(() => res.removeHeader('x-given'))
      attempt(() => res.writeHead(200))
      thrown.push(res.headersSent, res.getHeader('x-given'))
      res.end('abc')
    }
    const answer = await readResponse(host, { middlewares: [middleware], handler })
    expect(thrown).toEqual([...Array(4).fill('ERR_HTTP_HEADERS_SENT'), true, 'yes'])
    expect([answer.status, answer.headers['x-given'], answer.headers['x-late']]).toEqual([201, 'yes', undefined])
  })

  test('methods that other middleware put on the response are restored', async () => {
    const names: string[] = []
    const patched: Middleware = (_req, res, next) => {
      const { setHeader } = res
      res.setHeader = function patchedSetHeader(name, value) {
        names.push(name)
        return setHeader.call(res, name, value)
      }
      next()
    }
    const lateHeader = interceptingWith((res) => ({ late: true, head: () => res.setHeader('x-late', 'yes') }))
    const handler = (_req: IncomingMessage, res: ServerResponse): void => void res.writeHead(200).end('abc')
    const answer = await readResponse(host, { middlewares: [patched, lateHeader], handler })
    expect(answer.headers['x-late']).toBe('yes')
    expect(names).toContain('x-late')
  })
})

test.each(['end', 'write and end', 'a pipe'])(
  'loses no byte of %s over HTTP/2, through three interceptors',
  async (how) => {
    const bytes = Buffer.alloc(300_000, 'abcdefghij')
    const passing = interceptingWith(() => ({ write: (chunk, on) => on.write(chunk), end: (last, on) => on.end(last) }))
    const handler = (_req: IncomingMessage, res: ServerResponse): void => {
      if (how === 'end') res.end(bytes)
      else if (how === 'a pipe') Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]).pipe(res)
      else {
        res.write(bytes.subarray(0, 300))
        res.end(bytes.subarray(300))
      }
    }
    const answer = await readResponse('node:http2', { middlewares: [passing, passing, passing], handler })
    expect(answer.body.equals(bytes)).toBe(true)
  },
)

test('keeps no response alive until a full garbage collection', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  const measure = (): number => {
    // What survives twice is old, and no collection of the young space frees it.
    for (let round = 0; round < 3; round++) collect({ type: 'minor' })
    return getHeapStatistics().used_heap_size
  }
  const intercept = (): void => {
    const req = new Request(new Socket())
    const res = new Response(req)
    Object.assign(res, { payload: new Array(10_000).fill(0.5) })
    interceptResponse(req, res, {})
  }
  for (let count = 0; count < 50; count++) intercept()
  collect()
  const before = measure()
  for (let count = 0; count < 50; count++) intercept()
  expect(measure() - before).toBeLessThan(1_000_000) // of 4,000,000
})
