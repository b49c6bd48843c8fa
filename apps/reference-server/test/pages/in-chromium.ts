import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Environment } from '../../src/config.ts'
import { type Service, serviceFor } from '../service.ts'
import { launch, open, type Visit, type Watched } from './browser.ts'

/**
 * A service, and a Chromium that visits it, which are there as long as the tests around them run.
 */
export function inChromium(
  binary: string | undefined,
  env: Environment = {},
): { service: Service; visit(path: string, visit?: Visit): Promise<Watched> } {
  const service = serviceFor(() => env)
  let browser: Browser
  beforeAll(async () => void (browser = await launch(binary ?? '')))
  afterAll(() => browser.close())
  return { service, visit: (path, visit) => open(browser, service.url, path, visit) }
}
