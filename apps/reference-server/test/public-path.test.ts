import { describe, expect, test } from 'vitest'
import { everyPath } from './pages/every-path.ts'
import { serviceFor } from './service.ts'

const PUBLIC_URL = 'https://api.example/svc'
const HTML = { accept: 'text/html' }

describe('below the path of its public URL, which a proxy removes,', () => {
  const service = serviceFor(() => ({ SVC_PUBLIC_URL: PUBLIC_URL, SVC_MOVED: '/staff=/employees' }))

  test.each(everyPath)('the page %s links, loads and submits to what is there', async (path) => {
    const { text } = await service.check({ as: 'ada', path, headers: HTML }, {})
    const attributes = [...text.matchAll(/\s(href|src|action|data-(?:notes|events|source))="([^"]*)"/g)]
    const targets = attributes.map(([, , target = '']) => target).filter((target) => !/^[#?]/.test(target))
    expect(targets.length).toBeGreaterThan(5)
    // Links to other sites are none of ours.
    const own = targets.filter((target) => !/^https:\/\/(?!api\.example)/.test(target))
    expect(own.filter((target) => !/^(?:https:\/\/api\.example)?\/svc(?:\/|$)/.test(target))).toEqual([])
    expect(own.filter((target) => target.includes('/svc/svc'))).toEqual([])
    expect([...text.matchAll(/https:\/\/api\.example(?!\/svc)/g)]).toEqual([])
  })

  test('scripts get that path', async () => {
    const { text } = await service.check({ path: '/', headers: HTML }, { status: 200 })
    expect(text).toContain('data-base="/svc"')
  })

  test.each([
    [301, '/employees/?size=1', '/employees?size=1'],
    [301, '/v2/Employees', '/v2/employees'],
    [301, '/staff/7?fields=name', '/employees/7?fields=name'],
    [302, '/v1/employees?department=&size=1', '/v1/employees?size=1'],
    [302, '/users/me', '/users/1'],
    [302, '/login?to=/v2/cart', '/v2/cart'],
  ])('answers %i to %s with a place that is there', async (status, path, target) => {
    const headers = { location: PUBLIC_URL + target }
    await service.check({ as: 'ada', path, headers: HTML }, { status, headers })
  })

  test('what is created has its place there', async () => {
    const json = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }
    const headers = { location: /^https:\/\/api\.example\/svc\/employees\/\d+$/ }
    await service.check({ as: 'ada', method: 'POST', path: '/employees', json }, { status: 201, headers })
  })

  test('parts of pages that scripts load link to what is there', async () => {
    const { text } = await service.check({ path: '/_demo/requests/pulse', headers: HTML }, { status: 200 })
    expect(text).toContain('data-source="/svc/_demo/requests/pulse"')
    expect(text).toContain('href="/svc/_demo/requests"')
  })
})

describe('without a public URL', () => {
  const service = serviceFor()

  test('pages and redirects have paths', async () => {
    const { text } = await service.check({ path: '/', headers: HTML }, { status: 200 })
    expect(text).toContain('href="/docs"')
    expect(text).not.toContain('data-base')
    await service.check({ as: 'ada', path: '/employees/' }, { status: 301, headers: { location: '/employees' } })
  })
})
