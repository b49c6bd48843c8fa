import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClientAsync, WSSecurity } from 'soap'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../service.ts'
import { findTool, run } from './tools.ts'

// What other clients make of header blocks, declared faults and attachments.
const python = findTool('zeep for Python', ['python3', '/usr/bin/python3'], ['-c', 'import zeep'], true)
const php = findTool('PHP', ['php'], ['-r', 'exit(class_exists("SoapClient") ? 0 : 1);'], false)
const wsimport = findTool('JAX-WS', ['wsimport'], ['-version'], true)
const javac = findTool('javac', ['javac'], ['-version'], true)
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

let service: Service
let digest: string
beforeAll(async () => {
  service = await startService()
  const invoice = { as: 'bob', path: '/orders/1/invoice', headers: { accept: 'application/pdf' } }
  const { body } = await service.check(invoice, { status: 200 })
  digest = createHash('sha256').update(body).digest('hex')
})
afterAll(() => service.running.stop())

const document = () => [expect.stringMatching(/^invoice-\d{4}-000001\.pdf$/), 'application/pdf', digest]

function parseLines(output: string): Map<string, unknown> {
  return new Map(output.split('\n').flatMap((line) => (line.startsWith('[') ? [JSON.parse(line)] : [])))
}

test('zeep for Python: header blocks, declared faults, and attachments if it asks for them', async (context) => {
  if (!python) return context.skip('zeep for Python is not installed')
  const seen = parseLines(await run(python, [file('documents.py'), service.url]))
  for (const port of ['CustomerPort', 'CustomerPortSoap11']) {
    for (const name of [port, `${port} MTOM`]) {
      expect(seen.get(`${name} document`)).toEqual(document())
      expect(seen.get(`${name} receipt`)).toEqual(['zeep-1', digest])
      expect(seen.get(`${name} genuine`)).toBe(true)
      expect(seen.get(`${name} missing`)).toEqual(['OrderNotFound', { orderId: 404404 }])
      expect(seen.get(`${name} unpaid`)).toEqual(['DocumentNotAvailable', { orderId: 3, orderStatus: 'CREATED' }])
    }
    expect(seen.get(`${port} quote`)).toEqual(['1998.00', 'EUR', 'zeep-1'])
    expect(seen.get(`${port} stock`)).toBe('InsufficientStock')
  }
})

test('PHP: header blocks and declared faults, and documents as Base64', async (context) => {
  if (!php) return context.skip('PHP has no SoapClient here')
  const seen = parseLines(await run(php, [file('documents.php'), service.url]))
  for (const name of ['SOAP 2', 'SOAP 1']) {
    expect(seen.get(`${name} document`)).toEqual(document())
    expect(seen.get(`${name} receipt`)).toEqual(['php-1', digest])
    expect(seen.get(`${name} genuine`)).toBe(true)
    expect(seen.get(`${name} unpaid`)).toEqual([3, 'CREATED'])
  }
})

const JARS = ['jaxws-rt', 'jaxws-api', 'jaxb-api', 'jaxb-impl', 'jaxb-core', 'javax.activation', 'saaj-impl', 'stax-ex']
const MORE_JARS = [
  'javax.xml.soap-api',
  'jws-api',
  'metro-policy',
  'mimepull',
  'streambuffer',
  'istack-commons-runtime',
]
const CLASSPATH = [...JARS, ...MORE_JARS, 'FastInfoset', 'gmbal', 'txw2'].map((name) => `/usr/share/java/${name}.jar`)

test('JAX-WS: header blocks, declared faults as exceptions, attachments both ways', async (context) => {
  if (!(wsimport && javac)) return context.skip('JAX-WS and a Java compiler are not installed')
  const folder = mkdtempSync(join(tmpdir(), 'svc-jaxws-'))
  const wsdl = `${service.url}/ws/customer?wsdl=v2`
  await run(wsimport, ['-quiet', '-extension', '-Xnocompile', '-XadditionalHeaders', '-d', folder, wsdl])
  const generated = join(folder, 'example/svc/ws/customer/v2')
  const sources = [...readdirSync(generated).map((name) => join(generated, name)), file('Documents.java')]
  const classpath = CLASSPATH.join(':')
  await run(javac, ['-nowarn', '-cp', classpath, '-d', folder, ...sources])
  const seen = parseLines(await run('java', ['-cp', `${classpath}:${folder}`, 'Documents', service.url]))
  rmSync(folder, { recursive: true })
  for (const name of ['SOAP 1.1', 'SOAP 1.2']) {
    expect(seen.get(`${name} document`)).toBe(digest)
    expect(seen.get(`${name} type`)).toBe('attachment')
    expect(seen.get(`${name} receipt`)).toBe('jaxws-1')
    expect(seen.get(`${name} genuine`)).toBe('true')
    expect(seen.get(`${name} unpaid`)).toBe('CREATED')
  }
}, 180_000)

describe('node-soap', () => {
  const connect = async (forceSoap12Headers: boolean) => {
    const options = { forceSoap12Headers, parseReponseAttachments: true }
    const client = await createClientAsync(`${service.url}/ws/customer?wsdl=v2`, options)
    client.setSecurity(new WSSecurity('bob', 'bob-demo', { passwordType: 'PasswordDigest', hasTimeStamp: false }))
    const namespace = 'http://svc.example/ws/customer/v2'
    client.addSoapHeader(
      `<ClientContext xmlns="${namespace}"><application>node-soap</application><requestId>node-1</requestId></ClientContext>`,
    )
    return client
  }

  test.each([true, false])('receives a header block and an attachment, in SOAP 1.2: %s', async (is12) => {
    const client = await connect(is12)
    const accept = { Accept: 'multipart/related' }
    const [output, , headers] = await client['getOrderDocumentAsync']({ orderId: 1 }, {}, accept)
    expect(output).toMatchObject({ mediaType: 'application/pdf' })
    expect(headers).toMatchObject({ Receipt: { requestId: 'node-1' } })
    const [part] = client.lastResponseAttachments?.parts ?? []
    expect(
      createHash('sha256')
        .update(part?.body ?? '')
        .digest('hex'),
    ).toBe(digest)
  })

  test('receives a declared fault', async () => {
    const client = await connect(true)
    const error = await client['getOrderDocumentAsync']({ orderId: 3 }).catch((error: unknown) => error)
    const { DocumentNotAvailable } = error.root.Envelope.Body.Fault.Detail
    expect(DocumentNotAvailable).toMatchObject({ orderStatus: 'CREATED' })
  })

  // It names SOAP 1.1 in the Content-Type of every message with attachments.
  test('sends an attachment', async () => {
    const client = await connect(false)
    const invoice = { as: 'bob', path: '/orders/1/invoice', headers: { accept: 'application/pdf' } }
    const { body } = await service.check(invoice, { status: 200 })
    const include = { attributes: { 'xmlns:inc': 'http://www.w3.org/2004/08/xop/include', href: 'cid:file' } }
    const attachment = { mimetype: 'application/pdf', contentId: 'file', name: 'file', body }
    const [output] = await client['verifyOrderDocumentAsync'](
      { orderId: 1, document: { 'inc:Include': include } },
      { forceMTOM: true, attachments: [attachment] },
    )
    expect(output).toMatchObject({ isGenuine: true })
  })
})
