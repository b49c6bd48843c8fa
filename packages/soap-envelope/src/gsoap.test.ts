import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningHost } from '../../internal/testing/hosts.ts'
import { needTool, run, runOnce } from '../../internal/testing/programs.ts'
import { shopService } from './testing/shop.ts'
import { listenTo, signedShops } from './testing/signed-shop.ts'

// The options with which Debian compiled libgsoapssl: gsoapssl.pc.
const OPTIONS = ['-w', '-DWITH_DOM', '-DWITH_GZIP', '-DWITH_IPV6', '-DWITH_OPENSSL']
const GSOAP = '/usr/share/gsoap'
const PLUGINS = ['wsaapi', 'wsseapi', 'smdevp', 'mecevp', 'threads'].map((name) => `${GSOAP}/plugin/${name}.c`)
const VERSIONS = ['1.1', '1.2']

const wsdl2h = needTool('gSOAP', ['wsdl2h'], ['-V'])
const HEADERS = ['-fsyntax-only', ...OPTIONS, '-include', 'stdsoap2.h', '-x', 'c', '/dev/null']
const gcc = needTool('gcc with the headers of gSOAP, OpenSSL and zlib', ['gcc'], HEADERS)

const { authority, client, services } = signedShops()
// The name of the customer is the MessageID of the request.
const addressed = shopService(
  { addressing: true },
  {
    getCustomer: ({ customerId }: { customerId: bigint }, { envelope }) => {
      const id = envelope.headers.find(({ element }) => element.local === 'MessageID')
      return { customer: { id: customerId, name: id?.element.text, email: '' } }
    },
  },
)

const folder = mkdtempSync(join(tmpdir(), 'svc-gsoap-'))
let host: RunningHost
beforeAll(async () => {
  host = await listenTo({ ...services, addressed })
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

const gsoap = runOnce('gSOAP with gcc, OpenSSL and zlib', wsdl2h && gcc, async (gcc) => {
  writeFileSync(join(folder, 'client.key'), client.privateKey)
  writeFileSync(join(folder, 'client.pem'), client.certificate)
  writeFileSync(join(folder, 'authority.pem'), authority.certificate)
  writeFileSync(join(folder, 'plugins.h'), '#import "wsa5.h"\n#import "wsse.h"\n#import "shop.h"\n')
  await run('wsdl2h', ['-c', '-o', 'shop.h', `${host.url}/signed?wsdl`], folder)
  await run('soapcpp2', ['-c', '-C', '-L', '-w', '-x', `-I${GSOAP}/import:${GSOAP}`, 'plugins.h'], folder)
  const main = fileURLToPath(new URL('testing/gsoap_plugins.c', import.meta.url))
  const sources = [main, 'soapC.c', 'soapClient.c', `${GSOAP}/custom/struct_timeval.c`, ...PLUGINS]
  const libraries = ['-lgsoapssl', '-lssl', '-lcrypto']
  await run(gcc, [...OPTIONS, '-I.', `-I${GSOAP}/plugin`, '-o', 'client', ...sources, ...libraries], folder)
  return run(join(folder, 'client'), [host.url, folder])
})

test('gSOAP/addressing names its message, and finds it in what relates to it', async (context) => {
  const seen = await gsoap(context)
  for (const version of VERSIONS) {
    const id = seen.get(`${version} MessageID`)
    expect(id).toMatch(/^urn:uuid:/)
    expect(seen.get(`${version} received`)).toBe(id)
    expect(seen.get(`${version} RelatesTo`)).toBe(id)
    expect(seen.get(`${version} Action`)).toBe('urn:test:shop:ShopPortType:getCustomerResponse')
  }
})

test('gSOAP/signature-sent signs Body and Timestamp, which the service accepts', async (context) => {
  const seen = await gsoap(context)
  for (const version of VERSIONS) expect(seen.get(`${version} /signed`)).toBe('CN=Ada')
})

test('gSOAP/signature-received verifies responses, and rejects others', async (context) => {
  const seen = await gsoap(context)
  for (const version of VERSIONS) {
    expect(seen.get(`${version} Body`)).toBe('signed')
    expect(seen.get(`${version} Timestamp`)).toBe('signed')
    expect(seen.get(`${version} /altered`)).toBe('The signature or decryption was invalid')
    expect(seen.get(`${version} /unknown`)).toBe('Referenced security token could not be retrieved')
  }
})
