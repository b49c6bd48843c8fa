import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { exchange } from './raw.ts'
import { basic, record, serviceFor } from './service.ts'

const service = serviceFor()
const digest = (bytes: string | Uint8Array, algorithm: 'sha256' | 'sha512' = 'sha256'): string =>
  `${algorithm.replace('sha', 'sha-')}=:${createHash(algorithm).update(bytes).digest('base64')}:`

const body = JSON.stringify({ name: 'Grace Hopper', department: 'Engineering', salary: 5000 })
const wrong = digest('another body')
const mismatch = { status: 400, body: record(400, 'DIGEST_MISMATCH', '/employees') }

describe('digests of requests (RFC 9530)', () => {
  const post = (fields: Record<string, string>, content: string | Buffer = body) => ({
    as: 'ada',
    method: 'POST',
    path: '/employees',
    body: content,
    headers: { 'content-type': 'application/json', ...fields },
  })

  test.each(['content-digest', 'repr-digest'])('%s is what the body is held against', async (name) => {
    for (const field of [digest(body), digest(body, 'sha512'), `${digest(body)}, ${digest(body, 'sha512')};a=1`])
      await service.check(post({ [name]: field }), { status: 201 })
    const empty = 'sha-256=::'
    for (const field of [wrong, digest('x', 'sha512'), `${digest(body)}, ${digest('x', 'sha512')}`, empty])
      await service.check(post({ [name]: field }), mismatch)
  })

  test('what is no digest, and algorithms that prove nothing, are not looked at', async () => {
    for (const field of ['md5=:AAAA:', 'sha-256=abc', 'sha-256', '__proto__=:AAAA:', 'x'.repeat(4000), ',,,'])
      await service.check(post({ 'content-digest': field }), { status: 201 })
  })

  test('the digest is that of the bytes on the wire', async () => {
    const coded = gzipSync(body)
    const fields = { 'content-encoding': 'gzip' }
    await service.check(post({ ...fields, 'content-digest': digest(coded) }, coded), { status: 201 })
    await service.check(post({ ...fields, 'content-digest': digest(body) }, coded), mismatch)
  })

  test('it may come behind a body in chunks, and there may be no body', async () => {
    const chunked = (trailer: string): Promise<string> =>
      exchange(
        service.url,
        `POST /employees HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${basic('ada')}\r\n` +
          'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Digest\r\n\r\n' +
          `${body.length.toString(16)}\r\n${body}\r\n0\r\nContent-Digest: ${trailer}\r\n\r\n`,
      )
    expect(await chunked(digest(body))).toMatch(/^HTTP\/1\.1 201 /)
    expect(await chunked(wrong)).toMatch(/^HTTP\/1\.1 400 /)
    const remove = { as: 'ada', method: 'DELETE', path: '/employees/99999' }
    await service.check({ ...remove, headers: { 'content-digest': digest('') } }, { status: 404 })
    await service.check({ ...remove, headers: { 'content-digest': wrong } }, { status: 400 })
  })
})

describe('digests of answers (RFC 9530)', () => {
  test('are given to who wants them, of the bytes that are sent', async () => {
    const headers = { 'want-repr-digest': 'sha-256=3, sha-512=10, md5=10', 'want-content-digest': 'sha-256=1' }
    for (const path of ['/employees', '/employees/1', '/orders/1/invoice']) {
      const answer = await service.check({ as: 'ada', path, headers }, { status: 200 })
      const expected = { 'repr-digest': digest(answer.body, 'sha512'), 'content-digest': digest(answer.body) }
      expect(answer.headers).toMatchObject(expected)
      expect(answer.headers['access-control-expose-headers']).toBe('*')
      const head = await service.check({ as: 'ada', method: 'HEAD', path, headers }, { status: 200 })
      expect(head.headers['repr-digest']).toBe(expected['repr-digest'])
    }
  })

  test('are given to nobody else', async () => {
    for (const field of ['sha-256=0', 'md5=1', 'sha-256', 'sha-256=11', '']) {
      const headers = { 'want-repr-digest': field, 'accept-encoding': 'gzip' }
      await service.check(
        { as: 'ada', path: '/employees', headers },
        { status: 200, headers: { 'repr-digest': undefined } },
      )
    }
  })
})
