import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { soap } from '@svc/soap-envelope'
import { x509Signature } from '@svc/soap-envelope/signature'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'
import { findJars, needTool, run, runOnce } from '../../../internal/testing/programs.ts'
import { FOR_AUTHORITIES, FOR_SIGNATURES, type Identity, issue } from '../testing/certificates.ts'
import { shopService } from '../testing/shop.ts'

const CLASSPATH = findJars(['wss4j', 'xmlsec', 'slf4j-api', 'slf4j-nop', 'commons-logging', 'commons-codec'])
const javac = needTool('javac', ['javac'], ['-version'])
const wss4j = needTool('WSS4J', ['javap'], ['-cp', CLASSPATH, 'org.apache.ws.security.WSSecurityEngine'])

const authority = issue('/CN=Java authority', { extensions: FOR_AUTHORITIES })
const issueFor = (name: string, algorithm: string): Identity =>
  issue(`/CN=${name}`, { algorithm, extensions: FOR_SIGNATURES, issuer: authority })
const ALGORITHMS = new Map([
  ['rsa', 'rsa:2048'],
  ['ecdsa', 'P-256'],
])
const VERSIONS = ['1.1', '1.2']

const folder = mkdtempSync(join(tmpdir(), 'svc-java-'))
let host: RunningHost
beforeAll(async () => {
  // One service for each algorithm, which signs its responses with a key of the same kind.
  const middleware = new Map<string, ReturnType<typeof soap>>()
  for (const [name, algorithm] of ALGORITHMS) {
    const { privateKey, certificate } = issueFor('Server', algorithm)
    const sign = { privateKey, certificate }
    const service = shopService(
      { security: [x509Signature({ trustedAuthorities: [authority.certificate], sign })] },
      {
        getCustomer: ({ customerId }: { customerId: bigint }, { user }) => ({
          customer: { id: customerId, name: user?.name, email: 'é <&> \r\n' },
        }),
      },
    )
    middleware.set(`/${name}`, soap(service))
  }
  host = await listen((req, res) => middleware.get(req.url ?? '')?.(req, res, () => res.end()))
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

/** Writes a key and its certificate as Java reads them. */
function saveKeys(name: string, { privateKey, certificate }: Identity): void {
  const input = privateKey + certificate
  const options = ['-export', '-name', 'client', '-passout', 'pass:secret', '-out', join(folder, `${name}.p12`)]
  execFileSync('openssl', ['pkcs12', ...options], { input })
}

const java = runOnce('WSS4J with a Java compiler', wss4j && javac, async (javac) => {
  writeFileSync(join(folder, 'authority.pem'), authority.certificate)
  for (const [name, algorithm] of ALGORITHMS) saveKeys(name, issueFor('Ada', algorithm))
  const classes = join(folder, 'classes')
  mkdirSync(classes)
  const sources = ['SignedCalls', 'JdkSigner', 'Wss4jSigner']
  const files = sources.map((name) => fileURLToPath(new URL(`../testing/java/${name}.java`, import.meta.url)))
  await run(javac, ['-nowarn', '-cp', CLASSPATH, '-d', classes, ...files])
  return run('java', ['-cp', `${classes}:${CLASSPATH}`, 'SignedCalls', host.url, folder])
})

const labels = (library: string): string[] =>
  [...ALGORITHMS.keys()].flatMap((algorithm) => VERSIONS.map((version) => `${library} ${algorithm} ${version}`))

test('WSS4J/signature-sent signs with RSA and ECDSA what the service accepts', async (context) => {
  const seen = await java(context)
  for (const label of labels('WSS4J')) expect(seen.get(label), label).toBe('CN=Ada')
})

test('WSS4J/signature-received verifies responses, and rejects altered ones', async (context) => {
  const seen = await java(context)
  for (const label of labels('WSS4J')) {
    expect(seen.get(`${label} verified`), label).toBe('valid')
    expect(seen.get(`${label} altered`), label).toBe('invalid')
  }
})

test('JDK/signature-sent signs with RSA and ECDSA what the service accepts', async (context) => {
  const seen = await java(context)
  for (const label of labels('JDK')) expect(seen.get(label), label).toBe('CN=Ada')
})

test('JDK/signature-received verifies responses, and rejects altered ones', async (context) => {
  const seen = await java(context)
  for (const label of labels('JDK')) {
    expect(seen.get(`${label} verified`), label).toBe('valid')
    expect(seen.get(`${label} altered`), label).toBe('invalid')
  }
})
