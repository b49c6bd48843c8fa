import { type Contract, parseContract, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { writeTypes } from '@svc/soap-envelope/types'
import { describe, expect, test } from 'vitest'
import { attribute, complex, plain, restriction, sequence, text } from '../testing/corpus/shapes.ts'

const NAMESPACE = 'http://www.w3.org/2005/05/xmlmime'
const XMIME = `xmlns:m="${NAMESPACE}"`
const expected = (types: string): string => `${XMIME} m:expectedContentTypes="${types}"`
const data = (more: string, type = 'x:base64Binary'): string =>
  sequence(`<x:element name="data" type="${type}" ${more}/>`)
const BYTES = new Uint8Array(2000).fill(7)

function load(content: string, more = ''): Contract {
  const { documents, main } = plain('media types', content, more)
  return parseContract((documents[main] ?? '').replace(/<x:schema [^>]*>/, `$&<x:import namespace="${NAMESPACE}"/>`))
}

/**
 * Sends a value to a service that returns it. Returns the types of both parts, as they were
 * received.
 */
async function exchange(content: string, more: string, value: unknown): Promise<unknown[]> {
  const contract = load(content, more)
  const seen: unknown[] = []
  const service = soapService({
    wsdl: contract,
    attachments: {},
    operations: {
      call: (input, { envelope }) => {
        seen.push(envelope.body?.children[0]?.contentType)
        return input
      },
    },
  })
  const client = soapClient(contract, {
    mtom: true,
    fetch: async (url, init) => {
      const request = new Request(url, { ...init, duplex: 'half' } as RequestInit)
      const contentType = request.headers.get('content-type') ?? ''
      const body = Buffer.from(await request.arrayBuffer())
      const { status, headers, body: xml, pieces = [xml] } = await service.handle({ method: 'POST', contentType, body })
      const chunks: Buffer[] = []
      for await (const piece of pieces) chunks.push(Buffer.from(piece))
      return new Response(Buffer.concat(chunks), { status, headers })
    },
  })
  const { envelope, output } = await client.send('call', { data: value })
  expect(output).toEqual({ data: value })
  return [...seen, envelope?.body?.children[0]?.contentType]
}

describe('a part has the media type that the schema expects', () => {
  const type = restriction('x:base64Binary', '').replace(
    '<x:simpleType>',
    `<x:simpleType name="S" ${expected('image/png')}>`,
  )
  test.each([
    ['of its element', data(expected('application/pdf')), '', 'application/pdf'],
    ['of its element, with a parameter', data(expected('text/xml; charset=utf-8')), '', 'text/xml; charset=utf-8'],
    ['with a weight', data(expected('image/png;q=0.5')), '', 'image/png'],
    ['of its type', data('', 't:S'), type, 'image/png'],
    ['of its element before its type', data(expected('image/gif'), 't:S'), type, 'image/gif'],
    ['unless it names several', data(expected('image/png, image/gif')), '', 'application/octet-stream'],
    ['unless it is a wildcard', data(expected('image/*')), '', 'application/octet-stream'],
    ['unless it is not a media type', data(expected('a picture')), '', 'application/octet-stream'],
    ['unless it has a line break', data(expected('image/png;a&#13;&#10;X-A: 1')), '', 'application/octet-stream'],
    ['unless there is none', data(''), '', 'application/octet-stream'],
  ])('%s', async (_, content, more, mediaType) => {
    expect(await exchange(content, more, BYTES)).toEqual([mediaType, mediaType])
  })
})

describe('a value names its own media type by xmime:contentType', () => {
  const photo = complex('Photo', text('x:base64Binary', `<x:attribute ref="m:contentType" ${XMIME}/>`))
  const content = data(expected('image/gif'), 't:Photo')

  test('which comes before the one that the schema expects', async () => {
    const value = { value: BYTES, '@contentType': 'image/png' }
    expect(await exchange(content, photo, value)).toEqual(['image/png', 'image/png'])
  })

  test('and has that of the schema without it', async () => {
    expect(await exchange(content, photo, { value: BYTES })).toEqual(['image/gif', 'image/gif'])
  })

  test.each(['image', 'image/png\r\nX-A: 1', 'image/png\u00e9'])('and must be a media type: %j', async (type) => {
    const value = { value: BYTES, '@contentType': type }
    await expect(exchange(content, photo, value)).rejects.toThrow('has an @contentType that is not a media type')
  })

  test('and an attribute of that name in no namespace does not', async () => {
    const other = complex('Photo', text('x:base64Binary', attribute('contentType', 'x:string')))
    const value = { value: BYTES, '@contentType': 'image/png' }
    expect(await exchange(content, other, value)).toEqual(['image/gif', 'image/gif'])
  })
})

test('generated types name the media type of a binary value', () => {
  const types = writeTypes(load(data(`${expected('application/pdf')} minOccurs="0"`)))
  expect(types).toContain('  /** application/pdf */\n  data?: Uint8Array\n')
})
