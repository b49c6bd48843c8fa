import { type ErrorsOptions, errors, type LogEntry } from '@svc/errors'
import { afterEach } from 'vitest'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'

const NOW = Date.UTC(2026, 10, 21, 7, 30)

const running: RunningHost[] = []
afterEach(async () => {
  for (const host of running.splice(0)) await host.close()
})

/**
 * A server that fails with `thrown`, whatever it is asked, and what it logs. It ends with the test.
 */
export async function serve(
  thrown: unknown,
  options: ErrorsOptions = {},
): Promise<{ url: string; entries: LogEntry[] }> {
  const entries: LogEntry[] = []
  const answer = errors({ now: () => NOW, onError: (entry) => void entries.push(entry), ...options })
  const { url } = await run((req, res) => answer(thrown, req, res))
  return { url, entries }
}

/** A server of the test's own. It ends with the test. */
export async function run(listener: Parameters<typeof listen>[0]): Promise<RunningHost> {
  const host = await listen(listener)
  running.push(host)
  return host
}

/** Throws. */
export function fail(message: string): never {
  throw new Error(message)
}
