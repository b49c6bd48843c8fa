import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Environment } from '../../src/config.ts'
import { type Service, serviceFor } from '../service.ts'
import { launch, open, type Visit, type Watched } from './browser.ts'

/** Goes to a path of the service. */
type Visitor = (path: string) => Promise<Watched>

interface InChromium {
  service: Service
  /** Opens a path in a context of its own. */
  visit(path: string, visit?: Visit): Promise<Watched>
  /** Returns a visitor whose visits share one page, which saves Chromium a process for each. */
  onePage(visit?: Visit): Visitor
}

/**
 * A service, and a Chromium that visits it, which are there as long as the tests around them run.
 */
export function inChromium(binary: string | undefined, env: Environment = {}): InChromium {
  const service = serviceFor(() => env)
  let browser: Browser
  beforeAll(async () => void (browser = await launch(binary ?? '')))
  afterAll(() => browser.close())
  const visit: InChromium['visit'] = (path, options) => open(browser, service.url, path, options)
  const onePage: InChromium['onePage'] = (options) => {
    let watched: Watched | undefined
    return async (path) => {
      if (!watched) return (watched = await visit(path, options))
      watched.faults.length = 0
      await watched.page.goto(service.url + path)
      return watched
    }
  }
  return { service, visit, onePage }
}
