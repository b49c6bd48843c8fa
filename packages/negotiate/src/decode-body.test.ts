import * as zlib from 'node:zlib'
import { decodeBody } from '@svc/negotiate/decode'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DECODABLE } from './decoders.ts'

const encoders: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  ...(DECODABLE.includes('zstd') && { zstd: zlib.zstdCompressSync }),
}
const limits = { maxBytes: 1_000_000 }
const text = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id }))))

describe.each(Object.keys(encoders))('%s (RFC 9110 §8.4.1)', (coding) => {
  const encode = (bytes: Uint8Array): Buffer => (encoders[coding] as (bytes: Uint8Array) => Buffer)(bytes)

  test('is decoded, in any case', async () => {
    expect(await decodeBody(encode(text), coding.toUpperCase(), limits)).toEqual(text)
    expect(await decodeBody(encode(encode(text)), `${coding}, ${coding}`, limits)).toEqual(text)
  })

  test('is rejected with 413 beyond the limit, and accepted up to it', async () => {
    expect(await decodeBody(encode(text), coding, { maxBytes: text.length })).toEqual(text)
    await expect(decodeBody(encode(text), coding, { maxBytes: text.length - 1 })).rejects.toMatchObject({
      status: 413,
      code: 'ERR_NEGOTIATE_BODY_TOO_LARGE',
    })
    await expect(decodeBody(encode(text), coding, { maxBytes: 0 })).rejects.toMatchObject({ status: 413 })
  })

  test('is rejected with 413 if it grows too much, except while it is small', async () => {
    const bomb = encode(Buffer.alloc(1_000_000))
    await expect(decodeBody(bomb, coding, limits)).rejects.toMatchObject({ status: 413 })
    expect(await decodeBody(bomb, coding, { ...limits, maxRatio: 1_000_000 })).toHaveLength(1_000_000)
    expect(await decodeBody(encode(Buffer.alloc(16_000)), coding, limits)).toHaveLength(16_000)
  })

  test('is rejected with 400 if it is truncated or corrupt', async () => {
    const coded = encode(text)
    const damaged = Buffer.from(coded).fill(0xff, 4, 20)
    for (const bytes of [coded.subarray(0, -8), coded.subarray(0, 5), damaged, text])
      await expect(decodeBody(bytes, coding, limits)).rejects.toMatchObject({
        status: 400,
        code: 'ERR_NEGOTIATE_BODY_CORRUPT',
      })
  })
})

test('returns bytes without an encoding unchanged, within the limit', async () => {
  for (const coding of [undefined, '', 'identity', ' , identity'])
    expect(await decodeBody(text, coding, limits)).toBe(text)
  await expect(decodeBody(text, undefined, { maxBytes: 10 })).rejects.toMatchObject({ status: 413 })
})

test('rejects an unsupported encoding with 415 and the supported ones', async () => {
  for (const coding of ['compress', '__proto__', 'gzip, gzip, gzip', 'identity, identity, identity, gzip, gzip, gzip'])
    await expect(decodeBody(text, coding, limits)).rejects.toMatchObject({
      status: 415,
      headers: { 'Accept-Encoding': DECODABLE.join(', ') },
    })
})

test('decodes any encoded body, and rejects anything else with a client error', async () => {
  const names = fc.array(fc.constantFrom(...Object.keys(encoders)), { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), names, async (bytes, codings) => {
      const coded = codings.reduce<Uint8Array>((inner, name) => encoders[name]?.(inner) ?? inner, bytes)
      const decoded = await decodeBody(coded, codings.join(', '), limits)
      expect(Buffer.from(decoded)).toEqual(Buffer.from(bytes))
      const outcome = await decodeBody(bytes, codings[0], limits).catch((error: { status: number }) => error.status)
      expect(outcome instanceof Uint8Array || outcome === 400 || outcome === 413).toBe(true)
    }),
  )
})
