import { checkBodyHeaders, mediaType, negotiate, notAcceptable, sendRepresentation } from '@svc/negotiate'
import { etagFromVersion } from '@svc/negotiate/etags'
import type { Responses } from '../responses.ts'

const types = ['application/json', 'text/csv'] as const
const state = { version: 7 }

export const responses: Responses = {
  middlewares: [
    negotiate({ requirePrecondition: true, currentState: ({ url }) => (url === '/owned' ? state : undefined) }),
    (req, res, next) => {
      if (req.method === 'PUT') return next(checkBodyHeaders(req, { types: ['application/json'] }) ?? undefined)
      const type = mediaType(req, types)
      if (!type) return next(notAcceptable(types))
      const body = 'A sentence that is sent again and again. '.repeat(50)
      if (req.url === '/owned') return sendRepresentation(req, res, { type, ...state, vary: ['Accept'], body }, next)
      res.setHeader('Content-Type', type)
      res.end(body)
    },
    (_req, res) => res.writeHead(204).end(),
  ],
  cases: [
    { name: '200 plain', headers: { 'accept-encoding': 'identity' } },
    { name: '200 coded', headers: { 'accept-encoding': 'br' } },
    { name: '200 represented', path: '/owned', headers: { 'accept-encoding': 'gzip' } },
    {
      name: '304',
      path: '/owned',
      headers: { 'accept-encoding': 'identity', 'if-none-match': etagFromVersion(7, { type: 'application/json' }) },
    },
    { name: '406', headers: { accept: 'image/png' } },
    { name: '412', method: 'PUT', path: '/owned', headers: { 'if-match': '"6"' } },
    { name: '428', method: 'PUT', path: '/owned' },
    { name: '415', method: 'PUT', body: 'a=b', headers: { 'content-type': 'text/plain' } },
  ],
}
