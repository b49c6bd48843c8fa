import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { authenticationHeader, type SoapService, soap, usernameToken } from '@svc/soap-envelope'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { needTool, run, runOnce } from '../../internal/testing/programs.ts'
import { envelope, getCustomer, SHOP, shopService } from './testing/shop.ts'

const python = needTool('zeep for Python', ['python3', '/usr/bin/python3'], ['-c', 'import zeep'])
const xmllint = needTool('xmllint', ['xmllint'], ['--version'])
const php = needTool('PHP', ['php'], ['-r', 'exit(class_exists("SoapClient") ? 0 : 1);'])
const wsdl2h = needTool('gSOAP', ['wsdl2h'], ['-V'])
const file = (name: string): string => fileURLToPath(new URL(`testing/${name}`, import.meta.url))

const findUser = (name: string) => (name === 'ada' ? { password: 'ada-demo', subject: 1 } : undefined)
const answers: string[] = []

/** The service, with every SOAP 1.2 response recorded. */
function recorded(service: SoapService): SoapService {
  return {
    ...service,
    handle: async (request) => {
      const answer = await service.handle(request)
      if (answer.headers['Content-Type']?.startsWith('application/soap+xml')) answers.push(answer.body)
      return answer
    },
  }
}

const service = recorded(
  shopService(
    { security: [usernameToken({ findUser }), authenticationHeader({ namespace: SHOP, findUser })] },
    {
      getCustomer: ({ customerId }: { customerId: bigint }) => {
        if (customerId === 404n)
          throw Object.assign(new Error('There is no such customer.'), { status: 404, expose: true })
        return { customer: { id: customerId, name: 'Ada <Lovelace> & Söhne 日本', email: 'ada@example.com' } }
      },
    },
  ),
)

let host: RunningHost
let url: string
beforeAll(async () => {
  const middleware = soap(service)
  host = await listen((req, res) => middleware(req, res, () => res.end()))
  url = `${host.url}/shop`
})
afterAll(() => host.close())

const zeep = runOnce('zeep for Python', python, (python) => run(python, [file('zeep_client.py'), url]))

test('zeep/call calls every operation over both ports', async (context) => {
  const seen = await zeep(context)
  for (const port of ['ShopPort', 'ShopPortSoap11']) {
    expect(seen.get(`${port} customer`)).toEqual([9007199254740992, 'Ada <Lovelace> & Söhne 日本', 'ada@example.com'])
    expect(seen.get(`${port} orders`)).toEqual(
      [9007199254740993n, 9007199254740994n].map((id) => [Number(id), 'PAID', '12.50', 'EUR']),
    )
    expect(seen.get(`${port} none`)).toEqual([])
    expect(seen.get(`${port} note`)).toBeNull()
    expect(seen.get(`${port} echo`)).toEqual([
      ' a\tb\n<&>日😀',
      Number(2n ** 63n - 1n),
      '0.10',
      1e300,
      '2026-01-02T03:04:05.678901+00:00',
      [0, 255],
      null,
      null,
      ['one'],
      'n',
      7,
      true,
    ])
  }
  expect(seen.get('ShopPort wrong password')).toEqual([
    'Sender',
    ['FailedAuthentication'],
    'The security token could not be authenticated.',
    false,
  ])
  expect(seen.get('ShopPortSoap11 wrong password')).toEqual([
    'FailedAuthentication',
    [],
    'The security token could not be authenticated.',
    false,
  ])
  expect(seen.get('ShopPort missing')).toEqual(['Sender', ['NotFound'], 'There is no such customer.', true])
  expect(seen.get('ShopPortSoap11 missing')).toEqual(['Client', [], 'There is no such customer.', true])
})

const phpClient = runOnce('PHP with SoapClient', php, (php) => run(php, [file('php_client.php'), url]))

test('PHP/call calls the service in both versions', async (context) => {
  const seen = await phpClient(context)
  for (const version of ['1.1', '1.2']) {
    expect(seen.get(`${version} customer`)).toEqual([
      '9223372036854775807',
      'Ada <Lovelace> & Söhne 日本',
      'ada@example.com',
    ])
    expect(seen.get(`${version} orders`)).toBe(3)
    expect(seen.get(`${version} note`)).toBeNull()
    const code = version === '1.1' ? 'Client' : 'Sender'
    expect(seen.get(`${version} missing`)).toEqual([code, 'There is no such customer.', 404])
  }
})

test("gSOAP's wsdl2h reads the WSDL and its schemas", async (context) => {
  if (!wsdl2h) return context.skip('gSOAP is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'svc-gsoap-'))
  const said = await run(wsdl2h, ['-o', join(folder, 'shop.h'), `${url}?wsdl`])
  const header = readFileSync(join(folder, 'shop.h'), 'utf8')
  rmSync(folder, { recursive: true })
  for (const name of ['getCustomer', 'listOrders', 'echo', 'note'])
    expect(header).toMatch(new RegExp(`__ns\\d__${name}\\b`))
  expect(said).not.toMatch(/\berror\b/i)
})

interface NodeSoap {
  createClientAsync(
    url: string,
    options?: object,
  ): Promise<Record<string, (input: object) => Promise<unknown[]>> & Settable>
  WSSecurity: new (user: string, password: string, options: object) => object
}
interface Settable {
  setSecurity(security: object): void
}

describe('node-soap', () => {
  const nodeSoap = createRequire(import.meta.url)('soap') as NodeSoap

  test.each([
    ['1.1', 'PasswordText', false],
    ['1.2', 'PasswordText', true],
    ['1.2', 'PasswordDigest', true],
  ])('node-soap/call calls the service in %s with %s', async (_, passwordType, forceSoap12Headers) => {
    const client = await nodeSoap.createClientAsync(`${url}?wsdl`, { forceSoap12Headers })
    client.setSecurity(new nodeSoap.WSSecurity('ada', 'ada-demo', { passwordType, hasTimeStamp: true }))
    const [answer] = (await client['getCustomerAsync']?.({ customerId: 42 })) ?? []
    expect(answer).toMatchObject({ customer: { name: 'Ada <Lovelace> & Söhne 日本', email: 'ada@example.com' } })
    const missing = client['getCustomerAsync']?.({ customerId: 404 })
    await expect(missing).rejects.toThrow('There is no such customer.')
  })
})

interface StrongSoap {
  soap: {
    createClient(
      url: string,
      options: object,
      done: (error: Error | null, client: StrongClient | undefined) => void,
    ): void
    WSSecurity: new (user: string, password: string, options: object) => object
  }
}
interface StrongClient {
  setSecurity(security: object): void
  getCustomer(input: object, done: (error: Error | null, result: unknown) => void): void
}

describe('strong-soap', () => {
  const { soap: strongSoap } = createRequire(import.meta.url)('strong-soap') as StrongSoap
  const call = (client: StrongClient, customerId: number): Promise<unknown> =>
    new Promise((resolve, reject) =>
      client.getCustomer({ GetCustomerRequest: { customerId } }, (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    )

  test.each(['PasswordText', 'PasswordDigest'])('strong-soap/call calls the service with %s', async (passwordType) => {
    const client = await new Promise<StrongClient>((resolve, reject) =>
      strongSoap.createClient(`${url}?wsdl`, {}, (error, made) => (made ? resolve(made) : reject(error))),
    )
    client.setSecurity(new strongSoap.WSSecurity('ada', 'ada-demo', { passwordType, hasTimeStamp: true }))
    expect(await call(client, 42)).toMatchObject({
      customer: { name: 'Ada <Lovelace> & Söhne 日本', email: 'ada@example.com' },
    })
    await expect(call(client, 404)).rejects.toThrow('There is no such customer.')
  })
})

describe('xmllint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-soap-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('finds every answer valid against the schemas of SOAP 1.2 and of the contract', async (context) => {
    if (!xmllint) return context.skip('xmllint is not installed')
    const faults = [
      'x',
      envelope('<s:None/>'),
      envelope(getCustomer('x')),
      envelope(getCustomer()),
      '<Envelope xmlns="urn:x"/>',
      envelope(
        getCustomer(),
        '<a xmlns="http://h/?a=1&amp;b=2" env:mustUnderstand="1"/><b xmlns="urn:b" env:mustUnderstand="1"/>',
      ),
    ]
    for (const message of faults) {
      await service.handle({ method: 'POST', contentType: 'application/soap+xml', body: Buffer.from(message) })
    }
    await service.handle({ method: 'DELETE' })
    expect(answers.length).toBeGreaterThan(6)
    const files = answers.map((answer, at) => {
      const name = join(folder, `${at}.xml`)
      writeFileSync(name, answer)
      return name
    })
    const said = await run(xmllint, ['--noout', '--nonet', '--schema', file('answers.xsd'), ...files])
    expect(
      said
        .trim()
        .split('\n')
        .filter((line) => !line.endsWith(' validates')),
    ).toEqual([])
  })

  test('finds an answer that breaks the schema, so that the test above means something', async (context) => {
    if (!xmllint) return context.skip('xmllint is not installed')
    const name = join(folder, 'bad.xml')
    writeFileSync(name, answers[0]?.replace('<env:Body>', '<env:Body><env:Body/>') ?? '')
    await expect(run(xmllint, ['--noout', '--nonet', '--schema', file('answers.xsd'), name])).rejects.toThrow()
  })
})
