// Makes the pictures of the README: `node --conditions=@svc/source test/pages/pictures.ts <folder>`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { playground } from '../../../playground/src/index.ts'
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/start.ts'
import { findChromium } from './find-chromium.ts'

interface Picture {
  name: string
  path: string
  height: number
  theme?: 'dark'
  /** Prepares the page before the screenshot is taken. */
  prepare?(page: Page): Promise<unknown>
}

const pictures: readonly Picture[] = [
  {
    ...{ name: 'overview', path: '/', height: 860 },
    async prepare(page) {
      const paths = [
        '/employees/1',
        '/orders?size=5',
        '/employees/999999',
        '/products',
        '/openapi.json',
        '/v2/orders/3',
      ]
      for (let round = 0; round < 10; round++)
        await page.evaluate(
          `Promise.all(${JSON.stringify(paths)}.map((path) => fetch(path, { headers: { authorization: 'Basic ' + btoa('ada:ada-demo') } })))`,
        )
      await page.reload()
    },
  },
  { name: 'exchange', path: '/orders/3', height: 1240 },
  {
    ...{ name: 'timeline', path: '/play/idempotency', height: 560 },
    async prepare(page) {
      await page.waitForSelector('html[data-ready="experiments"]', { state: 'attached' })
      await page.locator('[data-run="in-flight"]').click()
      await page.locator('#in-flight .timeline').scrollIntoViewIfNeeded()
    },
  },
  { name: 'collection', path: '/employees?size=8&sort=-salary', height: 900 },
  {
    ...{ name: 'playground', path: '/play/ratelimit', height: 760 },
    async prepare(page) {
      await page.locator('[data-client="a"] [data-send="8"]').click()
      await page.locator('[data-client="b"] [data-send="1"]').click()
      await page.locator('[data-client="a"] .statuses li').nth(7).waitFor()
      await page.locator('[data-client="b"] .statuses li').first().waitFor()
    },
  },
  {
    ...{ name: 'requests', path: '/_demo/requests', height: 760, theme: 'dark' },
    async prepare(page) {
      await page.waitForSelector('html[data-ready="requests"]', { state: 'attached' })
      for (const path of ['/employees/1', '/employees/999999', '/orders/3', '/v2/products/1', '/employees?page=-1'])
        await page.evaluate(`fetch('${path}', { headers: { authorization: 'Basic ' + btoa('ada:ada-demo') } })`)
      await page.evaluate(`fetch('/health', { headers: { 'x-demo-fault': '503' } })`)
      await page.locator('.request summary', { hasText: '/health' }).first().waitFor()
      await page.locator('.request > summary', { hasText: '404' }).first().click()
    },
  },
]

const binary = findChromium()
if (binary === undefined) throw new Error('Chromium is not installed')
const folder = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
mkdirSync(folder, { recursive: true })
const running = await start(
  readConfig({ PORT: '0', LOG_LEVEL: 'silent', SVC_DEMO: 'on', SVC_RATE_LIMIT_ANONYMOUS: '1000/1m' }),
  {
    extensions: [playground],
  },
)
const browser = await chromium.launch({ executablePath: binary, args: ['--no-sandbox'] })
for (const { name, path, height, theme = 'light', prepare } of pictures) {
  const page = await browser.newPage({
    ...{ viewport: { width: 1120, height }, colorScheme: theme, reducedMotion: 'reduce', locale: 'en' },
    httpCredentials: { username: 'ada', password: 'ada-demo' },
  })
  await page.goto(running.url + path)
  await prepare?.(page)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.close()
}
await browser.close()
await running.stop()
