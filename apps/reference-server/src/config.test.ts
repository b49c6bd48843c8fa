import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const read = (value: string) => readConfig({ SVC_DEPRECATED_VERSIONS: value }).deprecatedVersions

test('reads deprecated versions with their dates, none by default', () => {
  expect(readConfig({}).deprecatedVersions.size).toBe(0)
  expect(read('').size).toBe(0)
  const first = { since: new Date('2026-09-01T00:00:00Z'), sunset: new Date('2028-09-01T00:00:00Z') }
  expect([...read('1=2026-09-01/2028-09-01')]).toEqual([['1', first]])
  const second = { since: new Date('2026-02-28T00:00:00Z'), sunset: new Date('2030-01-01T00:00:00Z') }
  expect([...read(' 1=2026-09-01/2028-09-01 , 2=2026-02-28/2030-01-01 ')]).toEqual([
    ['1', first],
    ['2', second],
  ])
})

test.each([
  ['1', 'must be versions with two dates, such as 1=2026-09-01/2028-12-01'],
  ['1=2026-09-01', 'must be versions with two dates'],
  ['1=2026-09-01/2028-12-01,', 'must be versions with two dates'],
  ['1=2026-02-30/2028-12-01', '2026-02-30 is not a date such as 2026-09-01'],
  ['1=2026-09-01/soon', 'soon is not a date'],
  ['1=2026-09-01T00:00:00Z/2028-12-01', '2026-09-01T00:00:00Z is not a date'],
  ['1=2026-09-01/2028-08-31', 'the sunset must be at least 24 months after the deprecation: 2028-09-01'],
  ['1=2028-09-01/2026-09-01', 'the sunset must be at least 24 months after the deprecation'],
  ['3=2026-09-01/2028-12-01', 'names version 3, supported are 1, 2'],
  ['v1=2026-09-01/2028-12-01', 'names version v1, did you mean 1?'],
  ['1=2026-09-01/2028-12-01,1=2026-09-01/2029-12-01', 'names version 1 twice'],
])('rejects SVC_DEPRECATED_VERSIONS=%s', (value, problem) => {
  expect(() => read(value)).toThrow(`SVC_DEPRECATED_VERSIONS  ${JSON.stringify(value)}  ${problem}`)
})

test('suggests the name of the variable', () => {
  expect(() => readConfig({ SVC_DEPRECATED_VERSION: '1' })).toThrow('did you mean SVC_DEPRECATED_VERSIONS?')
})

test.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['10.0.0.0/8, ::1,', ['10.0.0.0/8', '::1']],
])('reads SVC_TRUST_PROXY=%s', (value, networks) => {
  expect(readConfig({ SVC_TRUST_PROXY: value }).trustProxy).toEqual(networks)
})

test.each(['loopback', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8x', '10.0.0', '1.2.3.4:80'])(
  'rejects SVC_TRUST_PROXY=%s',
  (value) => {
    const problem = `${value} must be an address or a network (CIDR)`
    expect(() => readConfig({ SVC_TRUST_PROXY: `10.1.2.3,${value}` })).toThrow(problem)
  },
)

test.each(['SVC_WEBHOOK_URL', 'SVC_JWKS', 'SVC_PUBLIC_URL'])(
  'rejects credentials in %s without showing them',
  (name) => {
    const env = { [name]: 'https://user:hunter2@host.example/hook', SVC_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` }
    expect(() => readConfig(env)).toThrow(`${name}  (set, 38 characters)  must not contain credentials`)
  },
)

test('does not show the path of a webhook, which is often a secret', () => {
  const env = { SVC_WEBHOOK_URL: 'http://hooks.example/hunter2', SVC_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` }
  expect(() => readConfig(env)).toThrow('SVC_WEBHOOK_URL  (set, 28 characters)  must be an https URL')
})

test('requires SVC_ADMIN_PORT if PORT is the last one', () => {
  expect(() => readConfig({ PORT: '65535' })).toThrow('SVC_ADMIN_PORT  must be set, since PORT is 65535')
  expect(readConfig({ PORT: '65535', SVC_ADMIN_PORT: '3001' }).adminPort).toBe(3001)
  expect([readConfig({ PORT: '65534' }).adminPort, readConfig({ PORT: '0' }).adminPort]).toEqual([65_535, 0])
})

test.each([
  ['https://api.example', 'https://api.example'],
  ['HTTPS://API.example:443//', 'https://api.example'],
  ['http://api.example/base/', 'http://api.example/base'],
])('reads SVC_PUBLIC_URL=%s', (value, url) => {
  expect(readConfig({ SVC_PUBLIC_URL: value }).publicUrl).toBe(url)
})

test.each(['https://api.example/#', 'https://api.example/?', 'https://api.example/?a=b', 'ftp://api.example', 'api'])(
  'rejects SVC_PUBLIC_URL=%s',
  (value) => {
    expect(() => readConfig({ SVC_PUBLIC_URL: value })).toThrow('must be an http(s) URL without query')
  },
)

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x, ...withoutX } = privateKey.export({ format: 'jwk' })

test.each([
  ['its key alone', {}],
  ['its name and use', { kid: 'a', use: 'sig', alg: 'ES256', key_ops: ['sign'] }],
])('reads SVC_SIGNING_KEY with %s', (_title, more) => {
  const text = JSON.stringify({ x, ...withoutX, ...more })
  expect(readConfig({ SVC_SIGNING_KEY: text }).signingKey).toBe(text)
})

test.each([
  ['no public part', withoutX],
  ['a private part of another length', { x, ...withoutX, d: 'abc' }],
  ['another use', { x, ...withoutX, use: 'enc' }],
  ['other operations', { x, ...withoutX, key_ops: ['verify'] }],
  ['no private part', { x, ...withoutX, d: undefined }],
])('rejects SVC_SIGNING_KEY with %s', (_title, key) => {
  expect(() => readConfig({ SVC_SIGNING_KEY: JSON.stringify(key) })).toThrow('must be a private P-256 key as JWK')
})

const folder = mkdtempSync(join(tmpdir(), 'svc-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each(['{"keys":[1]}', '{"keys":{}}', '[]', '{'])('rejects SVC_JWKS with a file that contains %s', (text) => {
  const file = join(folder, 'keys.json')
  writeFileSync(file, text)
  expect(() => readConfig({ SVC_JWKS: file })).toThrow('must be a URL or a file with a JWKS')
})
