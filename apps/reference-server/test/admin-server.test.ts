import { expect, test } from 'vitest'
import { send, serviceFor } from './service.ts'

const service = serviceFor()

interface Row {
  name: string
  method?: string
  path?: string
  headers?: Record<string, string>
  status: number
}

test.each<Row>([
  { name: 'curl on loopback', status: 200 },
  { name: 'curl that changes something', method: 'PUT', path: '/maintenance', status: 200 },
  { name: 'another name of loopback', headers: { host: 'LOCALHOST:1' }, status: 200 },
  { name: 'an address of loopback', headers: { host: '[::1]:3001' }, status: 200 },
  { name: 'a name of somebody else', headers: { host: 'evil.example' }, status: 421 },
  { name: 'a name that starts like loopback', headers: { host: 'localhost.evil.example' }, status: 421 },
  {
    name: 'a change under such a name',
    method: 'PUT',
    path: '/maintenance',
    headers: { host: 'evil.example' },
    status: 421,
  },
  { name: 'an unknown path under such a name', path: '/x', headers: { host: 'evil.example' }, status: 421 },
  {
    name: 'a change by a page of another site',
    method: 'PUT',
    path: '/maintenance',
    headers: { 'sec-fetch-site': 'cross-site' },
    status: 403,
  },
  {
    name: 'a change by a page of another port',
    method: 'DELETE',
    path: '/maintenance',
    headers: { 'sec-fetch-site': 'same-site' },
    status: 403,
  },
  {
    name: 'a change by an old browser',
    method: 'PUT',
    path: '/maintenance',
    headers: { origin: 'https://evil.example' },
    status: 403,
  },
  {
    name: 'a change by a sandboxed page',
    method: 'PUT',
    path: '/maintenance',
    headers: { origin: 'null' },
    status: 403,
  },
  {
    name: 'a change by a page of its own',
    method: 'PUT',
    path: '/maintenance',
    headers: { 'sec-fetch-site': 'same-origin' },
    status: 200,
  },
  {
    name: 'a change that a person typed',
    method: 'DELETE',
    path: '/maintenance',
    headers: { 'sec-fetch-site': 'none' },
    status: 200,
  },
  { name: 'a link of another site', headers: { 'sec-fetch-site': 'cross-site' }, status: 200 },
])('the admin listener returns $status to $name', async ({ method = 'GET', path = '/live', headers = {}, status }) => {
  const { state, adminUrl } = service.running
  state.maintenance = method === 'DELETE'
  const before = state.maintenance
  const answer = await send(adminUrl, { method, path, headers })
  expect(answer.status).toBe(status)
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  if (status !== 200) expect(state.maintenance).toBe(before)
  else if (method !== 'GET') expect(state.maintenance).toBe(!before)
})
