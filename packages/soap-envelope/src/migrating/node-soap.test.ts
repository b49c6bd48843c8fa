import {
  type FaultContext,
  type Interceptor,
  type OperationContext,
  parseContract,
  SoapFault,
  usernameToken,
} from '@svc/soap-envelope'
import { type ClientInterceptor, soapClient } from '@svc/soap-envelope/client'
import { clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { writeTypes } from '@svc/soap-envelope/types'
import nodeSoap, { type Client, type Server } from 'soap'
import { expect } from 'vitest'
import { FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { element } from '../testing/corpus/shapes.ts'
import { FILE, FOUND, MARKET, market, marketWsdl, NODE_SOAP_FOUND } from '../testing/market.ts'
import { start, startOurs, testRows } from '../testing/migration-rows.ts'

// docs/migrating.md, row by row: node-soap itself does what the left cell says.
const ITEM = { sku: 'A-1' }
type Find = (args: { sku: string }, callback?: (output: unknown) => void) => unknown

/** Starts a service of node-soap. It is found by the path that the WSDL has. */
async function startTheirs(find: Find = () => NODE_SOAP_FOUND, is12 = false): Promise<{ url: string; server: Server }> {
  const { url, server } = await start()
  const services = { Market: { P11: { find }, P12: { find } } }
  const path = is12 ? '/P12' : '/P11'
  const options = { path, services, xml: marketWsdl, forceSoap12Headers: is12 }
  return { url: url + path, server: nodeSoap.listen(server, options) }
}

const connect = (url: string, options = {}): Promise<Client> =>
  nodeSoap.createClientAsync(`${url}?wsdl`, { endpoint: url, ...options })
const callOurs = (endpoint: string, input: object = ITEM): Promise<unknown> =>
  soapClient(market, { endpoint, version: endpoint.endsWith('/P12') ? '1.2' : '1.1' }).call('find', input)
const callTheirs = async (client: Client, input: object = ITEM, ...more: unknown[]) =>
  (await client['findAsync'](input, ...more))[0]
const catchError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const identity = issue('/CN=Ada', { extensions: FOR_SIGNATURES })
const pem = { privateKey: identity.privateKey, certificate: identity.certificate }
const users = usernameToken({ findUser: (name) => (name === 'ada' ? { password: 'ada-demo', subject: 1 } : undefined) })

testRows('node-soap', {
  '`soap.listen(server, path, services, wsdl)`': async () => {
    const [theirs, ours] = [await startTheirs(), await startOurs()]
    expect(await callOurs(theirs.url)).toEqual(FOUND)
    expect(await callOurs(ours.url)).toEqual(FOUND)
  },

  '`services.Service.Port.operation = (args, cb) => …`': async () => {
    const inputs: unknown[] = []
    const theirs = await startTheirs((args, callback) => {
      inputs.push(args)
      callback?.(NODE_SOAP_FOUND)
    })
    const ours = await startOurs({}, { find: async (input) => (inputs.push(input), FOUND) })
    expect(await callOurs(theirs.url)).toEqual(await callOurs(ours.url))
    expect(inputs).toEqual([ITEM, ITEM])
  },

  '`{ attributes: { currency }, $value }`': async () => {
    const { url } = await startOurs()
    expect((await callTheirs(await connect(url))).item[0].price).toEqual({
      attributes: { currency: 'EUR' },
      $value: 0.1,
    })
    expect(await callOurs(url)).toMatchObject({ item: [{ price: { '@currency': 'EUR', value: '0.10' } }] })
  },

  'one item of a group that repeats is an object, several an array': async () => {
    const item = '<x:element name="item" type="t:Item" minOccurs="0" maxOccurs="unbounded"/>'
    const group = `<x:sequence maxOccurs="unbounded">${element('item', 't:Item')}</x:sequence>`
    const wsdl = parseContract(marketWsdl.replace(item, group))
    const [found] = FOUND.item
    const find = () => ({ ...FOUND, items: [{ item: found }], items2: [] })
    const { url } = await startOurs({}, { find }, wsdl)
    expect((await callTheirs(await connect(url))).item).toMatchObject({ name: 'Screw' })
    expect(await soapClient(wsdl, { endpoint: url }).call('find', ITEM)).toMatchObject({ items: [{ item: found }] })
  },

  '`throw { Fault: { Code, Reason, statusCode } }`': async () => {
    const theirs = await startTheirs(() => {
      throw { Fault: { Code: { Value: 'soap:Sender' }, Reason: { Text: 'No such item.' }, statusCode: 400 } }
    }, true)
    const ours = await startOurs(
      {},
      {
        find: () => {
          throw new SoapFault({ code: 'Sender', subcodes: ['NotFound'], reason: 'No such item.' })
        },
      },
    )
    const wrong = { code: 'Sender', message: 'No such item.', status: 400 }
    expect(await catchError(callOurs(theirs.url))).toMatchObject(wrong)
    const client = soapClient(market, { endpoint: ours.url, version: '1.2' })
    expect(await catchError(client.call('find', ITEM))).toMatchObject(wrong)
  },

  '`throw { Fault: { …, Detail } }`, `error.root.Envelope.Body.Fault`': async () => {
    const theirs = await startTheirs(({ sku }) => {
      const detail = { NoSuch: { attributes: { xmlns: MARKET }, sku } }
      throw { Fault: { faultcode: 'soap:Client', faultstring: 'No such item.', detail } }
    })
    const ours = await startOurs()
    for (const { url } of [theirs, ours]) {
      const client = soapClient(market, { endpoint: url, version: '1.1' })
      const error = await catchError(client.call('find', { sku: 'B-2' }))
      expect(client.declaredFault('find', error)).toEqual({ name: 'NoSuch', value: { sku: 'B-2' } })
      const wrong = await catchError(callTheirs(await connect(url), { sku: 'B-2' }))
      const detail = { NoSuch: { sku: 'B-2' } }
      expect(wrong).toMatchObject({ root: { Envelope: { Body: { Fault: { detail } } } } })
    }
  },

  '`server.authenticate`, `server.authorizeConnection`': async () => {
    const theirs = await startTheirs()
    theirs.server.authenticate = (security) => security?.UsernameToken?.Password?.$value === 'ada-demo'
    const ours = await startOurs({ security: [users] })
    for (const { url } of [theirs, ours]) {
      const call = (password: string) =>
        soapClient(market, { endpoint: url, version: '1.1', credentials: { username: 'ada', password, type: 'text' } })
          .call('find', ITEM)
          .then(
            () => 'accepted',
            () => 'rejected',
          )
      expect([await call('ada-demo'), await call('wrong')]).toEqual(['accepted', 'rejected'])
    }
    theirs.server.authorizeConnection = () => false
    await expect(callOurs(theirs.url)).rejects.toThrow()
    const closed = await startOurs({ authorize: () => false, security: [users] })
    const credentials = { username: 'ada', password: 'ada-demo', type: 'text' } as const
    const client = soapClient(market, { endpoint: closed.url, version: '1.2', credentials })
    await expect(client.call('find', ITEM)).rejects.toMatchObject({ subcodes: [{ local: 'NotPermitted' }] })
  },

  '`server.log`': async () => {
    const events: string[] = []
    const fail = (): never => {
      throw new Error('the database is down')
    }
    const theirs = await startTheirs(fail)
    theirs.server.log = (type: string) => void events.push(`theirs: ${type}`)
    const logged: Interceptor = ({ context }, next) => {
      events.push(`ours: ${context.operation}`)
      return next()
    }
    const onFault = (_: SoapFault, { error }: FaultContext) => void events.push(`ours: ${error}`)
    const ours = await startOurs({ onFault, interceptors: [logged] }, { find: fail })
    for (const { url } of [theirs, ours]) await expect(callOurs(url)).rejects.toThrow()
    expect(events).toEqual(expect.arrayContaining(['theirs: received', 'theirs: replied']))
    expect(events).toEqual(expect.arrayContaining(['ours: find', 'ours: Error: the database is down']))
  },

  '`soap.createClientAsync(url)`, `client.getXAsync(args)`': async () => {
    const { url } = await startOurs()
    expect((await callTheirs(await connect(url))).item[0].name).toBe('Screw')
    expect(await callOurs(url)).toMatchObject({ item: [{ name: 'Screw' }] })
  },

  '`new soap.WSSecurity(user, password)`': async () => {
    const { url } = await startOurs({ security: [users] })
    const theirs = await connect(url)
    theirs.setSecurity(new nodeSoap.WSSecurity('ada', 'ada-demo', { passwordType: 'PasswordDigest' }))
    expect(await callTheirs(theirs)).toMatchObject({ mail: 'a@example.com' })
    const credentials = { username: 'ada', password: 'ada-demo', type: 'digest' } as const
    expect(await soapClient(market, { endpoint: url, credentials }).call('find', ITEM)).toEqual(FOUND)
  },

  "`new soap.WSSecurityCert(key, certificate, '')`": async () => {
    const trust = { trustedCertificates: [identity.certificate] }
    const { url } = await startOurs({ security: [x509Signature({ ...trust, sign: pem })] })
    const theirs = await connect(url)
    const transforms = { signatureTransformations: ['http://www.w3.org/2001/10/xml-exc-c14n#'] }
    const options = { ...transforms, hasTimeStamp: true, signerOptions: { idMode: 'wssecurity' as const } }
    theirs.setSecurity(new nodeSoap.WSSecurityCert(pem.privateKey, pem.certificate, '', options))
    expect(await callTheirs(theirs)).toMatchObject({ mail: 'a@example.com' })
    const security = clientSignature({ sign: pem, verify: trust })
    expect(await soapClient(market, { endpoint: url, security }).call('find', ITEM)).toEqual(FOUND)
    const unsigned = await startOurs()
    const strict = soapClient(market, { endpoint: unsigned.url, security })
    await expect(strict.call('find', ITEM)).rejects.toThrow()
  },

  '`client.addSoapHeader(xml)`, `client.addHttpHeader(name, value)`': async () => {
    const seen: unknown[] = []
    const find = (_: unknown, { inputHeaders }: OperationContext) => (seen.push(inputHeaders), FOUND)
    const { url, requests } = await startOurs({}, { find })
    const theirs = await connect(url)
    theirs.addSoapHeader(`<Session xmlns="${MARKET}"><token>t</token></Session>`)
    theirs.addHttpHeader('X-Tenant', 'a')
    await callTheirs(theirs)
    const ours = soapClient(market, { endpoint: url, headers: { 'X-Tenant': 'a' } })
    await ours.call('find', ITEM, { inputHeaders: { session: { token: 't' } } })
    await ours.call('find', ITEM, { headerBlocks: [`<Session xmlns="${MARKET}"><token>t</token></Session>`] })
    expect(seen).toEqual(Array(3).fill({ session: { token: 't' } }))
    const posts = requests.filter(({ method }) => method === 'POST')
    expect(posts.map(({ headers }) => headers['x-tenant'])).toEqual(['a', 'a', 'a'])
  },

  '`client.describe()`': async () => {
    const { url } = await startOurs()
    const described = (await connect(url)).describe()
    expect(Object.keys(described.Market.P11)).toEqual([...market.operations.keys()])
    expect(Object.keys(described.Market.P11.find.input)).toEqual(['sku', 'hint', 'file'])
    expect(writeTypes(market)).toMatch(/sku: string\n\s+hint\?: string \| null\n\s+file\?: Uint8Array/)
  },

  '`client.lastRequest`, events `request` and `response`': async () => {
    const { url } = await startOurs()
    const theirs = await connect(url)
    const events: string[] = []
    theirs.on('request', () => events.push('request'))
    theirs.on('response', () => events.push('response'))
    await callTheirs(theirs)
    expect(theirs.lastRequest).toContain('A-1')
    const interceptor: ClientInterceptor = async (call, next) => {
      events.push(JSON.stringify(call.input))
      const reply = await next()
      events.push(String(reply.envelope?.body?.local))
      return reply
    }
    await soapClient(market, { endpoint: url, interceptors: [interceptor] }).call('find', ITEM)
    expect(events).toEqual(['request', 'response', '{"sku":"A-1"}', 'Found'])
  },

  '`forceMTOM`': async () => {
    const files: unknown[] = []
    const find = ({ file }: { file: Uint8Array }) => (files.push(file), FOUND)
    const { url, requests } = await startOurs({}, { find })
    const include = { attributes: { 'xmlns:inc': 'http://www.w3.org/2004/08/xop/include', href: 'cid:f' } }
    const attachment = { mimetype: 'application/pdf', contentId: 'f', name: 'f', body: Buffer.from(FILE) }
    const options = { forceMTOM: true, attachments: [attachment] }
    await callTheirs(await connect(url), { ...ITEM, file: { 'inc:Include': include } }, options)
    await soapClient(market, { endpoint: url, mtom: true }).call('find', { ...ITEM, file: FILE })
    expect(files).toEqual([FILE, FILE])
    const types = requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['content-type'])
    expect(types).toEqual(Array(2).fill(expect.stringMatching(/^multipart\/related;.*application\/xop\+xml/)))
  },

  '`parseReponseAttachments`, `client.lastResponseAttachments`': async () => {
    const { url } = await startOurs({}, { find: () => ({ ...FOUND, file: FILE }) })
    const theirs = await connect(url, { parseReponseAttachments: true })
    await callTheirs(theirs, ITEM, {}, { Accept: 'multipart/related' })
    expect(theirs.lastResponseAttachments?.parts[0]?.body).toEqual(Buffer.from(FILE))
    const reply = await soapClient(market, { endpoint: url, mtom: true }).send('find', ITEM)
    expect(reply).toMatchObject({ output: { file: FILE }, attachments: [] })
  },

  'options `forceSoap12Headers`, `overrideRootElement`, `ignoredNamespaces`': async () => {
    const { url, requests } = await startOurs()
    const options = { forceSoap12Headers: true, overrideRootElement: { namespace: 't' } }
    const theirs = await connect(url, { ...options, ignoredNamespaces: { namespaces: [], override: true } })
    expect(await callTheirs(theirs)).toMatchObject({ mail: 'a@example.com' })
    const contract = parseContract(marketWsdl, { port: 'P12' })
    expect(await soapClient(contract, { endpoint: url }).call('find', ITEM)).toEqual(FOUND)
    const types = requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['content-type'])
    expect(types).toEqual(Array(2).fill(expect.stringMatching(/^application\/soap\+xml/)))
  },
})
