import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningHost } from '../../../internal/testing/hosts.ts'
import { findJars, JAXWS_CLASSPATH, needTool, run, runOnce } from '../../../internal/testing/programs.ts'
import { listenTo, signedShops } from '../testing/signed-shop.ts'

const WSS4J_CLASSPATH = findJars(['wss4j', 'xmlsec', 'slf4j-api', 'slf4j-nop', 'commons-logging', 'commons-codec'])
const CLASSPATH = `${JAXWS_CLASSPATH}:${WSS4J_CLASSPATH}`
const javac = needTool('javac', ['javac'], ['-version'])
const jaxws = needTool('JAX-WS', ['wsimport'], ['-version'])
const wss4j = needTool('WSS4J', ['javap'], ['-cp', CLASSPATH, 'org.apache.ws.security.WSSecurityEngine'])
const VERSIONS = ['1.1', '1.2']

const { authority, client, services } = signedShops()
const folder = mkdtempSync(join(tmpdir(), 'svc-jaxws-'))
let host: RunningHost
beforeAll(async () => {
  host = await listenTo(services)
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

const java = runOnce('JAX-WS with WSS4J and a Java compiler', jaxws && wss4j && javac, async (javac) => {
  writeFileSync(join(folder, 'authority.pem'), authority.certificate)
  const options = ['-export', '-name', 'client', '-passout', 'pass:secret', '-out', join(folder, 'client.p12')]
  execFileSync('openssl', ['pkcs12', ...options], { input: client.privateKey + client.certificate })
  const sources = fileURLToPath(new URL('../testing/java', import.meta.url))
  const main = join(sources, 'JaxwsSignedCalls.java')
  await run(javac, ['-nowarn', '-cp', CLASSPATH, '-sourcepath', sources, '-d', folder, main])
  return run('java', ['-cp', `${folder}:${CLASSPATH}`, 'JaxwsSignedCalls', host.url, folder])
})

test('JAX-WS/signature-sent signs Body and Timestamp, which the service accepts', async (context) => {
  const seen = await java(context)
  for (const version of VERSIONS) expect(seen.get(`${version} /signed`)).toBe('CN=Ada')
})

test('JAX-WS/signature-received verifies responses, and rejects others', async (context) => {
  const seen = await java(context)
  for (const version of VERSIONS) {
    expect(seen.get(`${version} /altered`)).toBe('invalid')
    expect(seen.get(`${version} /unknown`)).toBe('invalid')
  }
})
