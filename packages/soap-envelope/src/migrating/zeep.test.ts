import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatEnvelope, type OperationContext, SoapFault, soap, soapService, usernameToken } from '@svc/soap-envelope'
import { type ClientInterceptor, loadContract, soapClient } from '@svc/soap-envelope/client'
import { clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { writeTypes } from '@svc/soap-envelope/types'
import { expect } from 'vitest'
import { needTool, run, runOnce } from '../../../internal/testing/programs.ts'
import { FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { FOUND, MARKET, market, marketOperations } from '../testing/market.ts'
import { start, startOurs, testRows } from '../testing/migration-rows.ts'

// docs/migrating.md, row by row: testing/zeep_migrating.py does what the left cells say.
const python = needTool('zeep for Python', ['python3', '/usr/bin/python3'], ['-c', 'import zeep, xmlsec'])
const identity = issue('/CN=Ada', { extensions: FOR_SIGNATURES })
const { privateKey, certificate } = identity
const users = usernameToken({ findUser: (name) => (name === 'ada' ? { password: 'ada-demo', subject: 1 } : undefined) })

const ITEM = { sku: 'A-1' }
const FULL = `<t:Find xmlns:t="${MARKET}"><t:sku>A-1</t:sku></t:Find>`
/** The inputs and header blocks that the handler received from zeep. */
const received: [input: unknown, headers: unknown][] = []
const find = (input: { sku: string }, context: OperationContext): unknown => {
  received.push([input, context.inputHeaders])
  return marketOperations['find']?.(input as never, context)
}
const signatures = { security: [x509Signature({ trustedCertificates: [certificate] })] }

/** A service whose responses lack an element that the contract requires. */
async function startBroken(): Promise<string> {
  const wsdl = soap(soapService({ wsdl: market, operations: marketOperations }))
  const body = `<Found xmlns="${MARKET}"><id>1</id></Found>`
  const { url } = await start((req, res) => {
    if (req.method === 'GET') return wsdl(req, res, () => res.end())
    res.setHeader('Content-Type', 'application/soap+xml').end(formatEnvelope({ body }))
  })
  return `${url}/market`
}

const zeep = runOnce('zeep for Python with xmlsec', python, async (python) => {
  const services = [await startOurs({}, { find }), await startOurs({ security: [users] }), await startOurs(signatures)]
  const urls = [...services.map(({ url }) => url), await startBroken()]
  const folder = mkdtempSync(join(tmpdir(), 'svc-zeep-'))
  const files = Object.entries({ key: privateKey, pem: certificate }).map(([name, text]) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  })
  const script = fileURLToPath(new URL('../testing/zeep_migrating.py', import.meta.url))
  try {
    return await run(python, [script, ...urls, ...files])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

testRows('zeep', {
  '`zeep.Client(url, service_name=…, port_name=…)`': async (context) => {
    expect((await zeep(context)).get('name')).toBe('Screw')
    const { url } = await startOurs()
    const contract = await loadContract(`${url}?wsdl`, { service: 'Market', port: 'P12' })
    expect(await soapClient(contract).call('find', ITEM)).toEqual(FOUND)
  },

  "`client.service.find('A-1')`": async (context) => {
    await zeep(context)
    const { url } = await startOurs({}, { find })
    await soapClient(market, { endpoint: url }).call('find', ITEM)
    expect(received[0]).toEqual([ITEM, {}])
    expect(received.at(-1)).toEqual(received[0])
  },

  "`client.service.find('A-1', _soapheaders=[block])`": async (context) => {
    await zeep(context)
    const { url } = await startOurs({}, { find })
    await soapClient(market, { endpoint: url }).call('find', ITEM, { inputHeaders: { session: { token: 't' } } })
    expect(received[1]).toEqual([ITEM, { session: { token: 't' } }])
    expect(received.at(-1)).toEqual(received[1])
  },

  '`zeep.xsd.Nil`, `None`': async (context) => {
    expect((await zeep(context)).get('note')).toBeNull()
    expect(received.slice(2, 4).map(([input]) => input)).toEqual([{ ...ITEM, hint: null }, ITEM])
    const { url } = await startOurs({}, { find })
    const client = soapClient(market, { endpoint: url })
    expect(await client.call('find', { ...ITEM, hint: null })).toMatchObject({ note: null })
    expect(received.at(-1)?.[0]).toEqual({ ...ITEM, hint: null })
  },

  "`price['_value_1']`, `price.currency`": async (context) => {
    expect((await zeep(context)).get('price')).toEqual(['0.10', 'EUR'])
    const { url } = await startOurs()
    const price = { value: '0.10', '@currency': 'EUR' }
    expect(await soapClient(market, { endpoint: url }).call('find', ITEM)).toMatchObject({ item: [{ price }] })
  },

  '`_value_1` of a choice that repeats': async (context) => {
    expect((await zeep(context)).get('choices')).toMatchObject(FOUND.items)
    const { url } = await startOurs()
    expect(await soapClient(market, { endpoint: url }).call('find', ITEM)).toMatchObject({ items: FOUND.items })
  },

  '`zeep.exceptions.Fault`': async (context) => {
    expect((await zeep(context)).get('fault')).toEqual(['No such item.', `{${MARKET}}NoSuch`, 'B-2'])
    const { url } = await startOurs()
    const client = soapClient(market, { endpoint: url })
    const error: unknown = await client.call('find', { sku: 'B-2' }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(SoapFault)
    expect(client.declaredFault('find', error)).toEqual({ name: 'NoSuch', value: { sku: 'B-2' } })
  },

  '`Settings(strict=False)`': async (context) => {
    expect((await zeep(context)).get('lenient')).toBeNull()
    const client = soapClient(market, { endpoint: await startBroken(), version: '1.2' })
    await expect(client.call('find', ITEM)).rejects.toThrow(/note/)
  },

  '`UsernameToken(name, password, use_digest=True)`': async (context) => {
    expect((await zeep(context)).get('password')).toBe(String(FOUND.id))
    const { url } = await startOurs({ security: [users] })
    const credentials = { username: 'ada', password: 'ada-demo', type: 'digest' } as const
    expect(await soapClient(market, { endpoint: url, credentials }).call('find', ITEM)).toEqual(FOUND)
  },

  '`BinarySignature(key, certificate)`': async (context) => {
    const seen = await zeep(context)
    expect(seen.get('signed')).toBe(String(FOUND.id))
    expect(seen.get('SHA-1')).toMatch(/DigestMethod is not one of those that are allowed/)
    const { url } = await startOurs(signatures)
    const security = clientSignature({ sign: { privateKey, certificate } })
    expect(await soapClient(market, { endpoint: url, security }).call('find', ITEM)).toEqual(FOUND)
  },

  '`Plugin.egress`, `Plugin.ingress`': async (context) => {
    const seen = await zeep(context)
    expect([seen.get('egress'), seen.get('ingress')]).toEqual([
      expect.stringContaining('>A-1<'),
      expect.stringContaining('Found'),
    ])
    const { url } = await startOurs()
    const events: unknown[] = []
    const interceptor: ClientInterceptor = async (call, next) => {
      events.push(call.input)
      const reply = await next()
      events.push(reply.envelope?.body?.local)
      return reply
    }
    await soapClient(market, { endpoint: url, interceptors: [interceptor] }).call('find', ITEM)
    expect(events).toEqual([ITEM, 'Found'])
  },

  '`client.wsdl.dump()`, `python -m zeep url`': async (context) => {
    expect((await zeep(context)).get('dump')).toMatch(/find\(sku: xsd:string, hint: xsd:string, file: xsd:base64Binary/)
    expect(writeTypes(market)).toMatch(/find: \{ input: Find/)
  },

  '`client.create_message(…)`': async (context) => {
    expect((await zeep(context)).get('message')).toMatch(/<ns0:Find xmlns:ns0="urn:corpus"><ns0:sku>A-1</)
    const body = market.operations.get('find')?.input.encode(ITEM) ?? ''
    expect(body).toBe(FULL)
    expect(formatEnvelope({ body })).toContain(FULL)
  },
})
