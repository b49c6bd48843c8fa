import { versioning } from '@svc/versioning'
import type { Responses } from '../responses.ts'

const api = versioning({
  versions: ['2', '3', '4'],
  vendor: 'acme',
  deprecated: {
    2: {
      since: new Date('2026-01-01'),
      sunset: new Date('2028-01-01'),
      docsUrl: '/moving',
      brownouts: [{ from: new Date('2026-07-01'), until: new Date('2026-07-02') }],
    },
  },
  retired: { 1: { successor: '4', docsUrl: '/gone' } },
  now: () => Number(new Date('2026-06-01')),
})

export const responses: Responses = {
  middlewares: [api],
  handler: (_req, res) => {
    res.setHeader('Content-Type', 'application/json')
    res.end('{}')
  },
  cases: [
    { name: '200 newest', path: '/v4/things' },
    { name: '200 deprecated', path: '/v2/things' },
    { name: '200 by a field', path: '/things', headers: { 'api-version': '3' } },
    { name: '200 by a vendor type', path: '/things', headers: { accept: 'application/vnd.acme.v3+json' } },
    { name: '400 conflict', path: '/v2/things', headers: { 'api-version': '3' } },
    { name: '404 unknown', path: '/v9/things' },
    { name: '406 unknown', path: '/things', headers: { accept: 'application/vnd.acme.v9+json' } },
    { name: '410 retired', path: '/v1/things' },
  ],
}
