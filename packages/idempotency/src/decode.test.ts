import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decode } from './decode.ts'

const plain = Buffer.from('paid '.repeat(100))

describe('decode', () => {
  test.each([
    ['gzip', zlib.gzipSync(plain)],
    ['X-GZIP', zlib.gzipSync(plain)],
    ['deflate', zlib.deflateSync(plain)],
    ['br', zlib.brotliCompressSync(plain)],
    ['identity', plain],
    [undefined, plain],
  ])('decodes %s', (coding, body) => {
    expect(decode(body, coding, 1000)).toEqual(plain)
  })

  test.skipIf(!('zstdCompressSync' in zlib))('returns the bytes before zstd (needs a Node.js with zstd)', () => {
    expect(decode(zlib.zstdCompressSync(plain), 'zstd', 1000)).toEqual(plain)
  })

  test.each([
    ['a coding that is not known', 'compress', plain],
    ['a name of the language', '__proto__', plain],
    ['damaged bytes', 'gzip', plain],
    ['more bytes than allowed', 'gzip', zlib.gzipSync(Buffer.alloc(100_000))],
    ['two codings', 'gzip, br', zlib.gzipSync(plain)],
  ])('returns undefined for %s', (_, coding, body) => {
    expect(decode(body, coding, 1000)).toBeUndefined()
  })
})
