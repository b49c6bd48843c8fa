import type { Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { barriers, expectClean, findChromium, overflow, untilReady } from './browser.ts'
import { everyPath } from './every-path.ts'
import { inChromium } from './in-chromium.ts'

const binary = findChromium()
describe.skipIf(!binary)('every page in Chromium (needs Chromium)', () => {
  const { service, visit, onePage } = inChromium(binary)

  const visitOnePage = onePage()
  test.each(everyPath)('%s has no barriers, no violations, no other hosts and no sideways scrolling', async (path) => {
    const watched = await visitOnePage(path)
    const { page } = watched
    if (path === '/docs/orders') await untilReady(page, 'docs')
    await page.evaluate('document.querySelectorAll("main details").forEach((one) => { one.open = true })')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 900 })
        const label = `${colorScheme} at ${width}`
        expect(await barriers(page), label).toEqual([])
        expect(await overflow(page), label).toBe(0)
      }
    }
    // What 1280 pixels have at 200 and at 400 percent.
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 450 })
      expect(await overflow(page), String(width)).toBe(0)
    }
    expectClean(watched)
  })

  test('the first page takes less than 30 kB with its assets', async () => {
    const watched = await visit('/employees', { user: 'eve' })
    const finished: Request[] = []
    watched.page.on('requestfinished', (request) => finished.push(request))
    await watched.page.goto(service.url)
    await watched.page.waitForLoadState('networkidle')
    const sizes = await Promise.all(finished.map((request) => request.sizes()))
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThan(30_000)
    await watched.context.close()
  })

  test('the overview has seven packages, and every link leads somewhere', async () => {
    const watched = await visit('/')
    expect(await watched.page.title()).toBe('Overview · Svc')
    expect(await watched.page.locator('.cards > .card').count()).toBe(7)
    const links = await watched.page.locator('main a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    for (const link of new Set(links.filter((href) => href?.startsWith('/')))) {
      const { status } = await service.check({ as: 'ada', path: link ?? '', headers: { accept: 'text/html' } }, {})
      expect(status, String(link)).toBeLessThan(400)
    }
    await watched.context.close()
  })
})
