import type { IncomingMessage, Middleware, ServerResponse } from '../../../internal/middleware.ts'
import type { RequestLiteral } from '../../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts, listen, type Pipeline } from '../../../internal/testing/hosts.ts'

export type Handler = (req: IncomingMessage, res: ServerResponse) => void

export const hostNames = Object.keys(hosts)

/** Hosts whose requests each have their own connection. */
export const http1HostNames = hostNames.filter((name) => name !== 'node:http2')

/** Runs a pipeline on a host until `use` returns. */
export async function serve(host: string, pipeline: Pipeline, use: (url: string) => Promise<void>): Promise<void> {
  const make = hosts[host]
  if (!make) throw new Error(`no host ${host}`)
  const { url, close } = await listen(make(pipeline))
  try {
    await use(url)
  } finally {
    await close()
  }
}

/** A payment, sent with a key. */
export function payment(key: string, rest: RequestLiteral = {}): RequestLiteral {
  const { headers, ...others } = rest
  return {
    method: 'POST',
    path: '/payments',
    body: '{"orderId":7,"amount":"10.00"}',
    ...others,
    headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json', ...headers },
  }
}

/** Responds with 201 and a number that grows with each run. */
export function counting(): { runs: () => number; handler: Handler } {
  let runs = 0
  const handler: Handler = (_req, res) => {
    runs++
    res.statusCode = 201
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Location', `/payments/${runs}`)
    res.end(JSON.stringify({ id: runs }))
  }
  return { runs: () => runs, handler }
}

/** Middleware that responds with an error status while `isRefusing` returns true. */
export function refusing(status: number, isRefusing: (req: IncomingMessage) => boolean): Middleware {
  return (req, res, next) => {
    if (!isRefusing(req)) return next()
    res.statusCode = status
    res.end()
  }
}

/** Lets the event loop run until a condition is true. Throws after 15 seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 15_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`it never came true: ${isSo}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
