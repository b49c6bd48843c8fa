import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { soap, soapService } from '@svc/soap-envelope'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { needTool, run, runOnce } from '../../internal/testing/programs.ts'
import { depot, depotOperations } from './testing/depot.ts'

// What was tried and Mono 6.8 cannot do, so that no test is about it:
// - MTOM: its encoder writes the boundary into the body, and not into the Content-Type of HTTP.
// - Signatures: with ProtectionLevel.Sign, too, it encrypts the Body that it signs.
// - WS-Addressing over SOAP 1.1: it sends wsa:To and wsa:MessageID, but no wsa:Action.
// - Faults with a status of 4xx, which SOAP 1.2 requires for env:Sender: it does not read them.
const wcf = needTool('WCF of Mono', ['test'], ['-f', '/usr/lib/mono/4.5/System.ServiceModel.dll'])
const mcs = needTool('mcs', ['mcs'], ['--version'])
const source = fileURLToPath(new URL('testing/wcf/DepotClient.cs', import.meta.url))
const VERSIONS = ['SOAP 1.1', 'SOAP 1.2']

const folder = mkdtempSync(join(tmpdir(), 'svc-wcf-'))
let host: RunningHost
beforeAll(async () => {
  const middleware = soap(soapService({ wsdl: depot, addressing: true, operations: depotOperations }))
  host = await listen((req, res) => middleware(req, res, () => res.end()))
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

const client = runOnce('WCF of Mono with mcs', wcf && mcs, async (mcs) => {
  const program = join(folder, 'client.exe')
  const references = ['-r:System.ServiceModel.dll', '-r:System.Runtime.Serialization.dll']
  await run(mcs, [`-out:${program}`, ...references, source])
  return run('mono', [program, host.url])
})

test('WCF/call sends and receives text and bytes', async (context) => {
  const seen = await client(context)
  for (const version of VERSIONS) {
    expect(seen.get(`${version} name`)).toBe('é <&> 日')
    expect(seen.get(`${version} bytes`)).toBe('equal')
  }
})

test('WCF/fault throws declared faults as FaultException of their type', async (context) => {
  const seen = await client(context)
  for (const version of VERSIONS) {
    expect(seen.get(`${version} fault`)).toBe('The depot is full.')
    expect(seen.get(`${version} bytes left`)).toBe('9007199254740993')
  }
})

test('WCF/header sends Sender and receives Receipt', async (context) => {
  const seen = await client(context)
  for (const version of VERSIONS) expect(seen.get(`${version} receipt`)).toBe('wcf')
})

test('WCF/addressing names its message, and finds it in what relates to it', async (context) => {
  const seen = await client(context)
  expect(seen.get('WS-Addressing name')).toBe('é <&> 日')
  expect(seen.get('WS-Addressing RelatesTo')).toBe('request')
  expect(seen.get('WS-Addressing Action')).toBe('urn:corpus:Port:storeResponse')
  expect(seen.get('WS-Addressing fault')).toBe('The depot is full.')
})
