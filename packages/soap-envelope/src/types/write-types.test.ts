import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contract, parseContract } from '@svc/soap-envelope'
import { writeTypes } from '@svc/soap-envelope/types'
import { expect, test } from 'vitest'
import { plain } from '../testing/corpus/shapes.ts'
import { shop } from '../testing/shop.ts'
import { run } from './command.ts'
import { docComment } from './type-text.ts'

const wsdl = fileURLToPath(new URL('../testing/shop.wsdl', import.meta.url))
const types = writeTypes(shop)
const parsePlain = (content: string, more: readonly string[] = []): Contract =>
  parseContract(plain('', content, more.join('')).documents['main.wsdl'] ?? '')

test.each([
  'export interface Party {\n  id: bigint\n  name: string\n}',
  'export interface Customer {\n  id: bigint\n  name: string\n  email: string\n}',
  "  '@status': 'PAID' | 'SHIPPED'",
  '  line: readonly Line[]',
  "export interface Money {\n  value: string\n  '@currency': string\n}",
  '  nillable: number | null',
  '  optional?: string',
  "  party: Party | (Customer & { $type: 'Customer' })",
  '} & ({\n  left: string\n  right?: undefined\n} | {\n  right: number\n  left?: undefined\n})',
  '  tree: readonly Tree[]',
  'export type EchoRequest = Everything',
  '  getCustomer: { input: GetCustomerRequest; output: GetCustomerResponse; faults: { ServiceFault: ServiceFault } }',
  '  note: { input: NoteRequest; output: void }',
])('writes %s', (part) => {
  expect(types).toContain(part)
})

test.each([
  ['a short one', 'Returns a customer.', '  /** Returns a customer. */\n'],
  ['one of several lines', '\n  Returns\n  a customer. ', '  /** Returns a customer. */\n'],
  ['the end of a comment', 'Ends */ here.', '  /** Ends * / here. */\n'],
  ['a long one', `${'word '.repeat(20)}end`, `  /**\n   *${' word'.repeat(19)}\n   * word end\n   */\n`],
  ['a word that is too long', 'x'.repeat(120), `  /**\n   * ${'x'.repeat(120)}\n   */\n`],
])('writes the documentation of an operation: %s', (_name, text, comment) => {
  expect(docComment(text, '  ')).toBe(comment)
})

test('an element that contains itself is written by its name', () => {
  const node = '<x:sequence><x:element ref="t:node" minOccurs="0"/></x:sequence>'
  const written = writeTypes(
    parsePlain('<x:sequence><x:element ref="t:node" minOccurs="0"/><x:element ref="t:nil"/></x:sequence>', [
      `<x:element name="node"><x:complexType>${node}</x:complexType></x:element>`,
      `<x:element name="nil" nillable="true"><x:complexType>${node.replace('t:node', 't:nil')}</x:complexType></x:element>`,
    ]),
  )
  expect(written).toContain('export interface Node {\n  node?: Node\n}')
  expect(written).toContain('export type Nil = {\n  nil?: Nil\n} | null')
  expect(written).toContain('export interface Request {\n  node?: Node\n  nil: Nil\n}')
})

test('a type without a name that contains itself through a group ends as unknown', () => {
  const inner =
    '<x:element name="a" minOccurs="0"><x:complexType><x:sequence><x:group ref="t:g"/></x:sequence></x:complexType></x:element>'
  const group = `<x:group name="g"><x:sequence>${inner}</x:sequence></x:group>`
  const written = writeTypes(parsePlain('<x:sequence><x:group ref="t:g"/></x:sequence>', [group]))
  expect(written).toContain('export interface Request {\n  a?: {\n    a?: unknown\n  }\n}')
})

test('values with quotes and line ends are string literals of TypeScript', () => {
  const values = ['it&#39;s', 'a&#13;b', 'a&#10;b', 'a&#x2028;b', 'a\\b'].map(
    (value) => `<x:enumeration value="${value}"/>`,
  )
  const restriction = `<x:restriction base="x:string">${values.join('')}</x:restriction>`
  const attribute = `<x:attribute name="a" use="required"><x:simpleType>${restriction}</x:simpleType></x:attribute>`
  expect(writeTypes(parsePlain(attribute))).toContain(`'@a': 'it\\'s' | 'a\\rb' | 'a\\nb' | 'a\\u2028b' | 'a\\\\b'`)
})

test('what is written compiles, and handlers and callers of it too', () => {
  const folder = mkdtempSync(join(fileURLToPath(new URL('../..', import.meta.url)), '.types-'))
  writeFileSync(join(folder, 'shop.ts'), types)
  writeFileSync(
    join(folder, 'use.ts'),
    `import { type Handlers, soapService } from '@svc/soap-envelope'
import { soapClient } from '@svc/soap-envelope/client'
import type { ShopPortType } from './shop.ts'
const operations: Handlers<ShopPortType> = {
  echo: (input) => ({ ...input, party: { $type: 'Customer', id: 1n, name: '', email: '' } }),
  getCustomer: ({ customerId }) => ({ customer: { id: customerId, name: '', email: '' } }),
  listOrders: async ({ limit }) => ({ order: limit === 0 ? [] : [] }),
  note: ({ text }) => { text.trim() },
}
soapService({ wsdl: '', operations })
const client = soapClient<ShopPortType>('', { endpoint: 'http://h' })
export const id: Promise<bigint> = client.call('getCustomer', { customerId: 1n }).then(({ customer }) => customer.id)
// @ts-expect-error a number is no long
client.call('getCustomer', { customerId: 1 })
// @ts-expect-error there is no such operation
client.call('none', {})
`,
  )
  const config = { extends: '../../../tsconfig.base.json', files: ['shop.ts', 'use.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(stdout).toBe('')
})

test('the command prints the types, writes them to a file, and says what is wrong', () => {
  const printed: string[] = []
  const complained: string[] = []
  const call = (...args: string[]): number =>
    run(
      args,
      (text) => printed.push(text),
      (text) => complained.push(text),
    )
  expect(call('types', wsdl)).toBe(0)
  expect(printed).toEqual([types])
  const folder = mkdtempSync(join(tmpdir(), 'svc-types-'))
  expect(call('types', wsdl, '--out', join(folder, 'shop.ts'))).toBe(0)
  expect(readFileSync(join(folder, 'shop.ts'), 'utf8')).toBe(types)
  rmSync(folder, { recursive: true })
  expect([call(), call('types'), call('types', wsdl, '--nothing'), call('other', wsdl)]).toEqual([2, 2, 2, 2])
  expect(call('types', wsdl, '--long', 'string', '--service', 'ShopService', '--port', 'ShopPortSoap11')).toBe(0)
  expect(printed.at(-1)).toContain('export interface GetCustomerRequest {\n  customerId: string\n}')
  expect([call('types', wsdl, '--long', 'none'), call('types', wsdl, '--out'), call('types', wsdl, 'x')]).toEqual([
    2, 2, 2,
  ])
  expect(call('types', wsdl, '--port', 'None')).toBe(1)
  expect(complained.at(-1)).toContain('None')
  expect(call('types', '/nowhere.wsdl')).toBe(1)
  expect(complained.at(-1)).toContain('no such file')
  expect(call('--help')).toBe(0)
})

test('the script runs', () => {
  const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
  expect(execFileSync(process.execPath, ['--conditions=@svc/source', cli, 'types', wsdl]).toString()).toBe(types)
})
