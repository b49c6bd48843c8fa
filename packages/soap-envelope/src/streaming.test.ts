import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseEnvelope, type SoapResponse, type SoapService, soap, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { afterEach, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { faultIn, post } from './testing/post.ts'
import { buildRow, generateRows, ROWS, type Row, rows } from './testing/rows.ts'
import { toStream } from './testing/stream-of.ts'

const script = fileURLToPath(new URL('testing/streaming.ts', import.meta.url))
const MIB = 2 ** 20

test.each(['in', 'out'])('100 MB of rows go %s in less than 64 MiB of memory', async (direction) => {
  // The heap is bounded too: the engine would else put off its collections while memory is there.
  const flags = ['--max-old-space-size=64', '--max-semi-space-size=4', '--conditions=@svc/source']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, direction])
  const { received, bytes, growth } = JSON.parse(stdout)
  expect(received).toBe(680_000)
  expect(bytes).toBeGreaterThan(100e6)
  expect(growth).toBeLessThan(64 * MIB)
})

interface PutInput {
  title: string
  row: AsyncIterable<Row>
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

function serviceWith(put: (input: PutInput) => unknown, settings = {}): SoapService {
  return soapService({
    wsdl: rows,
    streamedOperations: ['put'],
    ...settings,
    operations: {
      put,
      get: ({ limit }: { limit: number }) => ({ title: 't', row: generateRows(limit) }),
      count: () => ({ total: 1 }),
    } as never,
  })
}

const totalOf = async ({ row }: PutInput): Promise<object> => ({ total: (await collect(row)).length })
const rowXml = (id: number): string => `<r:row><r:id>${id}</r:id><r:name>n</r:name><r:amount>1</r:amount></r:row>`
const put = (content: string, after = ''): string =>
  `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:r="${ROWS}"><e:Body><r:put>${content}</r:put>${after}</e:Body></e:Envelope>`

/** Sends a message byte by byte, as the slowest client would. */
async function trickle(service: SoapService, xml: string, size = 1): Promise<SoapResponse> {
  const bytes = Buffer.from(xml)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return await service.handle({ method: 'POST', contentType: 'application/soap+xml', body: toStream(chunks) })
}

describe('a streamed request', () => {
  test('gives the handler what comes before the items, and the items as they arrive', async () => {
    const seen: unknown[] = []
    const service = serviceWith(async ({ title, row }) => {
      seen.push(title, await collect(row))
      return { total: 2 }
    })
    const xml = put(`<r:title>a</r:title> ${rowXml(1)}\n<!-- c -->${rowXml(2)} `)
    expect((await trickle(service, xml)).status).toBe(200)
    expect((await post(service, xml)).status).toBe(200)
    const items = [1, 2].map((id) => ({ id, name: 'n', amount: '1' }))
    expect(seen).toEqual(['a', items, 'a', items])
  })

  test('starts the handler before the message is complete', async () => {
    const started = Promise.withResolvers<void>()
    const service = serviceWith(async (input) => {
      started.resolve()
      return await totalOf(input)
    })
    const [head = '', tail = ''] = put(`<r:title>a</r:title>${rowXml(1)}|${rowXml(2)}`).split('|')
    const body = (async function* () {
      yield Buffer.from(head)
      await started.promise
      yield Buffer.from(tail)
    })()
    const { body: xml } = await service.handle({ method: 'POST', contentType: 'application/soap+xml', body })
    expect(xml).toContain('>2<')
  })

  test.each([
    ['an item that does not fit', put(`<r:title>a</r:title>${rowXml(1)}<r:row/>`), 'ValidationFailed'],
    ['an element after the items', put(`<r:title>a</r:title>${rowXml(1)}<r:title/>`), 'ValidationFailed'],
    ['text between the items', put(`<r:title>a</r:title>${rowXml(1)}x${rowXml(2)}`), 'ValidationFailed'],
    ['text before the items', put(`<r:title>a</r:title>x${rowXml(1)}`), 'ValidationFailed'],
    ['no title', put(rowXml(1)), 'ValidationFailed'],
    ['no items, which are required', put('<r:title>a</r:title>'), 'ValidationFailed'],
    ['a second element in the Body', put(`<r:title>a</r:title>${rowXml(1)}`, '<r:put/>'), 'InvalidEnvelope'],
    ['XML that breaks off', put(`<r:title>a</r:title>${rowXml(1)}`).slice(0, -20), 'MalformedXml'],
    [
      'an xsi:type',
      put('').replace('<r:put>', '<r:put xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type="r:Row">'),
      'ValidationFailed',
    ],
    ['a document type declaration', `<!DOCTYPE x>${put('')}`, 'DtdNotAllowed'],
  ])('with %s becomes a fault', async (_, xml, fault) => {
    const service = serviceWith(totalOf)
    expect(await faultIn(await trickle(service, xml, 7))).toBe(`400 Sender/${fault}`)
  })

  test('is limited for each item, and as a whole', async () => {
    const service = serviceWith(totalOf, { limits: { maxElements: 20, maxBytes: 2000 }, maxStreamBytes: 20_000 })
    const send = (content: string) => trickle(service, put(`<r:title>a</r:title>${content}`), 100)
    expect((await send(Array.from({ length: 100 }, (_, id) => rowXml(id)).join(''))).status).toBe(200)
    expect(await faultIn(await send(rowXml(1).replace('>n<', `>${'n'.repeat(4000)}<`)))).toBe(
      '413 Sender/LimitExceeded',
    )
    expect(await faultIn(await send(rowXml(1).repeat(400)))).toBe('413 Sender/LimitExceeded')
    expect(await faultIn(await send(rowXml(1).replace('>n<', `>${'<r:x/>'.repeat(30)}<`)))).toBe(
      '400 Sender/LimitExceeded',
    )
  })

  test('of another operation is read whole', async () => {
    const xml = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><count xmlns="${ROWS}"/></e:Body></e:Envelope>`
    expect((await trickle(serviceWith(totalOf), xml)).status).toBe(200)
  })

  test('may be left by the handler before its end', async () => {
    const service = serviceWith(async ({ row }) => {
      for await (const { id } of row) return { total: id }
      return { total: 0 }
    })
    expect((await trickle(service, put(`<r:title>a</r:title>${rowXml(7)}${rowXml(8)}`))).body).toContain('>7<')
  })
})

test.each([
  [
    'an operation without items',
    ['count'],
    'streamedOperations names "count", whose input does not end with a repeated element',
  ],
  ['an operation that is none', ['none'], 'streamedOperations names "none"'],
])('%s shows at start', (_, streamedOperations, message) => {
  expect(() => serviceWith(totalOf, { streamedOperations })).toThrow(message)
})

test('a one-way operation shows at start: its response does not wait for its items', () => {
  const wsdl = rows.wsdl('http://h/').replace('<output message="t:putResponse"/>', '')
  expect(() => serviceWith(totalOf, { wsdl })).toThrow('streamedOperations names "put", which has no output')
})

describe('over HTTP', () => {
  let host: RunningHost | undefined
  afterEach(() => host?.close())
  const start = async (service: SoapService) => {
    const middleware = soap(service)
    host = await listen((req, res) => middleware(req, res, () => res.end()))
    return soapClient(rows, { endpoint: host.url })
  }

  test('a streamed response is valid, and may be read whole or by items', async () => {
    const calling = await start(serviceWith(totalOf))
    const expected = { title: 't', row: [0, 1, 2].map(buildRow) }
    expect(await calling.call('get', { limit: 3 })).toEqual(expected)
    const { output } = await calling.stream('get', { limit: 3 })
    const { title, row } = output as PutInput
    expect({ title, row: await collect(row) }).toEqual(expected)
    expect(await calling.call('get', { limit: 0 })).toEqual({ title: 't', row: [] })
  })

  test('a request of rows and a response of rows flow at the same time', async () => {
    const calling = await start(serviceWith(totalOf))
    expect(await calling.call('put', { title: 't', row: generateRows(5000) })).toEqual({ total: 5000n })
    await expect(calling.call('put', { title: 't', row: generateRows(0) })).rejects.toThrow('must have 1 items or more')
  })

  test('an error before the first item is a fault, one after it ends the connection and is reported', async () => {
    const reported: string[] = []
    const failing = (after: number) =>
      soapService({
        wsdl: rows,
        onFault: (_, { error }) => reported.push(String(error)),
        operations: {
          count: () => ({ total: 1 }),
          put: totalOf,
          get: () => ({
            title: 't',
            row: (async function* () {
              yield* generateRows(after)
              throw Object.assign(new Error('the database is away'), { status: 503 })
            })(),
          }),
        } as never,
      })
    await expect((await start(failing(0))).call('get', { limit: 1 })).rejects.toThrow(/./)
    await host?.close()
    const calling = await start(failing(2000))
    const { output } = await calling.stream('get', { limit: 1 })
    await expect(collect((output as PutInput).row)).rejects.toThrow(/./)
    expect(reported).toHaveLength(2)
  })

  test.each([
    ['before the response begins', 0],
    ['while it is sent', 50],
  ])('ends the iteration of the items, and reports nothing, if the client leaves %s', async (_, after) => {
    const ended = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const reported: unknown[] = []
    const cursor = async function* () {
      try {
        for (let id = 0; ; id++) {
          if (id === after) {
            waiting.resolve()
            await left.promise
          }
          yield buildRow(id)
        }
      } finally {
        ended.resolve()
      }
    }
    const get = () => ({ title: 't', row: cursor() })
    const operations = { count: () => ({ total: 1 }), put: totalOf, get } as never
    const service = soapService({ wsdl: rows, onFault: (_, { error }) => reported.push(error), operations })
    const middleware = soap(service)
    host = await listen((req, res) => {
      res.once('close', left.resolve)
      middleware(req, res, () => res.end())
    })
    const abort = new AbortController()
    const body = put('').replaceAll('put', 'get').replace('></r:get>', '><r:limit>9</r:limit></r:get>')
    const headers = { 'content-type': 'application/soap+xml' }
    const leaving = fetch(host.url, { method: 'POST', headers, body, signal: abort.signal })
    await waiting.promise
    abort.abort()
    await leaving.catch(() => {})
    await ended.promise
    expect(reported).toEqual([])
  })

  test('a fault instead of items is thrown', async () => {
    const calling = await start(serviceWith(totalOf))
    await expect(calling.stream('get', { limit: 'x' } as never)).rejects.toThrow(TypeError)
    const other = await start(serviceWith(totalOf, { authorize: () => false }))
    await expect(other.stream('get', { limit: 1 })).rejects.toThrow('no credentials')
  })
})

describe('ends its source', () => {
  /** A message that stays open after these bytes, and whether it was ended. */
  function openSource(text: string): { body: ReadableStream<Uint8Array<ArrayBuffer>>; isEnded: () => boolean } {
    let isEnded = false
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      cancel: () => {
        isEnded = true
      },
    })
    return { body, isEnded: () => isEnded }
  }
  const clientOf = (body: ReadableStream<Uint8Array<ArrayBuffer>>, options: object = {}) => {
    const answering: typeof fetch = () =>
      Promise.resolve(new Response(body, { headers: { 'content-type': 'application/soap+xml' } }))
    return soapClient(rows, { endpoint: 'http://h/', fetch: answering, ...options })
  }
  const [response = ''] = put(`<r:title>a</r:title>${rowXml(1)}|`)
    .replace('<r:put>', '<r:getResponse>')
    .split('|')

  test.each([
    ['a response that is not XML', 'nonsense', {}],
    ['a response to another message', response, { addressing: true }],
  ])('after %s', async (_, text, options) => {
    const { body, isEnded } = openSource(text)
    await expect(clientOf(body, options).stream('get', { limit: 1 })).rejects.toThrow(/./)
    expect(isEnded()).toBe(true)
  })

  test.each([0, 1])('if the items are left after %i of them', async (count) => {
    const { body, isEnded } = openSource(response)
    const { output } = await clientOf(body).stream('get', { limit: 1 })
    const items = (output as PutInput).row[Symbol.asyncIterator]()
    for (let taken = 0; taken < count; taken++) await items.next()
    expect(isEnded()).toBe(false)
    await items.return?.()
    expect(isEnded()).toBe(true)
  })

  test.each([
    ['is not XML', 'nonsense', {}, totalOf],
    ['is rejected', put(`<r:title>a</r:title>${rowXml(1)}`).slice(0, -60), { authorize: () => false }, totalOf],
    [
      'has a handler that fails',
      put(`<r:title>a</r:title>${rowXml(1)}`).slice(0, -60),
      {},
      () => Promise.reject(new Error('no')),
    ],
  ])('if a request %s', async (_, text, settings, handler) => {
    const { body, isEnded } = openSource(text)
    const { status } = await serviceWith(handler, settings).handle({
      method: 'POST',
      contentType: 'application/soap+xml',
      body,
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(isEnded()).toBe(true)
  })
})

test('the message that is written is one envelope', async () => {
  const { pieces } = await serviceWith(totalOf).handle({
    method: 'POST',
    contentType: 'application/soap+xml',
    body: Buffer.from(put('').replaceAll('put', 'get').replace('></r:get>', '><r:limit>2</r:limit></r:get>')),
  })
  const text: string[] = []
  for await (const piece of pieces ?? []) text.push(String(piece))
  const { body } = await parseEnvelope(Buffer.from(text.join('')))
  expect(body?.children.map(({ local }) => local)).toEqual(['title', 'row', 'row'])
})
