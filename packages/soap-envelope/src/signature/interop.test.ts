import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { soap } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import { clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'
import { needTool, run } from '../../../internal/testing/programs.ts'
import { FOR_AUTHORITIES, FOR_SIGNATURES, type Identity, issue } from '../testing/certificates.ts'
import { getCustomer, SHOP, shop, shopService } from '../testing/shop.ts'
import { DS, EXCLUSIVE_C14N } from './algorithms.ts'
import { messageSigner } from './sign.ts'

const python = needTool('zeep for Python', ['python3', '/usr/bin/python3'], ['-c', 'import zeep, xmlsec'])
const xmlsec1 = needTool('xmlsec1', ['xmlsec1'], ['--version'])

const authority = issue('/CN=Interop authority', { extensions: FOR_AUTHORITIES })
const client = issue('/CN=Ada', { extensions: FOR_SIGNATURES, issuer: authority, serial: 5 })
const server = issue('/CN=Server', { extensions: FOR_SIGNATURES, issuer: authority, serial: 6 })
const pem = ({ privateKey, certificate }: Identity) => ({ privateKey, certificate })

const folder = mkdtempSync(join(tmpdir(), 'svc-signed-'))
const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

let host: RunningHost
let url: string
beforeAll(async () => {
  const service = shopService(
    {
      security: [x509Signature({ trustedAuthorities: [authority.certificate], sign: pem(server) })],
    },
    {
      getCustomer: ({ customerId }: { customerId: bigint }, { user }) => ({
        customer: { id: customerId, name: user?.name, email: 'é <&> \r\n' },
      }),
    },
  )
  const middleware = soap(service)
  host = await listen((req, res) => middleware(req, res, () => res.end()))
  url = `${host.url}/shop`
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

test('zeep/signature signs requests and verifies responses, in both of its ways and both versions', async (context) => {
  if (!python) return context.skip('zeep for Python with xmlsec is not installed')
  const files = [save('c.key', client.privateKey), save('c.pem', client.certificate), save('s.pem', server.certificate)]
  const script = fileURLToPath(new URL('../testing/zeep_signed.py', import.meta.url))
  const lines = (await run(python, [script, url, ...files])).trim().split('\n')
  const seen = new Map<string, unknown>(lines.map((line) => JSON.parse(line)))
  for (const way of ['binary ShopPort', 'binary ShopPortSoap11', 'embedded ShopPort', 'embedded ShopPortSoap11']) {
    expect(seen.get(way)).toEqual([7, 'CN=Ada'])
    expect(seen.get(`${way} verified`)).toBe(true)
  }
})

interface NodeSoap {
  createClientAsync(url: string, options?: object): Promise<NodeSoapClient>
  WSSecurityCert: new (key: string, certificate: string, password: string, options: object) => object
}
interface NodeSoapClient {
  setSecurity(security: object): void
  getCustomerAsync(input: object): Promise<[{ customer: { name: string } }]>
}

describe('node-soap', () => {
  const nodeSoap = createRequire(import.meta.url)('soap') as NodeSoap
  const options = {
    hasTimeStamp: true,
    signatureTransformations: [EXCLUSIVE_C14N],
    signerOptions: { idMode: 'wssecurity' },
  }

  test.each([true, false])('node-soap/signature-sent signs requests, SOAP 1.2: %s', async (forceSoap12Headers) => {
    const calling = await nodeSoap.createClientAsync(`${url}?wsdl`, { forceSoap12Headers })
    calling.setSecurity(new nodeSoap.WSSecurityCert(client.privateKey, client.certificate, '', options))
    const [reply] = await calling.getCustomerAsync({ customerId: 7 })
    expect(reply.customer.name).toBe('CN=Ada')
  })

  test('gets a fault for transforms that are not exclusive canonicalization alone', async () => {
    const calling = await nodeSoap.createClientAsync(`${url}?wsdl`, { forceSoap12Headers: true })
    const { signatureTransformations: _, ...others } = options
    calling.setSecurity(new nodeSoap.WSSecurityCert(client.privateKey, client.certificate, '', others))
    await expect(calling.getCustomerAsync({ customerId: 7 })).rejects.toThrow(/Transforms does not contain Transform/)
  })
})

describe('xmlsec1', () => {
  const IDS = ['Body', 'Timestamp', 'BinarySecurityToken', 'to'].flatMap((name) => ['--id-attr:Id', name])

  test.for(['rsa:2048', 'P-256', 'P-384', 'P-521'])(
    'xmlsec1/signature-received verifies what is signed here with %s',
    async (algorithm, context) => {
      if (!xmlsec1) return context.skip('xmlsec1 is not installed')
      const identity = issue('/CN=Ada', { algorithm, extensions: FOR_SIGNATURES, issuer: authority })
      const body = `<x:EchoRequest xmlns:x="${SHOP}" xmlns:p="urn:p" xmlns="urn:d" a="&#13;&#9;&gt;" p:b="">\r\n é <![CDATA[<&>]]><!-- c --><y t="p:z"/></x:EchoRequest>`
      const headers = ['<t:to xmlns:t="urn:t">a</t:to>']
      const xml = messageSigner('test', pem(identity))({ version: '1.2', body, headers, attachments: [], tokens: '' })
      // xmlsec1 does not know how WS-Security names a certificate, and gets it as an option.
      const file = save('ours.xml', xml.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/, ''))
      const certificate = save('ours.pem', identity.certificate)
      const verify = (name: string): Promise<string> =>
        run(xmlsec1, ['--verify', '--pubkey-cert-pem', certificate, ...IDS, name])
      expect(await verify(file)).toMatch(/^OK|\nOK/)
      await expect(verify(save('wrong.xml', readFileSync(file, 'utf8').replace('é', 'e')))).rejects.toThrow()
    },
  )

  test.for(['rsa-sha256', 'rsa-sha512'])(
    'xmlsec1/signature-sent signs requests with %s',
    async (algorithm, context) => {
      if (!xmlsec1) return context.skip('xmlsec1 is not installed')
      const wsse = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-'
      const reference = (id: string): string =>
        `<Reference URI="#${id}"><Transforms><Transform Algorithm="${EXCLUSIVE_C14N}"><InclusiveNamespaces xmlns="${EXCLUSIVE_C14N}" PrefixList="s env #default"/></Transform></Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue/></Reference>`
      const now = Date.now()
      const template = `<?xml version="1.0"?>
<env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope" xmlns:s="${SHOP}" xmlns:u="${wsse}utility-1.0.xsd">
  <env:Header><w:Security xmlns:w="${wsse}secext-1.0.xsd">
    <u:Timestamp u:Id="T"><u:Created>${new Date(now).toISOString()}</u:Created><u:Expires>${new Date(now + 60_000).toISOString()}</u:Expires></u:Timestamp>
    <Signature xmlns="${DS}"><SignedInfo><CanonicalizationMethod Algorithm="${EXCLUSIVE_C14N}"/>
      <SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#${algorithm}"/>${reference('B')}${reference('T')}</SignedInfo>
      <SignatureValue/><KeyInfo><X509Data><X509Certificate/></X509Data></KeyInfo></Signature>
  </w:Security></env:Header>
  <env:Body u:Id="B">${getCustomer('9')}</env:Body>
</env:Envelope>`
      const file = save('template.xml', template)
      const keys = `${save('x.key', client.privateKey)},${save('x.pem', client.certificate)}`
      const signed = await run(xmlsec1, ['--sign', '--privkey-pem', keys, ...IDS, file])
      const send = (body: string): Promise<Response> =>
        fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/soap+xml' }, body })
      expect(await (await send(signed.replace('>9<', '>8<'))).text()).toContain('is not what was signed')
      expect(await (await send(signed)).text()).toContain('CN=Ada')
    },
  )
})

test('the client of this package and its service sign and verify over HTTP', async () => {
  const calling = soapClient(shop, {
    endpoint: url,
    security: clientSignature({ sign: pem(client), verify: { trustedAuthorities: [authority.certificate] } }),
  })
  expect(await calling.call('getCustomer', { customerId: 7n })).toMatchObject({ customer: { email: 'é <&> \r\n' } })
})
