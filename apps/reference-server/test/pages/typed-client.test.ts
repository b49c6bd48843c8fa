import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceFor } from '../service.ts'

const service = serviceFor()
const root = join(import.meta.dirname, '../../../..')
let directory = ''

// Inside the package, where openapi-fetch is found.
beforeAll(async () => void (directory = await mkdtemp(join(import.meta.dirname, '../../.typed-client-'))))
afterAll(() => rm(directory, { recursive: true, force: true }))

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: 'esnext',
  module: 'nodenext',
  skipLibCheck: false,
  types: [],
  lib: ['esnext', 'dom', 'dom.iterable'],
}

// The code that @hey-api/openapi-ts generates is not made for the one option, and imports with
// extensions.
const SDK_COMPILER_OPTIONS = {
  ...COMPILER_OPTIONS,
  exactOptionalPropertyTypes: false,
  allowImportingTsExtensions: true,
}

const CLIENT = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

const client = createClient<paths, 'application/json'>({ baseUrl: 'http://localhost:3000/v1' })

export async function read(): Promise<string | undefined> {
  const { data, error } = await client.GET('/employees', { params: { query: { salary: { gte: 4000 }, sort: ['-salary'] } } })
  if (error) return error.message
  const first: string | undefined = data.items[0]?.name
  const total: number | undefined = data.page.totalElements
  return first ?? String(total)
}

export async function readOne(): Promise<string | undefined> {
  const { data } = await client.GET('/employees/{id}', { params: { path: { id: 1 } } })
  if (!data) return undefined
  const salary: number = data.salary
  return data.name + salary
}

export async function write(): Promise<components['schemas']['Employee'] | undefined> {
  const body = { name: 'Ken Kim', department: 'Engineering', salary: 9132 }
  const { data } = await client.POST('/employees', { body })
  const id: number | undefined = data?.id
  if (id === undefined) return undefined
  await client.PATCH('/employees/{id}', { params: { path: { id } }, body: { city: null } })
  return data
}

export async function pay(): Promise<string | undefined> {
  const params = { path: { id: 3 }, header: { 'Idempotency-Key': '"a"' } }
  const { data } = await client.POST('/orders/{id}/payment', { params, body: { method: 'CARD' } })
  const { data: invoice } = await client.GET('/orders/{id}/invoice', { params: { path: { id: 1 } } })
  return data?.due.amount ?? invoice?.lines[0]?.name
}
`

const WRONG: [string, string][] = [
  ["await client.POST('/employees', { body: { name: 'Ken Kim' } })", 'department'],
  ["await client.GET('/employees/{id}', { params: { path: { id: 'one' } } })", 'number'],
  ["await client.POST('/orders/{id}/payment', { params: { path: { id: 3 } }, body: { method: 'CARD' } })", 'header'],
  ["const { data } = await client.GET('/employees'); data?.items[0]?.nickname", 'nickname'],
  ["await client.GET('/employees', { params: { query: { sort: ['-nickname'] } } })", 'nickname'],
]

// The same with @hey-api/openapi-ts, whose clients are functions named after the operations.
const SDK_CLIENT = `
import { createEmployee, getEmployee, getOrderInvoice, listEmployees, payOrder, updateEmployee } from './generated/index.ts'
import type { Employee, Order } from './generated/index.ts'

export async function read(): Promise<string | undefined> {
  const { data, error } = await listEmployees({ query: { salary: { gte: 4000 }, sort: ['-salary'], fields: ['name'] } })
  if (error) return error.message
  const first: string | undefined = data?.items[0]?.name
  const total: number | undefined = data?.page.totalElements
  return first ?? String(total)
}

export async function readOne(): Promise<string | undefined> {
  const { data } = await getEmployee({ path: { id: 1 }, query: { embed: ['manager'] } })
  if (!data) return undefined
  const salary: number = data.salary
  return data._embedded?.manager?.name ?? data.name + salary
}

export async function write(): Promise<Employee | undefined> {
  const body = { name: 'Ken Kim', department: 'Engineering', salary: 9132 }
  const { data } = await createEmployee({ body })
  if (!data) return undefined
  const id: number = data.id
  await updateEmployee({ path: { id }, headers: { 'If-Match': '"1-a"' }, body: { city: null } })
  return data
}

export async function pay(order: Order): Promise<string | undefined> {
  const { data } = await payOrder({ path: { id: order.id }, headers: { 'Idempotency-Key': '"a"' }, body: { method: 'CARD' } })
  const { data: invoice } = await getOrderInvoice({ path: { id: order.id } })
  return data?.due.amount ?? invoice?.lines[0]?.name
}
`

const SDK_WRONG: [string, string][] = [
  ["await createEmployee({ body: { name: 'Ken Kim' } })", 'department'],
  ["await getEmployee({ path: { id: 'one' } })", 'number'],
  ["await payOrder({ path: { id: 3 }, body: { method: 'CARD' } })", 'headers'],
  ['const { data } = await listEmployees(); data?.items[0]?.nickname', 'nickname'],
]

describe.each(['1', '2'])('typed clients of version %s', (version) => {
  test('are compiled by openapi-typescript, and reject wrong calls', async () => {
    const document = await readDocument(version)
    await writeFile(join(directory, 'schema.d.ts'), astToString(await openapiTS(document)))
    await checkClient(version === '1' ? CLIENT : toNewest(CLIENT), WRONG, COMPILER_OPTIONS)
  }, 120_000)

  test('are compiled by @hey-api/openapi-ts, and reject wrong calls', async () => {
    const input = { ...(await readDocument(version)) }
    const output = { path: join(directory, 'generated'), importFileExtension: '.ts' }
    await createClient({ input, output, plugins: ['@hey-api/client-fetch'], logs: { level: 'silent' } })
    await checkClient(version === '1' ? SDK_CLIENT : toNewest(SDK_CLIENT), SDK_WRONG, SDK_COMPILER_OPTIONS)
  }, 120_000)
})

async function readDocument(version: string): Promise<OpenAPI3> {
  const { text } = await service.check({ path: `/v${version}/openapi.json` }, { status: 200 })
  return JSON.parse(text)
}

async function checkClient(
  client: string,
  wrong: readonly [code: string, word: string][],
  compilerOptions: object,
): Promise<void> {
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }))
  await writeFile(join(directory, 'client.ts'), client)
  expect(await compile()).toBe('')
  await writeFile(join(directory, 'client.ts'), `${client}\n${wrong.map(([code]) => `{ ${code} }`).join('\n')}`)
  const errors = await compile()
  const start = client.split('\n').length
  for (const [index, [, word]] of wrong.entries())
    expect(errors, String(index)).toMatch(new RegExp(`client\\.ts\\(${start + index + 1},[^]*?${word}`))
}

// A salary is money and a department is an object since version 2.
function toNewest(client: string): string {
  return client
    .replaceAll('salary: 9132', "salary: { amount: '9132.00', currency: 'EUR' as const }")
    .replace("department: 'Engineering'", 'department: { id: 1 }')
    .replace('salary: number = data.salary', 'salary: string = data.salary.amount')
}

/** Returns what the TypeScript compiler reports. */
function compile(): Promise<string> {
  const tsc = join(root, 'node_modules/.bin/tsc')
  return promisify(execFile)(tsc, ['-p', directory, '--pretty', 'false']).then(
    () => '',
    (error: { stdout?: string }) => error.stdout ?? String(error),
  )
}
