import { type VersionReader, versioning } from '@svc/versioning'
import { describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { hosts } from '../../internal/testing/hosts.ts'
import { echo, options, startOn } from './testing/start.ts'

describe.each(Object.keys(hosts))('a custom reader on %s', (host) => {
  test.each([
    ['at once', (req) => req.headers['x-account'] as string | undefined],
    ['later', async (req) => req.headers['x-account'] as string | undefined],
  ] as [string, VersionReader['read']][])('calls a reader that returns %s', async (_name, read) => {
    const api = versioning({
      ...options,
      sources: ['path', { name: 'account', read, vary: ['X-Account'] }, { header: 'X-Api' }],
    })
    const url = await startOn(host, { middlewares: [api], handler: echo })
    await check(
      url,
      { headers: { 'x-account': '2' } },
      { headers: { vary: 'X-Account, X-Api' }, body: { source: 'account', version: '2' } },
    )
    await check(url, { headers: { 'x-api': '2' } }, { body: { source: 'X-Api', version: '2' } })
    await check(url, {}, { body: { source: 'default' } })
    await check(url, { path: '/v1', headers: { 'x-account': '2' } }, { status: 400 })
    expect.hasAssertions()
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('directory is away')
      },
    ],
    ['rejects', () => Promise.reject(new Error('directory is away'))],
  ] as [string, VersionReader['read']][])('passes the error to next if a reader %s', async (_name, read) => {
    const errors: unknown[] = []
    const url = await startOn(host, {
      middlewares: [versioning({ ...options, sources: [{ name: 'account', read }] })],
      handler: echo,
      onError: (error, _req, res) => {
        errors.push(error)
        res.statusCode = 500
        res.end()
      },
    })
    await check(url, {}, { status: 500 })
    expect(errors).toEqual([new Error('directory is away')])
  })
})
