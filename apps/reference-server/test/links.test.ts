import type { FormTemplate } from '@svc/hal'
import { describe, expect, test } from 'vitest'
import { collections } from '../src/domain/collections.ts'
import { DEMO_USERS } from '../src/domain/seed/demo-users.ts'
import { basic, createShorthands, send, serviceFor } from './service.ts'

const CALLERS = [...DEMO_USERS.map(({ username }) => username), undefined]
const ROOTS = ['/', '/cart', ...collections.map(({ path }) => path).filter((path) => !path.includes('{'))]

const DELETABLE = collections.flatMap(({ path, methods }) =>
  methods.includes('DELETE') && !path.includes('{') ? [path] : [],
)

// The schemas of the OpenAPI document describe links, and have none.
function isLink({ href }: Found): boolean {
  return typeof href === 'string'
}

interface Link {
  href: string
}

interface Found {
  relation: string
  href: string
  on: string
}

/** Every link of a document, of what it contains too. */
function findLinks(value: unknown, on: string): Found[] {
  if (typeof value !== 'object' || value === null) return []
  const links = Object.entries((value as { _links?: Record<string, Link | Link[]> })._links ?? {})
  return [
    ...links.flatMap(([relation, link]) => [link].flat().map(({ href }) => ({ relation, href, on }))).filter(isLink),
    ...Object.entries(value).flatMap(([name, inner]) => (name === '_links' ? [] : findLinks(inner, on))),
  ]
}

describe('links', () => {
  const service = serviceFor()
  const { create, read } = createShorthands(service)

  async function templatesAt(path: string): Promise<Record<string, FormTemplate>> {
    const headers = { accept: 'application/prs.hal-forms+json' }
    const { text } = await service.check({ as: 'ada', path, headers }, { status: 200 })
    return JSON.parse(text)._templates ?? {}
  }

  test.each(CALLERS)('2-2 each link that %s gets can be followed, from the root on', async (as) => {
    const headers = { accept: 'application/hal+json', ...(as && { authorization: basic(as) }) }
    const seen = new Set<string>()
    const changes = new Map<string, string>()
    const removals = new Map<string, string>()
    const broken: string[] = []
    const queue: Found[] = ROOTS.map((href) => ({ relation: 'root', href, on: '' }))
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { relation, on } = next
      const path = next.href.replace(/\{\?[^}]*\}/, '')
      // What a template names is for the client to fill.
      if (path.includes('{')) continue
      if (relation === 'update') changes.set(path, on)
      if (relation === 'delete') removals.set(path, on)
      if (seen.has(path)) continue
      seen.add(path)
      const { status, text, headers: fields } = await send(service.url, { path, headers })
      const isRoot = relation === 'root' && (status === 401 || status === 403 || status === 404)
      if (isRoot) continue
      if (status !== 200) broken.push(`${relation} of ${on}: ${path} is ${status}`)
      // Links in examples are those of another caller.
      const isDocument = path.endsWith('/openapi.json')
      if (!isDocument && /json/.test(fields['content-type'] ?? '')) queue.push(...findLinks(JSON.parse(text), path))
    }
    expect(broken).toEqual([])
    const json = { ...headers, 'content-type': 'application/merge-patch+json' }
    for (const [path, on] of changes) {
      const { status } = await send(service.url, { method: 'PATCH', path, headers: json, body: '{}' })
      if (status >= 300) broken.push(`update of ${on}: ${path} is ${status}`)
    }
    // Everything is checked and done, then undone.
    for (const [path, on] of removals) {
      const trial = { ...headers, prefer: 'tx=rollback' }
      const { status } = await send(service.url, { method: 'DELETE', path, headers: trial })
      if (status >= 300) broken.push(`delete of ${on}: ${path} is ${status}`)
    }
    expect(broken).toEqual([])
    expect(seen.size).toBeGreaterThan(as === 'ada' ? 600 : 10)
  })

  test.each(['', '/v2'])('2-2 the employees of a department are its own%s', async (prefix) => {
    const { items } = (await read(`${prefix}/departments`)) as { items: { name: string; _links: Links }[] }
    for (const { name, _links } of items) {
      const href = _links['employees']?.href ?? ''
      expect(href).toBe(`${prefix}/employees?department=${encodeURIComponent(name)}`)
      const page = (await read(href)) as { items: { department: object }[]; page: { totalElements: number } }
      expect(page.page.totalElements).toBeGreaterThan(10)
      for (const { department } of page.items)
        expect(prefix === '' ? { name: department } : department).toMatchObject({ name })
    }
  })

  test.each([
    ['/orders/1/items', 'PAID', ['self', 'order', 'product']],
    ['/orders/3/items', 'CREATED', ['self', 'update', 'delete', 'order', 'product']],
  ])('2-relations items at %s have the links of an order that is %s', async (path, _status, relations) => {
    const { items } = (await read(path)) as { items: { _links: Links }[] }
    for (const { _links } of items) expect(Object.keys(_links)).toEqual(relations)
  })

  test.each([
    ['bob', '/accounts/1', ['self']],
    ['eve', '/accounts/4', ['self', 'owner']],
    ['carl', '/accounts/6', ['self', 'update', 'owner']],
    ['ada', '/accounts/6', ['self', 'update', 'owner']],
  ])('shows %s at %s only what can be followed', async (as, path, relations) => {
    expect(Object.keys((await read(path, as))['_links'] as Links)).toEqual(relations)
  })

  test('shows the accounts of a transfer to those who may see them', async () => {
    const { items } = (await read('/transfers?size=100', 'cora')) as { items: Transfer[] }
    for (const { fromAccountId, toAccountId, _links } of items) {
      const own = [7, 9]
      expect('from' in _links).toBe(own.includes(fromAccountId))
      expect('to' in _links).toBe(own.includes(toAccountId))
    }
  })

  test.each(DELETABLE)('2-2 an item of %s that has no link to delete it cannot be deleted', async (path) => {
    for (let next: string | undefined = `${path}?size=100`; next !== undefined; ) {
      const { items, _links } = (await read(next)) as { items: { _links: Links }[]; _links: Links }
      for (const { _links: links } of items) {
        const headers = { prefer: 'tx=rollback' }
        const self = links['self']?.href ?? ''
        if (!links['delete']) await service.check({ as: 'ada', method: 'DELETE', path: self, headers }, { status: 409 })
      }
      next = _links['next']?.href
    }
  })

  test('2-2 a department can be deleted when it has no employees and nothing refers to it', async () => {
    const path = await create('/departments', { name: 'Links' })
    const relations = async (): Promise<string[]> => Object.keys((await read(path))['_links'] as Links)
    expect(await relations()).toContain('delete')
    const employee = await create('/employees', { name: 'Lin Ks', department: 'Links', salary: 1 })
    expect(await relations()).not.toContain('delete')
    await service.check({ as: 'ada', method: 'DELETE', path: employee }, { status: 204 })
    expect(await relations()).toContain('delete')
    const before = await service.check({ as: 'ada', path }, { status: 200 })
    await create('/projects', { name: 'Links', departmentId: Number(path.split('/').at(-1)) })
    expect(await relations()).not.toContain('delete')
    const headers = { 'if-none-match': before.headers['etag'] ?? '' }
    await service.check({ as: 'ada', path, headers }, { status: 200 })
  })

  test('2-2 an account has no link to change it after it was closed', async () => {
    const path = await create('/accounts', { currency: 'EUR' })
    expect((await read(path))['_links']).toHaveProperty('update')
    await service.check({ as: 'ada', method: 'PATCH', path, json: { status: 'CLOSED' } }, { status: 200 })
    expect((await read(path))['_links']).not.toHaveProperty('update')
    expect(await templatesAt(path)).toEqual({})
  })

  test.each([
    ['CREATED', 'ada', ['self', 'update', 'delete', 'cancel', 'payment']],
    ['PAID', 'ada', ['self', 'update', 'cancel', 'invoice']],
    ['SHIPPED', 'ada', ['self', 'update', 'invoice', 'tracking']],
    ['SHIPPED', 'carl', ['self', 'invoice', 'tracking']],
    ['DELIVERED', 'ada', ['self', 'invoice', 'tracking']],
  ])('2-2 an order that is %s has for %s the links of its state', async (status, as, relations) => {
    const { items } = (await read(`/orders?status=${status}&size=1`, as)) as { items: { _links: Links }[] }
    expect(Object.keys(items[0]?._links ?? {})).toEqual(relations)
  })

  test.each([
    ['CREATED', ['default']],
    ['PAID', []],
    ['DELIVERED', []],
  ])('2-2 the items of an order that is %s have forms for what can be done', async (status, forms) => {
    const { items } = (await read(`/orders?status=${status}&size=1`)) as { items: { id: number }[] }
    expect(Object.keys(await templatesAt(`/orders/${items[0]?.id}/items`))).toEqual(forms)
  })

  test.each(['/employees/1/projects', '/users/6/orders'])(
    'has no form at %s, below which nothing can be created',
    async (path) => expect(await templatesAt(path)).toEqual({}),
  )

  test('has a form at a nested path without the field that the path gives', async () => {
    const path = '/customers/1/orders'
    const { default: form } = await templatesAt(path)
    expect(form).toMatchObject({ method: 'POST', target: path })
    expect(form?.properties.map(({ name }) => name)).toEqual(['items'])
    expect((await templatesAt('/orders'))['default']?.properties.map(({ name }) => name)).toContain('customerId')
    const { text } = await service.check({ as: 'ada', path, headers: { accept: 'text/html' } }, { status: 200 })
    expect(text).not.toContain('name="customerId"')
    expect(text).toContain('name="status"')
  })

  test.each([
    ['/users/4?fields=username', []],
    ['/projects/1?fields=name', ['delete']],
  ])('has no form to change %s, which lacks values that the form would replace', async (path, forms) =>
    expect(Object.keys(await templatesAt(path))).toEqual(forms),
  )

  test('2-2 has a form to delete what can be deleted', async () => {
    const path = await create('/departments', { name: 'Forms' })
    expect(Object.keys(await templatesAt(path))).toEqual(['default', 'delete'])
    const employee = await create('/employees', { name: 'Fo Rms', department: 'Forms', salary: 1 })
    expect(Object.keys(await templatesAt(path))).toEqual(['default'])
    await service.check({ as: 'ada', method: 'DELETE', path: employee }, { status: 204 })
    const { delete: form } = await templatesAt(path)
    expect(form).toEqual({ method: 'DELETE', target: path, properties: [] })
    await service.check({ as: 'ada', method: form?.method ?? '', path: form?.target ?? '' }, { status: 204 })
  })

  test('has a field of several lines for text that may have them', async () => {
    const { default: form } = await templatesAt('/products/1')
    const types = Object.fromEntries(form?.properties.map(({ name, type = 'text' }) => [name, type]) ?? [])
    expect(types).toMatchObject({ name: 'text', description: 'textarea' })
  })

  test.each(['/v2/employees', '/orders', '/products'])(
    'has samples in the form of %s that are accepted',
    async (path) => {
      const { default: form } = await templatesAt(path)
      const isJson = (text = ''): boolean => /^[[{]/.test(text)
      const samples = form?.properties.filter(({ placeholder }) => isJson(placeholder)) ?? []
      expect(samples.length).toBeGreaterThan(0)
      const json = Object.fromEntries(samples.map(({ name, placeholder = '' }) => [name, JSON.parse(placeholder)]))
      const headers = { prefer: 'tx=rollback', 'idempotency-key': '"samples"' }
      const { text } = await service.check({ as: 'ada', method: 'POST', path, json, headers }, {})
      const pointers: string[] = JSON.parse(text).errors.map(({ pointer }: { pointer: string }) => pointer)
      for (const { name } of samples) expect(pointers).not.toContain(`/${name}`)
    },
  )

  test('leads to the path where tokens are made from no page', async () => {
    for (const as of ['ada', 'sam']) expect(JSON.stringify((await read('/', as))['_links'])).not.toContain('/tokens')
  })
})

type Links = Record<string, { href: string }>

interface Transfer {
  fromAccountId: number
  toAccountId: number
  _links: Links
}
