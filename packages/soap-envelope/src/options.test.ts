import { createPublicKey } from 'node:crypto'
import {
  authenticationHeader,
  formatEnvelope,
  memoryNonceStore,
  parseContract,
  parseEnvelope,
  SoapFault,
  soap,
  soapErrors,
  soapService,
  toFault,
  usernameToken,
} from '@svc/soap-envelope'
import { loadContract, soapClient } from '@svc/soap-envelope/client'
import { prettyXml } from '@svc/soap-envelope/pretty'
import { compileSchema } from '@svc/soap-envelope/schema'
import { clientSignature, x509Signature } from '@svc/soap-envelope/signature'
import { writeTypes } from '@svc/soap-envelope/types'
import { describe, expect, test } from 'vitest'
import { issue } from './testing/certificates.ts'
import { readShop, shop, shopOperations, shopService } from './testing/shop.ts'

type Call = (...args: never[]) => unknown
/** Arguments that the types forbid, and the start of the message after the name of the function. */
type Row = readonly [args: readonly unknown[], message: string]

const service = shopService()
const wsdl = readShop('shop.wsdl')
const endpoint = 'http://shop.example/soap'
const url = `${endpoint}?wsdl`
const findUser = () => undefined
const authenticate = findUser
const protect = () => ''
const ada = { username: 'ada', password: 'secret' }
const { certificate, privateKey } = issue('/CN=client')
const client = { certificate, privateKey }
const publicKey = createPublicKey(certificate)
const trust = { trustedCertificates: [client.certificate] }
const header = { uri: 'urn:x', local: 'Block' }

const valid = { wsdl: shop, operations: shopOperations }
const NOT_TEXT = 'wsdl must be the text of a WSDL, got'

const calls = {
  soap,
  soapErrors,
  soapService,
  soapClient,
  parseContract,
  loadContract,
  compileSchema,
  writeTypes,
  prettyXml,
  usernameToken,
  authenticationHeader,
  memoryNonceStore,
  x509Signature,
  clientSignature,
  SoapFault: (init: never) => new SoapFault(init),
  toFault,
  formatEnvelope,
  parseEnvelope,
}

const invalid: Readonly<Record<keyof typeof calls, readonly Row[]>> = {
  soap: [
    [[], 'service must be a service from soapService(), got undefined'],
    [[{ wsdl }], 'service must be a service from soapService(), got an object'],
    [[service, null], 'options must be an object, got null'],
    [[service, { publicURL: 'x' }], 'unknown option "publicURL", did you mean "publicUrl"?'],
    [[service, { publicUrl: new URL(endpoint) }], 'publicUrl must be a string, got an object'],
    [[service, { isSecure: true }], 'isSecure must be a function, got true'],
    [[service, { user: 'ada' }], 'user must be a function, got "ada"'],
    [[service, { context: {} }], 'context must be a function, got an object'],
    [[service, { correlationId: 'id' }], 'correlationId must be a function, got "id"'],
    [[service, { headers: {} }], 'headers must be a function, got an object'],
    [[service, { htmlPage: '<p>' }], 'htmlPage must be a function, got "<p>"'],
  ],
  soapErrors: [
    [[], 'service must be a service from soapService(), got undefined'],
    [[service, { contxt: 1 }], 'unknown option "contxt", did you mean "context"?'],
    [[service, { user: 1 }], 'user must be a function, got 1'],
  ],
  soapService: [
    [[], 'options must be an object, got undefined'],
    [[{}], `${NOT_TEXT} undefined`],
    [[{ wsdl: {} }], `${NOT_TEXT} an object`],
    [[{ wsdl: './shop.wsdl' }], `${NOT_TEXT} what looks like a file name: pass readFileSync('./shop.wsdl', 'utf8')`],
    [[{ wsdl: url }], `${NOT_TEXT} a URL: pass await loadContract('${url}') of @svc`],
    [[{ wsdl: new URL(url) }], `${NOT_TEXT} a URL: pass await loadContract('${url}') of @svc`],
    [[{ wsdl: Buffer.from(wsdl) }], `${NOT_TEXT} bytes: pass readFileSync(file, 'utf8')`],
    [[{ wsdl: Promise.resolve(shop) }], `${NOT_TEXT} a promise: await it`],
    [[{ wsdl: shop }], 'operations must be an object, got undefined'],
    [[{ wsdl: shop, operations: [] }], 'operations must be an object, got an array'],
    [[{ versions: { wsdl: shop } }], 'versions must be an array of objects, got an object'],
    [[{ versions: [{ operation: {} }] }], 'versions: unknown option "operation", did you mean "operations"?'],
    [[{ wsdl: shop, versions: [valid] }], 'wsdl cannot be combined with versions; set it on each entry'],
    [[{ ...valid, name: 1 }], 'name must be a string, got 1'],
    [[{ ...valid, resolveImport: 'shop.xsd' }], 'resolveImport must be a function, got "shop.xsd"'],
    [[{ ...valid, acceptSoap11: 'no' }], 'acceptSoap11 must be true or false, got "no"'],
    [[{ ...valid, roles: 'urn:role' }], 'roles must be an array of strings, got "urn:role"'],
    [[{ ...valid, understoodHeaders: ['a'] }], 'understoodHeaders must be a function or an array of { uri, local }'],
    [[{ ...valid, security: usernameToken({ findUser }) }], 'security must be an array of objects, got an object'],
    [[{ ...valid, publicOperations: 'echo' }], 'publicOperations must be an array of strings, got "echo"'],
    [[{ ...valid, authorize: true }], 'authorize must be a function, got true'],
    [[{ ...valid, addressing: 1 }], 'addressing must be true or false, got 1'],
    [[{ ...valid, streamedOperations: [1] }], 'streamedOperations must be an array of strings, got an array'],
    [[{ ...valid, maxStreamBytes: '1 GiB' }], 'maxStreamBytes must be an integer of 1 or more, got "1 GiB"'],
    [[{ ...valid, interceptors: [{}] }], 'interceptors must be an array of functions, got an array'],
    [[{ ...valid, requireHeaders: 'yes' }], 'requireHeaders must be true or false, got "yes"'],
    [[{ ...valid, faultNamespace: null }], 'faultNamespace must be a string, got null'],
    [[{ ...valid, statusMode: 'htpt' }], "statusMode must be one of 'soap', 'http', got \"htpt\", did"],
    [[{ ...valid, maxPendingOneWay: 0.5 }], 'maxPendingOneWay must be an integer of 1 or more, got 0.5'],
    [[{ ...valid, onFault: 'log' }], 'onFault must be a function, got "log"'],
    [[{ ...valid, security: [{}] }], 'security must be mechanisms such as usernameToken(), got an object'],
    [[{ ...valid, security: [{ authenticate, header: 'To' }] }], 'security: header must be { uri, local }, got "To"'],
    [
      [{ ...valid, security: [{ authenticate, header, accepts: true }] }],
      'security: accepts must be a function, got true',
    ],
    [[{ ...valid, limits: 5 }], 'limits: options must be an object, got 5'],
    [[{ ...valid, limits: { maxByte: 5 } }], 'limits: unknown option "maxByte", did you mean "maxBytes"?'],
    [[{ ...valid, attachments: true }], 'attachments: options must be an object, got true'],
    [[{ ...valid, attachments: false }], 'attachments: options must be an object, got false'],
  ],
  parseContract: [
    [[], `${NOT_TEXT} undefined`],
    [['shop.wsdl'], `${NOT_TEXT} what looks like a file name`],
    [['file:///shop.wsdl'], `${NOT_TEXT} a URL: pass await`],
    [[wsdl, null], 'options must be an object, got null'],
    [[wsdl, { ports: 'a' }], 'unknown option "ports", did you mean "port"?'],
    [[wsdl, { port: 1 }], 'port must be a string, got 1'],
    [[wsdl, { service: 1 }], 'service must be a string, got 1'],
    [[wsdl, { name: 1 }], 'name must be a string, got 1'],
    [[wsdl, { resolveImport: {} }], 'resolveImport must be a function, got an object'],
    [[wsdl, { long: 'number' }], "long must be one of 'bigint', 'string', 'number-if-safe', got \"number\""],
  ],
  compileSchema: [
    [[], 'xsd must be the text of a schema, got undefined'],
    [['a.xsd'], 'xsd must be the text of a schema, got what looks like a file name'],
    [[endpoint], 'xsd must be the text of a schema, got a URL: pass the text'],
    [['<a/>', { longs: 1 }], 'unknown option "longs", did you mean "long"?'],
    [['<a/>', { resolveImport: 1 }], 'resolveImport must be a function, got 1'],
  ],
  writeTypes: [
    [[], 'contract must be a contract such as parseContract(text), got undefined'],
    [['x.wsdl'], 'contract must be a contract such as parseContract(text), got "x.wsdl"'],
  ],
  prettyXml: [
    [[], 'xml must be a string, got undefined'],
    [['<a/>', 2], 'indent must be a string, got 2'],
  ],
  loadContract: [
    [[], 'location must be a file name or a URL of HTTP, got undefined'],
    [['http://'], 'location must be a file name or a URL of HTTP, got "http://"'],
    [[new URL('ftp://h/a')], 'location must be a file name or a URL of HTTP, got "ftp://h/a"'],
    [['/none/a.wsdl'], 'ENOENT: no such file'],
    [['a', null], 'options must be an object, got null'],
    [['a', { allowedHosts: 'h' }], 'allowedHosts must be an array of strings, got "h"'],
    [['a', { headers: new Headers() }], 'headers must be a record of strings'],
    [['a', { maxBytes: 0 }], 'maxBytes must be an integer of 1 or more, got 0'],
    [['a', { maxDocuments: '9' }], 'maxDocuments must be an integer of 1 or more, got "9"'],
    [['a', { timeoutMs: 2 ** 31 }], 'timeoutMs must be an integer from 1 to 2147483647'],
    [['a', { fetch: {} }], 'fetch must be a function, got an object'],
    [['a', { port: 1 }], 'port must be a string, got 1'],
    [['a', { long: 1 }], "long must be one of 'bigint'"],
  ],
  soapClient: [
    [[], `${NOT_TEXT} undefined`],
    [[{}], `${NOT_TEXT} an object`],
    [[url], `${NOT_TEXT} a URL: pass await loadContract(`],
    [[shop, null], 'options must be an object, got null'],
    [[shop, { endpoint: new URL(endpoint) }], 'endpoint must be a string, got an object'],
    [[shop, { endpoint, version: '1.3' }], "version must be one of '1.1', '1.2', got \"1.3\""],
    [[shop, { endpoint, addressing: 'yes' }], 'addressing must be true or false, got "yes"'],
    [[shop, { endpoint, mtom: 1 }], 'mtom must be true or false, got 1'],
    [[shop, { endpoint, timeoutMs: 0 }], 'timeoutMs must be an integer from 1 to 2147483647, got 0'],
    [[shop, { endpoint, idempotentOperations: 'echo' }], 'idempotentOperations must be an array of strings'],
    [[shop, { endpoint, maxRetries: -1 }], 'maxRetries must be an integer of 0 or more, got -1'],
    [[shop, { endpoint, interceptors: findUser }], 'interceptors must be an array of functions, got a function'],
    [[shop, { endpoint, fetch: 'node-fetch' }], 'fetch must be a function, got "node-fetch"'],
    [[shop, { endpoint, headers: [['a', 'b']] }], 'headers must be a record of strings'],
    [[shop, { endpoint, security: {} }], 'security must be a ClientSecurity such as clientSignature(), got an object'],
    [[shop, { endpoint, attachments: 1 }], 'attachments: options must be an object, got 1'],
    [[shop, { endpoint, limits: { maxDepth: 0 } }], 'limits.maxDepth must be a positive integer'],
    [[shop, { endpoint, security: { protect, header, verify: 1 } }], 'security: verify must be a function, got 1'],
    [
      [shop, { endpoint, credentials: { ...ada, type: 'hash' } }],
      "credentials: type must be one of 'text', 'digest', got \"hash\"",
    ],
    [
      [shop, { endpoint, credentials: { ...ada, typ: 'text' } }],
      'credentials: unknown option "typ", did you mean "type"?',
    ],
  ],
  usernameToken: [
    [[], 'options must be an object, got undefined'],
    [[{ findUser: {} }], 'findUser must be a function, got an object'],
    [[{ findUser, nonces: 1 }], 'unknown option "nonces", did you mean "nonceStore"?'],
    [[{ findUser, requireTls: 'no' }], 'requireTls must be true or false, got "no"'],
    [[{ findUser, basicSecurityProfile: 1 }], 'basicSecurityProfile must be true or false'],
    [[{ findUser, now: 1 }], 'now must be a function, got 1'],
    [[{ findUser, nonceStore: new Map() }], 'nonceStore must be a NonceStore such as memoryNonceStore()'],
  ],
  authenticationHeader: [
    [[], 'options must be an object, got undefined'],
    [[{ findUser }], 'namespace must be a URI, got undefined'],
    [[{ findUser, namespace: 'urn:x', requireTLS: false }], 'unknown option "requireTLS", did you mean "requireTls"?'],
  ],
  memoryNonceStore: [
    [[null], 'options must be an object, got null'],
    [[{ max: 5 }], 'unknown option "max", did you mean "maxKeys"?'],
    [[{ maxKeys: 0 }], 'maxKeys must be an integer of 1 or more, got 0'],
  ],
  x509Signature: [
    [[], 'options must be an object, got undefined'],
    [[{ ...trust, findUser: 1 }], 'findUser must be a function, got 1'],
    [[{ ...trust, now: 1 }], 'now must be a function, got 1'],
    [[{ ...trust, nonceStore: {} }], 'nonceStore must be a NonceStore such as'],
    [[{ ...trust, sign: null }], 'sign: options must be an object, got null'],
    [[{ ...trust, signedHeaders: ['To'] }], "signedHeaders must be 'all' or an array of"],
    [[{ ...trust, usernameToken: true }], 'usernameToken must be a mechanism such as'],
  ],
  clientSignature: [
    [[], 'options must be an object, got undefined'],
    [[{}], 'sign: options must be an object, got undefined'],
    [[{ sign: {} }], 'sign: privateKey must be a private key as PEM'],
    [[{ sign: { ...client, privateKey: publicKey } }], 'sign: privateKey must be a private key as PEM'],
    [[{ sign: { ...client, ttlSeconds: 0 } }], 'sign: ttlSeconds must be an integer of 1 or more, got 0'],
    [[{ sign: { ...client, now: 0 } }], 'sign: now must be a function, got 0'],
    [[{ sign: client, verify: true }], 'verify: options must be an object, got true'],
    [
      [{ sign: client, verify: { ...trust, maxAgeSeconds: '5' } }],
      'verify: maxAgeSeconds must be an integer of 0 or more',
    ],
  ],
  SoapFault: [
    [[], 'init must be an object, got undefined'],
    [['Not found.'], 'init must be an object, got "Not found."'],
    [
      [{ code: 'Client', reason: 'x' }],
      "code must be one of 'VersionMismatch', 'MustUnderstand', 'DataEncodingUnknown', 'Sender'",
    ],

    [[{ code: 'Sender' }], 'reason must be a string, or an object with strings by language'],
    [[{ code: 'Sender', reason: 'x', subcodes: 'NotFound' }], 'subcodes must be an array, got "NotFound"'],
  ],
  toFault: [
    [[new Error('x'), null], 'options must be an object, got null'],
    [[new Error('x'), { details: 1 }], 'unknown option "details", did you mean "detail"?'],
    [[new Error('x'), { detail: 'x' }], 'detail must be a function, got "x"'],
    [[new Error('x'), { now: 1 }], 'now must be a function, got 1'],
  ],
  formatEnvelope: [
    [[], 'parts must be an object, got undefined'],
    [['<a/>'], 'parts must be an object, got "<a/>"'],
  ],
  parseEnvelope: [
    [[], 'source must be bytes or a stream of bytes, got undefined'],
    [['<a/>'], 'source must be bytes or a stream of bytes, got "<a/>"'],
  ],
}

describe.each(Object.entries(invalid))('%s', (name, rows) => {
  test.each(rows)('%o: %s', async (args, message) => {
    const call: Call = calls[name as keyof typeof calls]
    const start = `soap-envelope: ${name}: ${message}`
    const error: unknown = await callWith(call, args).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message.slice(0, start.length)).toBe(start)
  })
})

async function callWith(call: Call, args: readonly unknown[]): Promise<unknown> {
  return await call(...(args as never[]))
}

test.each<[call: Call, args: readonly unknown[]]>([
  [soapClient, [shop, { endpoint, credentials: 'secret' }]],
  [soapClient, [shop, { endpoint, credentials: { username: 'ada', passwort: 'secret' } }]],
  [soapClient, [shop, { endpoint, headers: 'Bearer secret' }]],
  [usernameToken, [{ findUser, dummyCredentials: 'secret' }]],
  [usernameToken, [{ findUser, dummyCredentials: { verify: 'secret' } }]],
  [x509Signature, [{ trustedAuthorities: 'secret' }]],
  [clientSignature, [{ sign: { ...client, privateKey: 'secret' } }]],
])('%o never tells what may be secret', (call, args) => {
  expect(() => call(...(args as never[]))).toThrow(/^soap-envelope: (?!.*secret)/)
})

test('accepts undefined for every option', () => {
  expect(() => soap(service, { publicUrl: undefined, user: undefined } as object)).not.toThrow()
  expect(() =>
    shopService({ security: undefined, understoodHeaders: undefined, versions: undefined } as object),
  ).not.toThrow()
  expect(() => soapClient(shop, { endpoint, credentials: undefined, headers: undefined } as object)).not.toThrow()
  expect(() => usernameToken({ findUser, nonceStore: undefined, dummyCredentials: undefined } as never)).not.toThrow()
  expect(() => clientSignature({ sign: client, verify: undefined } as never)).not.toThrow()
})
