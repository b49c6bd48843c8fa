import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

export { findChromium, launch } from './find-chromium.ts'

export interface Visit {
  /** The demo user who is logged in; `undefined` for none. @defaultValue ada */
  user?: string | undefined
  width?: number
  theme?: 'light' | 'dark'
  javaScript?: boolean
  language?: string
}

/**
 * A page that notes whatever must not happen: other hosts, violations of the policy, errors of
 * scripts.
 */
export interface Watched {
  page: Page
  context: BrowserContext
  /** Events that must not happen. */
  faults: string[]
}

/** Opens a page of the service. */
export async function open(browser: Browser, url: string, path: string, visit: Visit = {}): Promise<Watched> {
  const { width = 1280, theme = 'light', javaScript = true, language = 'en' } = visit
  const user = 'user' in visit ? visit.user : 'ada'
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    javaScriptEnabled: javaScript,
    locale: language,
    ...(user !== undefined && { httpCredentials: { username: user, password: `${user}-demo` } }),
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url)) faults.push(`asks ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(`throws ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`opens a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|violates/i.test(message.text())) faults.push(message.text())
  })
  await page.goto(url + path)
  return { page, context, faults }
}

/** Waits until the script of a page has said that it is ready. */
export async function untilReady(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`html[data-ready="${name}"]`, { state: 'attached' })
}

const axe = createRequire(import.meta.url)('axe-core') as { source: string }

/** Barriers that axe finds, as text. */
export async function barriers(page: Page): Promise<string[]> {
  if (await page.evaluate('!window.axe')) await page.evaluate(axe.source)
  const script = 'axe.run().then(({ violations }) => violations)'
  const violations = (await page.evaluate(script)) as {
    id: string
    nodes: { html: string; failureSummary: string }[]
  }[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Returns by how many pixels the page is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
}

/** Fails where something happened that must not. */
export function expectClean({ faults }: Watched): void {
  expect(faults).toEqual([])
}
