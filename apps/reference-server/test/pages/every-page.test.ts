import type { Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { barriers, expectClean, findChromium, overflow, untilReady } from './browser.ts'
import { everyPath } from './every-path.ts'
import { inChromium } from './in-chromium.ts'

const binary = findChromium()
describe.skipIf(!binary)('every page in Chromium (needs Chromium)', () => {
  const { service, visit } = inChromium(binary)

  test.each(everyPath)('%s has no barriers, no violations, no other hosts and no sideways scrolling', async (path) => {
    const watched = await visit(path)
    if (path === '/docs/orders') await untilReady(watched.page, 'docs')
    await watched.page.evaluate('document.querySelectorAll("main details").forEach((one) => { one.open = true })')
    for (const colorScheme of ['light', 'dark'] as const) {
      await watched.page.emulateMedia({ colorScheme })
      for (const width of [1280, 375]) {
        await watched.page.setViewportSize({ width, height: 900 })
        const label = `${colorScheme} at ${width}`
        expect(await barriers(watched.page), label).toEqual([])
        expect(await overflow(watched.page), label).toBe(0)
      }
    }
    expectClean(watched)
    await watched.context.close()
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
