import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { playground } from '../../../playground/src/index.ts'
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/start.ts'
import { findChromium, launch } from './find-chromium.ts'

/** A rectangle of a picture in pixels. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

export interface TakenPicture {
  name: string
  png: Buffer
  /** Parts that differ from run to run, such as durations. */
  varying: readonly Area[]
}

interface Picture {
  name: string
  path: string
  height: number
  theme?: 'dark'
  /**
   * Elements that differ from run to run, in addition to texts with a duration or a time of day.
   */
  varying?: string
  /** Prepares the page before the screenshot is taken. */
  prepare?(page: Page): Promise<unknown>
}

/** Directory of the pictures of the docs. */
export const PICTURES = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))

const pictures: readonly Picture[] = [
  {
    name: 'overview',
    path: '/',
    height: 860,
    varying: '.pulse dd, .pulse .bars',
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
  // Each version of Chromium accepts other types.
  { name: 'exchange', path: '/orders/3', height: 1240, varying: '[data-message="request"]' },
  {
    name: 'timeline',
    path: '/play/idempotency',
    height: 560,
    varying: '#in-flight .timeline',
    async prepare(page) {
      await page.waitForSelector('html[data-ready="experiments"]', { state: 'attached' })
      await page.locator('[data-run="in-flight"]').click()
      await page.locator('#in-flight .timeline').scrollIntoViewIfNeeded()
    },
  },
  { name: 'collection', path: '/employees?size=8&sort=-salary', height: 900 },
  {
    name: 'playground',
    path: '/play/ratelimit',
    height: 760,
    varying: '[data-left], [data-reset], meter, .meter, [data-fields] .start code',
    async prepare(page) {
      await page.locator('[data-client="a"] [data-send="8"]').click()
      await page.locator('[data-client="b"] [data-send="1"]').click()
      await page.locator('[data-client="a"] .statuses li').nth(7).waitFor()
      await page.locator('[data-client="b"] .statuses li').first().waitFor()
    },
  },
  {
    name: 'requests',
    path: '/_demo/requests',
    height: 760,
    theme: 'dark',
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

/** The names of all pictures. */
export const pictureNames: readonly string[] = pictures.map(({ name }) => name)

/** Takes the pictures of a service that is started for them. */
export async function takePictures(executablePath: string): Promise<Map<string, TakenPicture>> {
  const env = { PORT: '0', LOG_LEVEL: 'silent', SVC_DEMO: 'on', SVC_RATE_LIMIT_ANONYMOUS: '1000/1m' }
  const running = await start(readConfig(env), { extensions: [playground] })
  const browser = await launch(executablePath)
  const taken = new Map<string, TakenPicture>()
  try {
    for (const picture of pictures) taken.set(picture.name, await takePicture(browser, running.url, picture))
  } finally {
    await browser.close()
    await running.stop()
  }
  return taken
}

async function takePicture(
  browser: Browser,
  url: string,
  { name, path, height, theme, varying = '', prepare }: Picture,
): Promise<TakenPicture> {
  const page = await browser.newPage({
    viewport: { width: 1120, height },
    colorScheme: theme ?? 'light',
    reducedMotion: 'reduce',
    locale: 'en',
    httpCredentials: { username: 'ada', password: 'ada-demo' },
  })
  await page.goto(url + path)
  await prepare?.(page)
  const png = await page.screenshot()
  const areas = (await page.evaluate(`(${findVarying})(${JSON.stringify(varying)})`)) as Area[]
  await page.close()
  return { name, png, varying: areas }
}

// Runs in the browser. Durations and times of day are marked by their text.
const findVarying = `(selector) => {
  const areas = selector ? [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect()) : []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!/\\d ms\\b|\\d:\\d\\d:\\d\\d/.test(node.data)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    areas.push(range.getBoundingClientRect())
  }
  return areas.map(({ x, y, width, height }) => ({ x, y, width, height }))
}`

if (import.meta.main) {
  const binary = findChromium()
  if (binary === undefined) throw new Error('Chromium is not installed')
  for (const { name, png } of (await takePictures(binary)).values()) writeFileSync(`${PICTURES}${name}.png`, png)
}
