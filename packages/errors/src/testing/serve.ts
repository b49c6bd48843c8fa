import { type ErrorsOptions, errors, type LogEntry } from '@svc/errors'
import { afterEach } from 'vitest'
import { hostsWithHttp2, listen, type RunningHost } from '../../../internal/testing/hosts.ts'

const NOW = Date.UTC(2026, 10, 21, 7, 30)

const running: RunningHost[] = []
afterEach(async () => {
  for (const host of running.splice(0)) await host.close()
})

/**
 * Starts a server whose every request fails with `thrown`. Returns its URL and its log. It closes
 * after the test.
 */
export async function serve(
  thrown: unknown,
  options: ErrorsOptions = {},
): Promise<{ url: string; entries: LogEntry[] }> {
  const entries: LogEntry[] = []
  const handle = errors({ now: () => NOW, onError: (entry) => void entries.push(entry), ...options })
  const { url } = await run((req, res) => handle(thrown, req, res))
  return { url, entries }
}

/** Starts a server with a custom listener. It closes after the test. */
export async function run(listener: Parameters<typeof listen>[0]): Promise<RunningHost> {
  const host = await listen(listener)
  running.push(host)
  return host
}

/** Starts a server of HTTP/2 with a custom listener. It closes after the test. */
export function runHttp2(handler: Parameters<typeof listen>[0]): Promise<RunningHost> {
  const compile = hostsWithHttp2['node:http2'] ?? fail('there is no host for HTTP/2')
  return run(compile({ middlewares: [], handler }))
}

/** Throws. */
export function fail(message: string): never {
  throw new Error(message)
}
