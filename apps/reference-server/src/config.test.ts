import { expect, test } from 'vitest'
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
