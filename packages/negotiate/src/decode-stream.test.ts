import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { decodeBody, decodeStream } from '@svc/negotiate/decode'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hosts } from '../../internal/testing/hosts.ts'
import { type Handler, serving } from './testing/running.ts'

const encoders: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ...(zlib.zstdCompressSync && { zstd: zlib.zstdCompressSync }),
}
const limits = { maxBytes: 1_000_000 }
const text = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id }))))
const NOISE = randomBytes(1_000_000) // keeps its size when it is coded
const DAMAGED = { status: 400, code: 'ERR_NEGOTIATE_BODY_CORRUPT' }

async function decoded(pieces: readonly Uint8Array[], coding: string | undefined, given = limits): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of decodeStream(Readable.from(pieces), coding, given)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

const CHUNK = 16_384

/** Yields each chunk after this many turns of the event loop. */
async function* slowly(pieces: readonly Uint8Array[], turns: number): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    yield piece
  }
}

/** Reads a stream to its end, each chunk after this many turns of the event loop. */
async function drain(stream: Readable, turns: number): Promise<void> {
  for await (const _ of stream) for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
}

describe.each(Object.keys(encoders))('a stream of %s (RFC 9110 §8.4.1)', (coding) => {
  const encode = encoders[coding] as (bytes: Uint8Array) => Buffer
  const coded = encode(text)

  test('is decoded, however it is split', async () => {
    for (const size of [1, 7, coded.length]) expect(await decoded(cut(coded, size), coding)).toEqual(text)
    expect(await decoded(cut(encode(coded), 50), `${coding}, ${coding}`)).toEqual(text)
  })

  test('fails with 400 wherever it is truncated', async () => {
    for (let end = 0; end < coded.length; end += 1 + Math.floor(coded.length / 40))
      await expect(decoded(cut(coded.subarray(0, end), 100), coding)).rejects.toMatchObject(DAMAGED)
    await expect(decoded([coded.subarray(0, -1)], coding)).rejects.toMatchObject(DAMAGED)
  })

  test('fails with 400 if other bytes follow, immediately or later', async () => {
    for (const rubbish of [Buffer.from('x'), Buffer.alloc(1), Buffer.from('rubbish'.repeat(20_000))]) {
      const whole = Buffer.concat([coded, rubbish])
      for (const pieces of [[whole], [coded, rubbish], cut(whole, 97)])
        await expect(decoded(pieces, coding)).rejects.toMatchObject(DAMAGED)
      await expect(decodeBody(whole, coding, limits)).rejects.toMatchObject(DAMAGED)
      const inner = encode(whole)
      await expect(decoded([inner], `${coding}, ${coding}`)).rejects.toMatchObject(DAMAGED)
    }
  })

  test('fails alike for the same bytes, regardless of timing and splitting', async () => {
    // Decoded once, it exceeds the ratio; decoded twice, other bytes follow. The first error
    // counts.
    const inner = encode(Buffer.concat([coded, Buffer.from('rubbish'.repeat(40_000))]))
    const later = encode(Buffer.concat([coded, Buffer.alloc(CHUNK - coded.length), Buffer.alloc(400_000)]))
    for (const body of [inner, later]) {
      const outcomes = new Set<unknown>()
      for (const [size, turns] of [
        [body.length, 0],
        [body.length, 5],
        [100, 0],
        [100, 3],
        [7, 1],
      ] as const)
        for (let round = 0; round < 4; round++) {
          const source = Readable.from(slowly(cut(body, size), turns))
          const error = await drain(decodeStream(source, `${coding}, ${coding}`, limits), turns).catch((cause) => cause)
          outcomes.add(error.code)
        }
      expect([...outcomes]).toHaveLength(1)
    }
    await expect(drain(decodeStream(Readable.from([inner]), `${coding}, ${coding}`, limits), 0)).rejects.toMatchObject(
      DAMAGED,
    )
  })

  test('fails with 400 if other bytes follow much later', async () => {
    for (const rubbish of [Buffer.from('x'), Buffer.alloc(1)]) {
      const source = Readable.from(slowly([coded, rubbish], 200))
      await expect(drain(decodeStream(source, coding, limits), 0)).rejects.toMatchObject(DAMAGED)
    }
  })

  test('fails with 413 before it emits more than the limits allow', async () => {
    const bomb = encode(Buffer.alloc(4_000_000))
    for (const [given, most] of [
      [{ maxBytes: 100_000 }, 100_000],
      [{ maxBytes: 10_000_000, maxRatio: 10 }, Math.max(16_384, bomb.length * 10)],
    ] as const) {
      let bytes = 0
      const read = async (): Promise<void> => {
        for await (const chunk of decodeStream(Readable.from(cut(bomb, 64)), coding, given)) bytes += chunk.length
      }
      await expect(read()).rejects.toMatchObject({ status: 413, code: 'ERR_NEGOTIATE_BODY_TOO_LARGE' })
      expect(bytes).toBeLessThanOrEqual(most)
    }
  })

  test('reads no more than its reader', async () => {
    const pieces = cut(encode(NOISE), 1000)
    let made = 0
    const source = Readable.from(
      (function* () {
        for (const piece of pieces) {
          made++
          yield piece
        }
      })(),
    )
    const stream = decodeStream(source, coding, { maxBytes: NOISE.length })
    await new Promise((resolve) => stream.once('readable', resolve))
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
    expect(made).toBeLessThan(pieces.length / 2)
    let bytes = 0
    for await (const chunk of stream) bytes += chunk.length
    expect([bytes, made]).toEqual([NOISE.length, pieces.length])
  })
})

test('limits the decoded body, not the layer between two encodings', async () => {
  const twice = zlib.gzipSync(zlib.gzipSync('little'))
  expect((await decoded(cut(twice, 10), 'gzip, gzip', { maxBytes: 6 })).toString()).toBe('little')
  await expect(decoded(cut(twice, 10), 'gzip, gzip', { maxBytes: 5 })).rejects.toMatchObject({ status: 413 })
})

test('decodes concatenated gzip members as one body (RFC 1952 §2.2)', async () => {
  const whole = Buffer.concat([zlib.gzipSync('a'), zlib.gzipSync('b')])
  expect(String(await decoded(cut(whole, 5), 'gzip'))).toBe('ab')
})

test('discards the rest of the source if the decoded body is not read', async () => {
  const source = Readable.from([zlib.gzipSync(text)])
  decodeStream(source, 'gzip', limits).destroy()
  await new Promise((resolve) => source.once('end', resolve))
  expect(source.readableEnded).toBe(true)
})

test('passes on a stream without an encoding within its limit', async () => {
  expect(await decoded(cut(text, 10), undefined)).toEqual(text)
  expect(await decoded([], 'identity')).toHaveLength(0)
  await expect(decoded(cut(text, 10), undefined, { maxBytes: 100 })).rejects.toMatchObject({ status: 413 })
  await expect(decoded([text], 'compress')).rejects.toMatchObject({ status: 415 })
})

test.each([
  [{}, 'negotiate: decodeStream: maxBytes must be a non-negative number, got undefined'],
  [{ maxBytes: Number.NaN }, 'negotiate: decodeStream: maxBytes must be a non-negative number, got NaN'],
  [{ maxBytes: 1, maxRatio: '100x' }, 'negotiate: decodeStream: maxRatio must be a non-negative number, got "100x"'],
])('rejects the limits %j', async (given, message) => {
  expect(() => decodeStream(Readable.from([]), 'gzip', given as never)).toThrow(new TypeError(message))
  await expect(decodeBody(text, undefined, given as never)).rejects.toThrow(TypeError)
})

test('decodes any encoded body, however it is split', async () => {
  const codings = fc.constantFrom(...Object.keys(encoders))
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 500 }),
      codings,
      fc.integer({ min: 1, max: 60 }),
      async (bytes, coding, size) => {
        const pieces = cut((encoders[coding] as (bytes: Uint8Array) => Buffer)(bytes), size)
        expect(await decoded(pieces, coding)).toEqual(Buffer.from(bytes))
      },
    ),
  )
})

describe.each(Object.keys(hosts))('a body decoded while it arrives on %s', (host) => {
  const echo: Handler = async (req, res) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of decodeStream(req, req.headers['content-encoding'], limits)) chunks.push(chunk)
      res.end(Buffer.concat(chunks))
    } catch (error) {
      res.writeHead((error as { status: number }).status).end('refused')
    }
  }
  const pipeline = { middlewares: [], handler: echo }

  test('is complete', async () => {
    await serving(host, pipeline, async (url) => {
      const answer = await send(url, {
        method: 'POST',
        headers: { 'content-encoding': 'gzip' },
        body: zlib.gzipSync(text),
      })
      expect([answer.status, answer.body]).toEqual([200, text])
    })
  })

  test('sends its error response to a client that is still sending', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(3_000_000))
    const rows: [string, Buffer, number][] = [
      ['gzip', Buffer.concat([bomb, Buffer.alloc(3_000_000, 'x')]), 413],
      ['br', Buffer.alloc(3_000_000, 'x'), 400],
      ['compress', Buffer.alloc(3_000_000, 'x'), 415],
      ['identity', Buffer.alloc(3_000_000, 'x'), 413],
    ]
    await serving(host, pipeline, async (url) => {
      for (const [coding, body, status] of rows) {
        const answer = await send(url, { method: 'POST', headers: { 'content-encoding': coding }, body })
        expect([coding, answer.status, answer.text]).toEqual([coding, status, 'refused'])
      }
    })
  })

  test('fails if the client disconnects halfway', async () => {
    let settle = (_error: unknown): void => {}
    const failed = new Promise<unknown>((resolve) => {
      settle = resolve
    })
    let begun = (): void => {}
    const handler: Handler = (req) => {
      const stream = decodeStream(req, 'gzip', limits).on('error', settle).resume()
      stream.once('data', () => begun())
    }
    await serving(host, { middlewares: [], handler }, async (url) => {
      const client = request(url, { method: 'POST' }).on('error', () => {})
      begun = () => void client.destroy()
      client.write(zlib.gzipSync(NOISE).subarray(0, 50_000))
      expect(await failed).toMatchObject(DAMAGED)
    })
  })
})
