import type { IncomingMessage, ServerResponse } from 'node:http'
import { versioning, versionOf } from '@svc/versioning'
import byVersion from 'express-version-route'
import type { Bench } from '../harness/measure.ts'

export const title = 'Choosing a version'

const handle = (): void => {}
const done = (): void => {}

/** Creates a minimal response that only stores headers. */
function bareResponse(): ServerResponse {
  const fields = new Map<string, unknown>()
  const res = {
    getHeader: (name: string) => fields.get(name.toLowerCase()),
    setHeader: (name: string, value: unknown) => fields.set(name.toLowerCase(), value),
    hasHeader: (name: string) => fields.has(name.toLowerCase()),
  }
  return res as unknown as ServerResponse
}

function createRequest(headers: Record<string, string>, url = '/employees/7'): IncomingMessage {
  return { method: 'GET', url, headers } as unknown as IncomingMessage
}

export function benches(): Bench[] {
  const versions = ['1', '2', '3'] as const
  const settled = versioning({ versions: [...versions], headers: 'none', vendor: 'svc' })
  const complete = versioning({ versions: [...versions], vendor: 'svc', deprecated: { 1: { since: new Date(0) } } })
  const handlers = { '1': handle, '2..3': handle }
  const routes = { settled: settled.route(handlers), complete: complete.route(handlers) }
  const peer = byVersion.route(
    new Map([
      ['1.0.0', handle],
      ['2.0.0', handle],
      ['3.0.0', handle],
    ]),
  )
  const through = (api: typeof settled, route: typeof routes.settled, req: IncomingMessage): unknown => {
    const res = bareResponse()
    api(req, res, () => route(req, res, done))
    return versionOf(req)
  }
  return [
    {
      name: 'Accept-Version, three versions, handler of a route',
      base: 'express-version-route',
      contenders: [
        {
          name: 'express-version-route',
          run: () => {
            const req = createRequest({ 'accept-version': '3.0.0' })
            return peer(Object.assign(req, { version: req.headers['accept-version'] }), bareResponse(), done)
          },
        },
        {
          name: '@svc/versioning, choice and route only',
          run: () => through(settled, routes.settled, createRequest({ 'accept-version': '3' })),
        },
        {
          name: '@svc/versioning with its fields and Vary',
          run: () => through(complete, routes.complete, createRequest({ 'accept-version': '3' })),
        },
        {
          name: '@svc/versioning, by the path, with its fields',
          run: () => through(complete, routes.complete, createRequest({}, '/v3/employees/7')),
        },
        {
          name: '@svc/versioning, by the media type, with its fields',
          run: () => through(complete, routes.complete, createRequest({ accept: 'application/vnd.svc.v3+json' })),
        },
      ],
    },
  ]
}
