import { describe, expect, test } from 'vitest'
import { collections } from '../src/domain/collections.ts'
import { CODES, type Code } from '../src/messages/errors.ts'
import { serviceFor } from './service.ts'

const service = serviceFor()
const codes = Object.keys(CODES) as Code[]
const pathOf = (code: string): string => `/problems/${code.toLowerCase().replaceAll('_', '-')}`
const read = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse((await service.check({ path }, { status: 200 })).text)

describe('/problems', () => {
  test('lists every code, and each has a page: for programs and, in each language, for people', async () => {
    const { items } = (await read('/problems')) as { items: { code: string }[] }
    expect(items.map(({ code }) => code)).toEqual(codes)
    for (const code of codes) {
      const page = await read(pathOf(code))
      expect(page).toMatchObject({ code, status: CODES[code].status, meaning: expect.stringMatching(/^[A-Z].*\.$/) })
      expect(page['remedy']).toMatch(/^[A-Z].*\.$/)
      expect(page['example']).toMatchObject({ code, status: expect.any(Number), message: expect.any(String) })
      expect(JSON.stringify(page['example'])).not.toMatch(/undefined|NaN|[^"]\{\w+\}/)
    }
    for (const [language, title] of [
      ['en', 'What to do'],
      ['de', 'Was zu tun ist'],
    ]) {
      const headers = { accept: 'text/html', 'accept-language': language ?? '' }
      const { text } = await service.check({ path: '/problems/not-found', headers }, { status: 200 })
      expect(text).toContain(title)
      expect(text).toContain('NOT_FOUND')
    }
  })

  test('is negotiated like everything, public, and has nothing else', async () => {
    await service.check({ path: '/problems/in-use', headers: { accept: 'application/xml' } }, { body: /<code>IN_USE/ })
    await service.check({ path: '/problems/in-use', headers: { accept: 'image/png' } }, { status: 406 })
    await service.check({ path: '/problems/nope' }, { status: 404, body: { message: 'Problem nope does not exist.' } })
    await service.check({ path: '/problems', headers: { accept: 'text/html' } }, { body: /\/problems\/in-use/ })
  })

  test.each<[string, string, Record<string, string>]>([
    ['/employees/999', 'NOT_FOUND', {}],
    ['/employes', 'ROUTE_NOT_FOUND', {}],
    ['/employees?page=x', 'INVALID_PARAMETER', {}],
    ['/v9/employees', 'VERSION_UNSUPPORTED', {}],
    ['/employees', 'MALFORMED_HOST', { host: 'a b' }],
  ])('has the page that the type of a problem leads to: %s', async (path, code, headers) => {
    const accept = { accept: 'application/problem+json, application/json;q=0.5', ...headers }
    const answer = await service.check({ as: 'ada', path, headers: accept }, { body: { code } })
    const { type } = JSON.parse(answer.text) as { type: string }
    expect(type).toBe(`${service.url}${pathOf(code)}`)
    expect(await (await fetch(type)).json()).toMatchObject({ code })
  })
})

describe('with a public URL', () => {
  const known = serviceFor(() => ({ SVC_PUBLIC_URL: 'https://api.example/base' }))

  test('the type of a problem begins with it', async () => {
    const headers = { accept: 'application/problem+json', host: 'api.example', 'x-forwarded-proto': 'https' }
    const { text } = await known.check({ path: '/nothing', headers }, {})
    expect(JSON.parse(text).type).toMatch(/^https:\/\/api\.example\/base\/problems\//)
  })
})

describe('/rels', () => {
  test('has each relation that resources have, with where it leads', async () => {
    const { items } = (await read('/rels')) as { items: { name: string }[] }
    const names = new Set(items.map(({ name }) => name))
    for (const { links } of collections) for (const name of Object.keys(links)) expect(names).toContain(name)
    for (const name of ['self', 'first', 'previous', 'next', 'last']) expect(names).toContain(name)
    expect(await read('/rels/cancel')).toMatchObject({
      meaning: 'Where the order is canceled.',
      usedBy: [{ resource: 'order', href: '/orders/{id}/cancellation' }],
    })
    for (const name of names)
      await service.check({ path: `/rels/${name}`, headers: { accept: 'text/html' } }, { status: 200, body: /<h1>/ })
    await service.check({ path: '/rels/nope' }, { status: 404, body: { code: 'NOT_FOUND' } })
  })
})
