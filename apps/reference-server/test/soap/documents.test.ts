import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClientAsync, WSSecurity } from 'soap'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JAXWS_CLASSPATH, needTool, run, runOnce } from '../../../../packages/internal/testing/programs.ts'
import { type Service, startService } from '../service.ts'
import { callStrongSoap, connectStrongSoap } from './strong-soap.ts'

// What other clients make of header blocks, declared faults and attachments. The first word of a
// title is a cell of the table of clients: apps/tools/clients.ts.
const python = needTool('zeep for Python', ['python3', '/usr/bin/python3'], ['-c', 'import zeep'])
const php = needTool('PHP', ['php'], ['-r', 'exit(class_exists("SoapClient") ? 0 : 1);'])
const wsimport = needTool('JAX-WS', ['wsimport'], ['-version'])
const javac = needTool('javac', ['javac'], ['-version'])
const wsdl2h = needTool('gSOAP', ['wsdl2h'], ['-V'])
const gcc = needTool(
  'gcc with stdsoap2.h',
  ['gcc'],
  ['-fsyntax-only', '-include', 'stdsoap2.h', '-x', 'c', '/dev/null'],
)
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'svc-clients-'))

let service: Service
let pdf: Buffer
let digest: string
beforeAll(async () => {
  service = await startService()
  const invoice = { as: 'bob', path: '/orders/1/invoice', headers: { accept: 'application/pdf' } }
  pdf = (await service.check(invoice, { status: 200 })).body
  digest = createHash('sha256').update(pdf).digest('hex')
})
afterAll(async () => {
  await service.running.stop()
  rmSync(folder, { recursive: true })
})

const document = () => [expect.stringMatching(/^invoice-\d{4}-000001\.pdf$/), 'application/pdf', digest]
const BOTH_PORTS = ['CustomerPort', 'CustomerPortSoap11']
const BOTH_VERSIONS = ['SOAP 1.1', 'SOAP 1.2']

const zeep = runOnce('zeep for Python', python, (python) => run(python, [file('documents.py'), service.url]))

test('zeep/fault reads the fields of declared faults', async (context) => {
  const seen = await zeep(context)
  for (const port of BOTH_PORTS) {
    for (const name of [port, `${port} MTOM`]) {
      expect(seen.get(`${name} missing`)).toEqual(['OrderNotFound', { orderId: 404404 }])
      expect(seen.get(`${name} unpaid`)).toEqual(['DocumentNotAvailable', { orderId: 3, orderStatus: 'CREATED' }])
    }
    expect(seen.get(`${port} stock`)).toBe('InsufficientStock')
  }
})

test('zeep/header sends ClientContext and receives Receipt', async (context) => {
  const seen = await zeep(context)
  for (const port of BOTH_PORTS) {
    expect(seen.get(`${port} receipt`)).toEqual(['zeep-1', digest])
    expect(seen.get(`${port} quote`)).toEqual(['1998.00', 'EUR', 'zeep-1'])
  }
})

test('zeep/mtom-received reads attachments that it asks for, and sends the bytes back as Base64', async (context) => {
  const seen = await zeep(context)
  for (const port of BOTH_PORTS) {
    for (const name of [port, `${port} MTOM`]) {
      expect(seen.get(`${name} document`)).toEqual(document())
      expect(seen.get(`${name} genuine`)).toBe(true)
    }
    expect(seen.get(`${port} type`)).toBe('Base64')
    expect(seen.get(`${port} MTOM type`)).toBe('attachment')
  }
})

const phpClient = runOnce('PHP with SoapClient', php, (php) => run(php, [file('documents.php'), service.url]))

test('PHP/fault reads the fields of a declared fault', async (context) => {
  const seen = await phpClient(context)
  for (const name of BOTH_VERSIONS) expect(seen.get(`${name} unpaid`)).toEqual([3, 'CREATED'])
})

test('PHP/header sends ClientContext and receives Receipt', async (context) => {
  const seen = await phpClient(context)
  for (const name of BOTH_VERSIONS) expect(seen.get(`${name} receipt`)).toEqual(['php-1', digest])
})

test('PHP sends and receives documents as Base64', async (context) => {
  const seen = await phpClient(context)
  for (const name of BOTH_VERSIONS) {
    expect(seen.get(`${name} document`)).toEqual(document())
    expect(seen.get(`${name} genuine`)).toBe(true)
  }
})

const jaxws = runOnce('JAX-WS with a Java compiler', wsimport && javac, async (javac) => {
  const wsdl = `${service.url}/ws/customer?wsdl=v2`
  await run('wsimport', ['-quiet', '-extension', '-Xnocompile', '-XadditionalHeaders', '-d', folder, wsdl])
  const generated = join(folder, 'example/svc/ws/customer/v2')
  const sources = [...readdirSync(generated).map((name) => join(generated, name)), file('Documents.java')]
  await run(javac, ['-nowarn', '-cp', JAXWS_CLASSPATH, '-d', folder, ...sources])
  return run('java', ['-cp', `${JAXWS_CLASSPATH}:${folder}`, 'Documents', service.url])
})

test('JAX-WS/call calls an operation without header blocks', async (context) => {
  const seen = await jaxws(context)
  const { name } = JSON.parse((await service.check({ as: 'ada', path: '/customers/1' }, { status: 200 })).text)
  for (const version of BOTH_VERSIONS) expect(seen.get(`${version} customer`)).toBe(name)
}, 180_000)

test('JAX-WS/fault throws declared faults as exceptions of their own', async (context) => {
  const seen = await jaxws(context)
  for (const name of BOTH_VERSIONS) expect(seen.get(`${name} unpaid`)).toBe('CREATED')
}, 180_000)

test('JAX-WS/header sends ClientContext and receives Receipt', async (context) => {
  const seen = await jaxws(context)
  for (const name of BOTH_VERSIONS) expect(seen.get(`${name} receipt`)).toBe('jaxws-1')
}, 180_000)

test('JAX-WS/mtom receives an attachment and sends one', async (context) => {
  const seen = await jaxws(context)
  for (const name of BOTH_VERSIONS) {
    expect(seen.get(`${name} document`)).toBe(digest)
    expect(seen.get(`${name} type`)).toBe('attachment')
    expect(seen.get(`${name} media type`)).toBe('application/pdf')
    expect(seen.get(`${name} genuine`)).toBe('true')
  }
}, 180_000)

const gsoap = runOnce('gSOAP with gcc', wsdl2h && gcc, async (gcc) => {
  const wsdl = `${service.url}/ws/customer?wsdl=v2`
  await run('wsdl2h', ['-c', '-o', 'customer.h', wsdl], folder)
  await run('soapcpp2', ['-c', '-C', '-L', '-x', 'customer.h'], folder)
  const sources = [file('documents.c'), 'soapC.c', 'soapClient.c']
  await run(gcc, ['-w', '-I.', '-o', 'gsoap-client', ...sources, '-lgsoap'], folder)
  return run(join(folder, 'gsoap-client'), [`${service.url}/ws/customer`])
})

test('gSOAP/call speaks both versions of SOAP', async (context) => {
  const seen = await gsoap(context)
  for (const name of BOTH_VERSIONS) expect(seen.get(`${name} version`)).toBe(name)
})

test('gSOAP/fault reads the fields of declared faults', async (context) => {
  const seen = await gsoap(context)
  for (const name of BOTH_VERSIONS) {
    expect(seen.get(`${name} unpaid`)).toEqual([3, 'CREATED'])
    expect(seen.get(`${name} missing`)).toBe(404404)
  }
})

test('gSOAP/header sends ClientContext and receives Receipt', async (context) => {
  const seen = await gsoap(context)
  for (const name of BOTH_VERSIONS) expect(seen.get(`${name} receipt`)).toBe('gsoap-1')
})

test('gSOAP/mtom receives an attachment and sends one', async (context) => {
  const seen = await gsoap(context)
  for (const name of BOTH_VERSIONS) {
    expect(Buffer.from(String(seen.get(`${name} document`)), 'hex')).toEqual(pdf)
    expect(seen.get(`${name} type`)).toBe('application/pdf')
    expect(seen.get(`${name} genuine`)).toBe('true')
  }
})

const writeContext = (application: string): string =>
  `<ClientContext xmlns="http://svc.example/ws/customer/v2"><application>${application}</application>` +
  `<requestId>${application}-1</requestId></ClientContext>`

async function connectNodeSoap(forceSoap12Headers: boolean): Promise<Client> {
  const options = { forceSoap12Headers, parseReponseAttachments: true }
  const client = await createClientAsync(`${service.url}/ws/customer?wsdl=v2`, options)
  client.setSecurity(new WSSecurity('bob', 'bob-demo', { passwordType: 'PasswordDigest', hasTimeStamp: false }))
  client.addSoapHeader(writeContext('node'))
  return client
}

test.each([true, false])('node-soap/header sends ClientContext and receives Receipt, in SOAP 1.2: %s', async (is12) => {
  const client = await connectNodeSoap(is12)
  const [output, , headers] = await client['getOrderDocumentAsync']({ orderId: 1 })
  expect(output).toMatchObject({ mediaType: 'application/pdf' })
  expect(headers).toMatchObject({ Receipt: { requestId: 'node-1' } })
})

test.each([true, false])('node-soap/mtom-received reads an attachment, in SOAP 1.2: %s', async (is12) => {
  const client = await connectNodeSoap(is12)
  await client['getOrderDocumentAsync']({ orderId: 1 }, {}, { Accept: 'multipart/related' })
  expect(client.lastResponseAttachments?.parts[0]?.body).toEqual(pdf)
})

test('node-soap/fault reads the fields of a declared fault', async () => {
  const client = await connectNodeSoap(true)
  const error = await client['getOrderDocumentAsync']({ orderId: 3 }).catch((error: unknown) => error)
  const { DocumentNotAvailable } = error.root.Envelope.Body.Fault.Detail
  expect(DocumentNotAvailable).toMatchObject({ orderStatus: 'CREATED' })
})

// It names SOAP 1.1 in the Content-Type of every message with attachments.
test('node-soap/mtom-sent sends an attachment', async () => {
  const client = await connectNodeSoap(false)
  const include = { attributes: { 'xmlns:inc': 'http://www.w3.org/2004/08/xop/include', href: 'cid:file' } }
  const attachment = { mimetype: 'application/pdf', contentId: 'file', name: 'file', body: pdf }
  const [output] = await client['verifyOrderDocumentAsync'](
    { orderId: 1, document: { 'inc:Include': include } },
    { forceMTOM: true, attachments: [attachment] },
  )
  expect(output).toMatchObject({ isGenuine: true })
})

test('strong-soap/header sends ClientContext and receives Receipt', async () => {
  const client = await connectStrongSoap(`${service.url}/ws/customer?wsdl=v2`, 'bob')
  client.addSoapHeader(writeContext('strong'))
  const { output, headers } = await callStrongSoap(client, 'getOrderDocument', {
    GetOrderDocumentRequest: { orderId: 1 },
  })
  expect(output).toMatchObject({ mediaType: 'application/pdf', document: pdf.toString('base64') })
  expect(headers).toMatchObject({ Receipt: { requestId: 'strong-1' } })
})

test('strong-soap/fault reads the fields of a declared fault', async () => {
  const client = await connectStrongSoap(`${service.url}/ws/customer?wsdl=v2`, 'bob')
  client.addSoapHeader(writeContext('strong'))
  const wrong = callStrongSoap(client, 'getOrderDocument', { GetOrderDocumentRequest: { orderId: 3 } })
  const detail = { DocumentNotAvailable: { orderId: '3', orderStatus: 'CREATED' } }
  await expect(wrong).rejects.toMatchObject({ root: { Envelope: { Body: { Fault: { detail } } } } })
})
