import { describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { serviceFor } from './service.ts'

const SVC_MOVED = '/staff=/employees, /old/clients=/customers,/me=/users/me'

describe('paths that have moved', () => {
  const service = serviceFor(() => ({ SVC_MOVED }))

  test.each([
    ['GET', '/staff', 301, '/employees'],
    ['HEAD', '/staff?page=2&name=A%26B', 301, '/employees?page=2&name=A%26B'],
    ['GET', '/staff/7/projects?size=1', 301, '/employees/7/projects?size=1'],
    ['GET', '/v2/staff/7', 301, '/v2/employees/7'],
    ['POST', '/staff', 308, '/employees'],
    ['QUERY', '/staff', 308, '/employees'],
    ['DELETE', '/old/clients/3', 308, '/customers/3'],
    ['GET', '/staff//evil.example/', 301, '/employees//evil.example/'],
    ['GET', '/staff/%2f%2fevil.example', 301, '/employees/%2F%2Fevil.example'],
  ])('%s %s is answered %i to %s', async (method, path, status, location) => {
    const kept = { location, 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' }
    await service.check({ method, path }, { status, headers: { ...kept, 'x-correlation-id': /./ }, body: '' })
  })

  test('7-301 what has moved is at its new place', async () => {
    await service.check({ as: 'ada', path: '/staff/7' }, { status: 301 })
    await service.check({ as: 'ada', path: '/employees/7' }, { status: 200, body: { id: 7 } })
    await service.check({ as: 'carl', path: '/me' }, { status: 301, headers: { location: '/users/me' } })
  })

  test.each(['/staffing', '/Staff', '/old', '//staff', '/employees/staff', '/x/staff'])('%s has not', async (path) => {
    await service.check({ as: 'ada', path }, { status: 404 })
  })
})

test.each([
  ['/a', 'must be pairs of paths'],
  ['/a=https://evil.example', 'must be pairs of paths'],
  ['/a=//evil.example', 'must be pairs of paths'],
  ['/a=/\\evil.example', 'must be pairs of paths'],
  ['/a=/', 'must be pairs of paths'],
  ['/=/a', 'must be pairs of paths'],
  ['/a=/b/../c', 'must be pairs of paths'],
  ['/a=/b?c', 'must be pairs of paths'],
  ['/a=/b=/c', 'must be pairs of paths'],
  ['/a=/b,/b=/c', '/b has moved itself'],
  ['/a=/a/b', '/a/b has moved itself'],
])('a table %s is refused: it %s', (SVC_MOVED, problem) => {
  expect(() => readConfig({ SVC_MOVED })).toThrow(problem)
})
