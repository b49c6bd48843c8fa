import { parseContract, soap, soapService } from '@svc/soap-envelope'
import nodeSoap from 'soap'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'
import { element, plain, sequence } from '../testing/corpus/shapes.ts'

const shape = plain('documents', sequence(element('name', 'x:string'), element('data', 'x:base64Binary')))
const contract = parseContract(shape.documents[shape.main] ?? '')
let received: unknown
let host: RunningHost
beforeAll(async () => {
  const call = (input: unknown): unknown => {
    received = input
    return input
  }
  const middleware = soap(soapService({ wsdl: contract, attachments: {}, operations: { call } }))
  host = await listen((req, res) => middleware(req, res, () => res.end()))
})
afterAll(() => host.close())

test('node-soap/mtom sends an attachment, and receives one', async () => {
  const client = await nodeSoap.createClientAsync(`${host.url}/?wsdl`, { parseReponseAttachments: true })
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 256))
  const include = { attributes: { 'xmlns:inc': 'http://www.w3.org/2004/08/xop/include', href: 'cid:file' } }
  const [output] = await client['callAsync'](
    { name: 'report', data: { 'inc:Include': include } },
    {
      forceMTOM: true,
      attachments: [{ mimetype: 'application/octet-stream', contentId: 'file', name: 'file', body: bytes }],
    },
  )
  expect(received).toEqual({ name: 'report', data: new Uint8Array(bytes) })
  expect(output).toMatchObject({ name: 'report' })
  expect(client.lastResponseAttachments?.parts[0]?.body).toEqual(bytes)
})
