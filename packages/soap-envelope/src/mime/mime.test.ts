import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { parseContract, soap, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'
import { element, facet, plain, restriction, sequence } from '../testing/corpus/shapes.ts'
import { faultIn, post } from '../testing/post.ts'
import { toStream } from '../testing/stream-of.ts'

const XOP = 'http://www.w3.org/2004/08/xop/include'
const content = sequence(
  element('name', 'x:string'),
  element('data', 'x:base64Binary', 'minOccurs="0" maxOccurs="unbounded"'),
  element('small', 't:Small', 'minOccurs="0"'),
)
const small = restriction('x:base64Binary', facet('maxLength', '4')).replace(
  '<x:simpleType>',
  '<x:simpleType name="Small">',
)
const shape = plain('documents', content, small)
const contract = parseContract(shape.documents[shape.main] ?? '')
const seen: { input: unknown; attachments: unknown }[] = []
const service = soapService({
  wsdl: contract,
  attachments: { maxCount: 3, maxBytes: 200_000, maxTotalBytes: 300_000 },
  operations: {
    call: (input: unknown, { attachments }: { attachments: unknown }) => {
      seen.push({ input, attachments })
      return input
    },
  } as never,
})

let host: RunningHost
beforeAll(async () => {
  const middleware = soap(service)
  host = await listen((req, res) => middleware(req, res, () => res.end()))
})
afterAll(() => host.close())

const bytesOf = (size: number, seed = 7): Uint8Array => Uint8Array.from({ length: size }, (_, at) => (at * seed) % 251)

test('a client sends binary values as attachments, and gets them back', async () => {
  const types: (string | null)[] = []
  const client = soapClient(contract, {
    endpoint: host.url,
    mtom: true,
    fetch: async (url, init) => {
      types.push(new Headers(init?.headers).get('content-type'))
      const response = await fetch(url, init)
      types.push(response.headers.get('content-type'))
      return response
    },
  })
  const input = { name: 'order', data: [bytesOf(100_000), bytesOf(5000, 11)], small: bytesOf(3) }
  expect(await client.call('call', input)).toEqual(input)
  expect(seen.at(-1)?.input).toEqual(input)
  expect(types).toEqual([
    expect.stringMatching(/^multipart\/related; type="application\/xop\+xml"/),
    expect.stringMatching(/^multipart\/related; type="application\/xop\+xml"/),
  ])
})

test.each([
  ['multipart/related', true],
  ['text/xml, Multipart/Related;type="application/xop+xml", */*;q=0.1', true],
  ['multipart/related;q=0', false],
  ['multipart/relatedness', false],
  ['*/*', false],
  [undefined, false],
])('a plain request with Accept: %s gets attachments: %s', async (accept, isPacked) => {
  const data = Buffer.from(bytesOf(5000)).toString('base64')
  const xml = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><Request xmlns="urn:corpus"><name>a</name><data>${data}</data></Request></e:Body></e:Envelope>`
  const { status, headers, pieces } = await post(service, xml, { accept })
  expect(status).toBe(200)
  expect(headers['Content-Type']?.startsWith('multipart/related')).toBe(isPacked)
  expect(pieces !== undefined).toBe(isPacked)
})

test('a service without attachments responds to every Accept in one part', async () => {
  const plainService = soapService({ wsdl: contract, operations: { call: (input: unknown) => input } as never })
  const data = Buffer.from(bytesOf(5000)).toString('base64')
  const xml = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><Request xmlns="urn:corpus"><name>a</name><data>${data}</data></Request></e:Body></e:Envelope>`
  const { headers } = await post(plainService, xml, { accept: 'multipart/related' })
  expect(headers['Content-Type']).toBe('application/soap+xml; charset=utf-8')
})

test('small values stay in the message', async () => {
  const client = soapClient(contract, { endpoint: host.url, mtom: true })
  const { httpHeaders, output } = await client.send('call', { name: 'a', data: [bytesOf(10)] })
  expect(httpHeaders.get('content-type')).toBe('application/soap+xml; charset=utf-8')
  expect(output).toEqual({ name: 'a', data: [bytesOf(10)] })
})

const TYPE = 'multipart/related; boundary=b; type="application/xop+xml"; start="<m>"; start-info="application/soap+xml"'
const message = (data: string): string =>
  `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><Request xmlns="urn:corpus"><name>n</name>${data}</Request></e:Body></e:Envelope>`
const include = (href: string): string => `<data><x:Include xmlns:x="${XOP}" href="${href}"/></data>`
const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`
const root = (data: string): string =>
  part('Content-Type: application/xop+xml; type="application/soap+xml"\r\nContent-ID: <m>', message(data))
const attached = (id: string, body: string, more = ''): string => part(`Content-ID: <${id}>${more}`, body)
const END = '--b--\r\n'
const send = (text: string, contentType = TYPE) => post(service, text, { contentType })

describe('a message in parts', () => {
  test('is the same however it is cut', async () => {
    const text = `preamble\r\n${root(include('cid:a%40x'))}${attached('a@x', 'one\r\n--c\r\n-b\r\ntwo')}${END}epilogue`
    const bytes = Buffer.from(text)
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      const { status, body } = await service.handle({
        method: 'POST',
        contentType: TYPE,
        path: '/',
        body: toStream(chunks),
      })
      expect(status, body).toBe(200)
      expect(seen.at(-1)?.input).toMatchObject({
        name: 'n',
        data: [new TextEncoder().encode('one\r\n--c\r\n-b\r\ntwo')],
      })
    }
  })

  test('may have attachments in Base64', async () => {
    const head = '\r\nContent-Transfer-Encoding: base64'
    expect((await send(root(include('cid:a')) + attached('a', 'AQID', head) + END)).status).toBe(200)
    expect(seen.at(-1)?.input).toMatchObject({ data: [new Uint8Array([1, 2, 3])] })
  })

  test('may be SOAP with Attachments, which the handler gets', async () => {
    const type = 'multipart/related; boundary=b; type="text/xml"'
    const text = message('').replace(
      'http://www.w3.org/2003/05/soap-envelope',
      'http://schemas.xmlsoap.org/soap/envelope/',
    )
    const answer = await send(
      part('Content-Type: text/xml', text) + attached('file', 'PDF', '\r\nContent-Type: application/pdf') + END,
      type,
    )
    expect(answer.status, answer.body).toBe(200)
    expect(seen.at(-1)?.attachments).toEqual([
      { contentId: 'file', contentType: 'application/pdf', bytes: new TextEncoder().encode('PDF') },
    ])
  })

  test('the facets of a type hold for an attachment', async () => {
    const data = include('cid:a').replaceAll('data>', 'small>')
    expect(await faultIn(await send(root(data) + attached('a', '12345') + END))).toBe('400 Sender/ValidationFailed')
    expect((await send(root(data) + attached('a', '1234') + END)).status).toBe(200)
  })
})

describe('rejects', () => {
  const big = 'x'.repeat(150_000)
  test.each([
    [
      'an address in place of an attachment',
      root(include('http://169.254.169.254/')) + END,
      '400 Sender/InvalidAttachment',
    ],
    ['a file in place of an attachment', root(include('file:///etc/passwd')) + END, '400 Sender/InvalidAttachment'],
    ['an attachment that is not there', root(include('cid:none')) + END, '400 Sender/InvalidAttachment'],
    [
      'text beside an attachment',
      root(include('cid:a').replace('</data>', 'x</data>')) + attached('a', '1') + END,
      '400 Sender/InvalidAttachment',
    ],
    [
      'an attachment where none belongs',
      root(include('cid:a')).replaceAll('data>', 'name>').replace('<name>n</name>', '') + attached('a', '1') + END,
      '400 Sender/ValidationFailed',
    ],
    ['no end', root(include('cid:a')) + attached('a', '1'), '400 Sender/InvalidAttachment'],
    ['another part first', attached('a', '1') + root('') + END, '400 Sender/InvalidAttachment'],
    ['nothing', '', '400 Sender/InvalidAttachment'],
    ['a header without a colon', part('nonsense', 'x') + END, '400 Sender/InvalidAttachment'],
    ['endless headers', `--b\r\n${'a: b\r\n'.repeat(5000)}`, '400 Sender/InvalidAttachment'],
    [
      'an unknown transfer encoding',
      root('') + attached('a', '1', '\r\nContent-Transfer-Encoding: x-gzip') + END,
      '415 Sender/UnsupportedMediaType',
    ],
    ['too many attachments', root('') + attached('a', '1').repeat(4) + END, '400 Sender/LimitExceeded'],
    ['a large attachment', root('') + attached('a', big + big) + END, '413 Sender/LimitExceeded'],
    ['large attachments together', root('') + attached('a', big).repeat(3) + END, '413 Sender/LimitExceeded'],
    [
      'several references to one attachment beyond the limit',
      root(include('cid:a').repeat(3)) + attached('a', big) + END,
      '400 Sender/LimitExceeded',
    ],
    ['a large message', part('Content-ID: <m>', 'x'.repeat(1_100_000)) + END, '413 Sender/LimitExceeded'],
    ['a large preamble', 'x'.repeat(1_100_000) + root('') + END, '413 Sender/LimitExceeded'],
    ['a large epilogue', root('') + END + 'x'.repeat(1_100_000), '413 Sender/LimitExceeded'],
  ])('%s', async (_, text, fault) => {
    expect(await faultIn(await send(text))).toBe(fault)
  })

  test.each([
    ['before', 'x'.repeat(2_000_000) + root('') + END],
    ['after', root('') + END + 'x'.repeat(2_000_000)],
  ])('a decompression bomb %s the parts', async (_, text) => {
    const response = await fetch(host.url, {
      method: 'POST',
      headers: { 'content-type': TYPE, 'content-encoding': 'gzip' },
      body: gzipSync(text),
    })
    expect(response.status).toBe(413)
  })

  test('a boundary that is missing', async () => {
    const type = 'multipart/related; type="application/xop+xml"; start-info="application/soap+xml"'
    expect(await faultIn(await send(root(''), type))).toBe('400 Sender/InvalidAttachment')
  })

  test('a message whose stream ends early', async () => {
    const body = new Readable({ read: () => body.destroy(new Error('aborted')) })
    const answer = await service.handle({ method: 'POST', contentType: TYPE, path: '/', body })
    expect(await faultIn(answer)).toBe('400 Sender/MalformedXml')
  })

  test('all of it where attachments are not allowed', async () => {
    const closed = soapService({ wsdl: contract, operations: { call: (input: unknown) => input } as never })
    expect(await faultIn(await post(closed, root('') + END, { contentType: TYPE }))).toBe(
      '415 Sender/UnsupportedMediaType',
    )
  })

  test('more than the limits over HTTP before it is read', async () => {
    const response = await fetch(host.url, {
      method: 'POST',
      headers: { 'content-type': TYPE },
      body: new Uint8Array(3_000_000),
    })
    expect(response.status).toBe(413)
  })
})

test('limits are checked at start', () => {
  const build = (attachments: object) => () =>
    soapService({ wsdl: contract, attachments, operations: { call: () => ({}) } })
  expect(build({ maxCout: 1 })).toThrow('did you mean "maxCount"?')
  expect(build({ maxBytes: 0 })).toThrow('attachments.maxBytes must be a positive integer')
})

test('attachments are exact, whatever their bytes are', async () => {
  const client = soapClient(contract, { endpoint: host.url, mtom: true })
  const data = Buffer.concat([Buffer.from('\r\n--'), Buffer.from(bytesOf(2000)), Buffer.from('\r\n--svc-\r\n--')])
  const { data: back } = (await client.call('call', { name: 'x', data: [data] })) as { data: Uint8Array[] }
  expect(
    createHash('sha256')
      .update(back[0] ?? '')
      .digest('hex'),
  ).toBe(createHash('sha256').update(data).digest('hex'))
})
