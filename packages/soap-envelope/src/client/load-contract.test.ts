import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadContract } from '@svc/soap-envelope/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readShop } from '../testing/shop.ts'

const FILES = ['shop.wsdl', 'shop.xsd', 'common/common.xsd', 'common/money.xsd']
const requests: { path: string; authorization: string | undefined }[] = []
let server: Server
let other: Server
let base: string
let otherBase: string

function serve(answer: (path: string) => { status: number; location?: string; text?: string }): Promise<Server> {
  const started = createServer((req, res) => {
    const path = (req.url ?? '').slice(1)
    requests.push({ path, authorization: req.headers.authorization })
    const { status, location, text = '' } = answer(path)
    if (location !== undefined) res.setHeader('location', location)
    res.writeHead(status).end(text)
  })
  return new Promise((resolve) => started.listen(0, '127.0.0.1', () => resolve(started)))
}

const addressOf = (started: Server): string => `http://127.0.0.1:${(started.address() as AddressInfo).port}`

beforeAll(async () => {
  other = await serve((path) => (FILES.includes(path) ? { status: 200, text: readShop(path) } : { status: 404 }))
  otherBase = addressOf(other)
  server = await serve((path) => {
    if (path === 'moved.wsdl') return { status: 302, location: '/shop.wsdl' }
    if (path === 'old/v1/shop.wsdl') return { status: 301, location: '/shop.wsdl' }
    if (path === 'schemas.wsdl')
      return { status: 200, text: readShop('shop.wsdl').replace('shop.xsd', 'old/schemas/shop.xsd') }
    if (path === 'old/schemas/shop.xsd') return { status: 308, location: '/shop.xsd' }
    if (path === 'away.wsdl') return { status: 302, location: `${otherBase}/shop.wsdl` }
    if (path === 'round.wsdl') return { status: 302, location: '/round.wsdl' }
    if (path === 'foreign.wsdl')
      return { status: 200, text: readShop('shop.wsdl').replace('shop.xsd', `${otherBase}/shop.xsd`) }
    if (path === 'empty.wsdl?token=s3cret') return { status: 200, text: '<empty/>' }
    if (path === 'moved.wsdl?token=s3cret') return { status: 302, location: `${otherBase}/shop.wsdl?token=s3cret` }
    if (path === 'secrets.wsdl') {
      const url = base.replace('//', '//bob:s3cret@')
      return { status: 200, text: readShop('shop.wsdl').replace('shop.xsd', `${url}/shop.xsd`) }
    }
    if (path === 'file.wsdl')
      return { status: 200, text: readShop('shop.wsdl').replace('shop.xsd', 'file:///etc/passwd') }
    return FILES.includes(path) ? { status: 200, text: readShop(path) } : { status: 404 }
  })
  base = addressOf(server)
})
afterAll(() => {
  server.close()
  other.close()
})
beforeEach(() => void requests.splice(0))

test('loads a WSDL from a URL with what it imports, each document once', async () => {
  const contract = await loadContract(new URL(`${base}/shop.wsdl`))
  expect([...contract.operations.keys()]).toEqual(['echo', 'getCustomer', 'listOrders', 'note'])
  expect(requests.map(({ path }) => path).sort()).toEqual([...FILES].sort())
})

test('loads a WSDL from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-load-'))
  mkdirSync(join(folder, 'common'))
  for (const name of FILES) writeFileSync(join(folder, name), readShop(name))
  for (const location of [join(folder, 'shop.wsdl'), pathToFileURL(join(folder, 'shop.wsdl'))])
    expect((await loadContract(location)).operations.size).toBe(4)
  await expect(loadContract(join(folder, 'shop.wsdl'), { maxBytes: 100 })).rejects.toThrow('larger than maxBytes')
  await expect(loadContract(join(folder, 'none.wsdl'))).rejects.toThrow('no such file')
  rmSync(folder, { recursive: true })
})

test.each(['moved.wsdl', 'old/v1/shop.wsdl', 'schemas.wsdl'])(
  'follows redirects on its own host: %s, whose references are relative to where it is',
  async (name) => {
    expect((await loadContract(`${base}/${name}`)).operations.size).toBe(4)
    expect(requests.map(({ path }) => path)).toEqual(expect.arrayContaining(FILES.slice(1)))
  },
)

describe('stays on its own host', () => {
  test.each(['away.wsdl', 'foreign.wsdl'])('%s is rejected unless the other host is allowed', async (name) => {
    const { host } = new URL(otherBase)
    await expect(loadContract(`${base}/${name}`)).rejects.toThrow(`add "${host}" to allowedHosts`)
    expect(requests.map(({ path }) => path)).toEqual([name])
    requests.splice(0)
    const headers = { authorization: 'Bearer secret' }
    expect((await loadContract(`${base}/${name}`, { allowedHosts: [host], headers })).operations.size).toBe(4)
    expect(requests.filter(({ path }) => path === 'common/money.xsd')).not.toEqual([])
  })

  test('credentials go to no other host', async () => {
    const { host } = new URL(otherBase)
    await loadContract(`${base}/foreign.wsdl`, { allowedHosts: [host], headers: { authorization: 'Bearer secret' } })
    expect(requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['foreign.wsdl', 'Bearer secret'],
      ...['shop.xsd', 'common/common.xsd', 'common/money.xsd'].map((path) => [path, undefined]),
    ])
  })

  test('and never reads a file', async () => {
    await expect(loadContract(`${base}/file.wsdl`)).rejects.toThrow(
      '"file:///etc/passwd" is not on the host of the WSDL',
    )
  })
})

test.each([
  ['a document that is not there', 'none.wsdl', {}, 'responded 404'],
  ['a circle of redirects', 'round.wsdl', {}, 'redirects too often'],
  ['a document that is too large', 'shop.wsdl', { maxBytes: 1000 }, 'larger than maxBytes'],
  ['too many documents', 'shop.wsdl', { maxDocuments: 2 }, 'more than 2 documents'],
  ['an unknown option', 'shop.wsdl', { allowedHost: 'x' }, 'did you mean "allowedHosts"?'],
])('rejects %s', async (_, name, options, message) => {
  const load = loadContract(`${base}/${name}`, options as object)
  await expect(load).rejects.toThrow(TypeError)
  await expect(load).rejects.toThrow(message)
})

test('secrets of a URL are not in errors', async () => {
  const { host } = new URL(base)
  const messages = await Promise.all(
    [
      `http://bob:s3cret@${host}/shop.wsdl`,
      `${base}/none.wsdl?token=s3cret`,
      `${base}/moved.wsdl?token=s3cret`,
      `${base}/secrets.wsdl`,
      `${base}/empty.wsdl?token=s3cret`,
      'http://bob:s3cret@localhost:port/?token=s3cret',
      'ftp://bob:s3cret@localhost/?token=s3cret',
    ].map((location) =>
      loadContract(location).then(
        () => 'loaded',
        (error: unknown) => String(error),
      ),
    ),
  )
  expect(messages.map((text) => text.replaceAll(base, '').replace(/^.*(?:loadContract|soap-envelope): /, ''))).toEqual([
    'a URL must not contain credentials: set headers.Authorization',
    '/none.wsdl responded 404',
    expect.stringContaining('/shop.wsdl is on a host that is not allowed'),
    'a URL must not contain credentials: set headers.Authorization',
    'parseContract: /empty.wsdl is not a WSDL 1.1 definitions',
    'location must be a file name or a URL of HTTP, got "localhost:port/"',
    'location must be a file name or a URL of HTTP, got "ftp://localhost/"',
  ])
  expect(messages.join()).not.toContain('s3cret')
})

test('cancels the content of a response that is an error', async () => {
  let isCanceled = false
  const page = new ReadableStream({
    cancel: () => {
      isCanceled = true
    },
  })
  const answering: typeof fetch = () => Promise.resolve(new Response(page, { status: 404 }))
  await expect(loadContract('http://h/x.wsdl', { fetch: answering })).rejects.toThrow('responded 404')
  expect(isCanceled).toBe(true)
})

test('tells where a text goes', async () => {
  await expect(loadContract(readShop('shop.wsdl'))).rejects.toThrow('pass a WSDL that is a text to parseContract()')
})
