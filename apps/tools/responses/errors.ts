import { errors, httpError, notFound } from '@svc/errors'
import type { Responses } from '../responses.ts'

const thrown: Record<string, () => unknown> = {
  '/401': () => httpError(401, 'Say who you are.', { headers: { 'WWW-Authenticate': 'Bearer' } }),
  '/503': () => httpError(503, undefined, { retryAfter: 30 }),
  '/500': () => new Error('not for clients'),
}

export const responses: Responses = {
  middlewares: [(req, _res, next) => next(thrown[req.url ?? '']?.()), notFound()],
  onError: errors({ html: true, onError: () => {}, localize: (code) => code, languages: ['en', 'de'] }),
  cases: [
    { name: '404 record', headers: { accept: 'application/json' } },
    { name: '404 problem', headers: { accept: 'application/problem+json' } },
    { name: '404 problem in XML', headers: { accept: 'application/problem+xml' } },
    { name: '404 XML', headers: { accept: 'application/xml' } },
    { name: '404 page', headers: { accept: 'text/html' } },
    { name: '404 text', headers: { accept: 'text/plain' } },
    { name: '404 in German', headers: { 'accept-language': 'de' } },
    { name: '401', path: '/401' },
    { name: '500', path: '/500' },
    { name: '503', path: '/503' },
  ],
}
