import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idempotency } from '@svc/idempotency'
import multer from 'multer'
import { describe, expect, test } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { check, type RequestLiteral } from '../../internal/testing/check.ts'
import { counting, payment, serve } from './testing/service.ts'
import { readUploads } from './uploads.ts'

/** A form as a client sends it: each attempt has its own boundary. */
async function form(fields: Record<string, string>, files: Record<string, string>): Promise<RequestLiteral> {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const [name, text] of Object.entries(files)) data.append(name, new Blob([text], { type: 'text/csv' }), 'a.csv')
  const message = new Response(data)
  const headers = { 'Content-Type': message.headers.get('content-type') ?? '' }
  return payment('A', { headers, body: new Uint8Array(await message.arrayBuffer()) })
}

const REPLAYED = { status: 201, body: '{"id":1}', headers: { 'idempotent-replayed': 'true' } }
const inMemory = multer()
const parsers = {
  'no parser before': undefined,
  'multer with one file': inMemory.single('file'),
  'multer with files of several names': inMemory.fields([{ name: 'file' }, { name: 'other' }]),
  'multer with any files': inMemory.any(),
}

describe.each(Object.entries(parsers))('a form with a file, and %s', (_, parser) => {
  const before = parser ? [parser as unknown as Middleware] : []

  test.each([
    ['another field', { a: '2' }, { file: 'x;1' }],
    ['another file', { a: '1' }, { file: 'x;2' }],
    ['no file', { a: '1' }, {}],
    ['two files', { a: '1' }, { file: 'x;1', other: 'x;1' }],
  ])('is equal in every attempt, and differs with %s', async (difference, fields, files) => {
    const { handler, runs } = counting()
    await serve('express 5', { middlewares: [...before, idempotency()], handler }, async (url) => {
      const first = await form({ a: '1' }, { file: 'x;1' })
      const again = await form({ a: '1' }, { file: 'x;1' })
      expect(again.headers?.['Content-Type']).not.toBe(first.headers?.['Content-Type'])
      await check(url, first, { status: 201, body: '{"id":1}' })
      await check(url, again, REPLAYED)
      // multer refuses a second file where it expects one.
      const status = difference === 'two files' && parser === parsers['multer with one file'] ? 500 : 422
      await check(url, await form(fields, files), { status })
      expect(runs()).toBe(1)
    })
  })
})

describe('a form whose file is on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-uploads-'))
  const onDisk = multer({ dest: folder }).single('file') as unknown as Middleware

  test('is rejected without a fingerprint of the route, since its content cannot be compared', async () => {
    const { handler, runs } = counting()
    await serve('express 5', { middlewares: [onDisk, idempotency({ onRefused: 'json' })], handler }, async (url) => {
      await check(url, await form({}, { file: 'x;1' }), { status: 500, body: /could not process/ })
      expect(runs()).toBe(0)
    })
    const fingerprint = (req: object) => readFileSync((req as { file: { path: string } }).file.path, 'utf8')
    await serve('express 5', { middlewares: [onDisk, idempotency({ fingerprint })], handler }, async (url) => {
      await check(url, await form({}, { file: 'x;1' }), { status: 201 })
      await check(url, await form({}, { file: 'x;1' }), REPLAYED)
      await check(url, await form({}, { file: 'x;2' }), { status: 422 })
    })
    rmSync(folder, { recursive: true })
  })
})

describe('readUploads', () => {
  const file = { fieldname: 'f', originalname: 'a', mimetype: 'b', size: 1, buffer: Buffer.from('x') }

  test.each([
    ['nothing', {}, 0],
    ['no files', { files: null }, 0],
    ['an empty list', { files: [] }, 0],
    ['one file', { file }, 1],
    ['a list', { files: [file, file] }, 2],
    ['lists by name', { files: Object.assign(Object.create(null), { ['__proto__']: [file], f: [file, file] }) }, 3],
    ['files by name, as in express-fileupload', { files: { f: { name: 'a', size: 1, data: file.buffer } } }, 1],
  ])('describes %s', (_, req, count) => {
    expect(readUploads(req)).toHaveLength(count)
  })

  test.each([
    ['a path', { file: { ...file, buffer: undefined, path: '/tmp/x' } }],
    ['an empty buffer beside a file on disk', { files: { f: { size: 1, data: Buffer.alloc(0), tempFilePath: '/x' } } }],
    ['one of two', { files: [file, { fieldname: 'g' }] }],
  ])('returns undefined for %s', (_, req) => {
    expect(readUploads(req)).toBeUndefined()
  })
})
