import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceFor } from '../service.ts'

const service = serviceFor()
const root = join(import.meta.dirname, '../../../..')
let directory = ''

// Inside the package, where openapi-fetch is found.
beforeAll(async () => void (directory = await mkdtemp(join(import.meta.dirname, '../../.typed-client-'))))
afterAll(() => rm(directory, { recursive: true, force: true }))

const OPTIONS = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    skipLibCheck: false,
    types: [],
    lib: ['esnext', 'dom', 'dom.iterable'],
  },
  files: ['client.ts'],
}

const CLIENT = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

const client = createClient<paths, 'application/json'>({ baseUrl: 'http://localhost:3000/v1' })

export async function read(): Promise<string | undefined> {
  const { data, error } = await client.GET('/employees', { params: { query: { 'salary[gte]': 4000, sort: ['-salary'] } } })
  if (error) return error.message
  const first: string | undefined = data.items[0]?.name
  const total: number | undefined = data.page.totalElements
  return first ?? String(total)
}

export async function readOne(): Promise<string | undefined> {
  const { data } = await client.GET('/employees/{id}', { params: { path: { id: 1 } } })
  const salary: number | undefined = data?.salary
  return data?.name ?? String(salary)
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
]

test.each(['1', '2'])(
  'compiles a typed client of version %s, and rejects wrong calls',
  async (version) => {
    const { text } = await service.check({ path: `/v${version}/openapi.json` }, { status: 200 })
    await writeFile(join(directory, 'schema.d.ts'), astToString(await openapiTS(JSON.parse(text))))
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(OPTIONS))
    const client = version === '1' ? CLIENT : newest(CLIENT)
    await writeFile(join(directory, 'client.ts'), client)
    expect(await compile()).toBe('')
    await writeFile(join(directory, 'client.ts'), `${client}\n${WRONG.map(([code]) => `{ ${code} }`).join('\n')}`)
    const errors = await compile()
    const start = client.split('\n').length
    for (const [index, [, word]] of WRONG.entries())
      expect(errors, String(index)).toMatch(new RegExp(`client\\.ts\\(${start + index + 1},[^]*?${word}`))
  },
  120_000,
)

// A salary is money and a department is an object since version 2.
function newest(client: string): string {
  return client
    .replaceAll('salary: 9132', "salary: { amount: '9132.00', currency: 'EUR' as const }")
    .replace("department: 'Engineering'", 'department: { id: 1 }')
    .replace('salary: number | undefined = data?.salary', 'salary: string | undefined = data?.salary?.amount')
}

/** Returns what the TypeScript compiler reports. */
function compile(): Promise<string> {
  const tsc = join(root, 'node_modules/.bin/tsc')
  return promisify(execFile)(tsc, ['-p', directory, '--pretty', 'false']).then(
    () => '',
    (error: { stdout?: string }) => error.stdout ?? String(error),
  )
}
