import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectClean, findChromium } from './browser.ts'
import { everyPath } from './every-path.ts'
import { inChromium } from './in-chromium.ts'

const binary = findChromium()

describe.skipIf(!binary)('pages in Chromium (needs Chromium)', () => {
  const { service, visit, onePage } = inChromium(binary)

  const visitWithoutScript = onePage({ javaScript: false })
  test.each(everyPath)('%s says the same with JavaScript off', async (path) => {
    const watched = await visitWithoutScript(path)
    const { page } = watched
    expect(await page.title()).toMatch(/ · Svc$/)
    expect(await page.locator('h1').count()).toBe(1)
    expect(((await page.locator('main').innerText()) ?? '').length).toBeGreaterThan(40)
    // What cannot work is not there, or says so.
    const live = await page.locator('main button:visible:not([disabled])').all()
    for (const button of live)
      expect(
        await button.evaluate(
          (one) =>
            one.closest('details')?.querySelector('noscript') !== null ||
            one.closest('form')?.getAttribute('method') === 'get',
        ),
      ).toBe(true)
    const needsScript =
      (await page
        .locator('[data-run], [data-send]:not([data-links]), [data-soap], #hal, [data-try], #token-form')
        .count()) > 0
    if (needsScript) expect(await page.locator('noscript .notice').first().isVisible()).toBe(true)
    expectClean(watched)
  })

  test('the first stop of the keyboard leads past the navigation', async () => {
    const { page, context } = await visit('/employees')
    await page.keyboard.press('Tab')
    const skip = page.locator('.skip')
    expect(await skip.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.querySelector("main").contains(document.activeElement)')).toBe(true)
    await context.close()
  })

  test.each(['/', '/employees/1', '/play/negotiation', '/_demo/tokens'])(
    '%s is walked through by keyboard in its order, and the focus is seen',
    async (path) => {
      const { page, context } = await visit(path)
      const stops: Stop[] = []
      for (let at = 0; at < 200; at++) {
        await page.keyboard.press('Tab')
        const stop = await stopOf(page)
        if (stop.at < (stops.at(-1)?.at ?? -1)) break
        stops.push(stop)
      }
      expect(stops.length).toBeGreaterThan(8)
      expect(stops.length).toBe(await page.evaluate(COUNT_OF_STOPS))
      expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([])
      await context.close()
    },
  )

  test('a collection is filtered, sorted and left by keyboard alone', async () => {
    const watched = await visit('/employees')
    const { page } = watched
    await page.locator('summary', { hasText: 'Filter' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'department' }).focus()
    await page.keyboard.type('Sales')
    await page.keyboard.press('Enter')
    await page.waitForURL(/department=Sales/)
    await page.getByRole('link', { name: 'salary' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=salary/)
    await page.locator('.crumbs a').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.url}/`)
    expectClean(watched)
    await watched.context.close()
  })

  test.each(['light', 'dark'] as const)(
    'a page is printed dark on light from the %s theme, without what paper cannot do',
    async (theme) => {
      const { page, context } = await visit('/orders/1/invoice', { theme })
      await page.emulateMedia({ media: 'print', colorScheme: theme })
      for (const gone of ['.top', '.foot', '.skip', 'button', 'details:not([open])'])
        expect(await page.locator(gone).filter({ visible: true }).count(), gone).toBe(0)
      expect(await page.locator('td', { hasText: 'Turntable' }).first().isVisible()).toBe(true)
      const colours = await page.evaluate(
        `[...document.querySelectorAll('h1, th, td')].map((one) => getComputedStyle(one).color)`,
      )
      for (const colour of new Set(colours as string[])) expect(brightness(colour), colour).toBeLessThan(100)
      expect(
        brightness(String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))),
      ).toBe(255)
      expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
      await context.close()
    },
  )

  test.each([
    ['reduce', 0],
    ['no-preference', 0.12],
  ] as const)('with motion set to %s nothing takes longer than %f seconds', async (reducedMotion, seconds) => {
    const { page, context } = await visit('/play')
    await page.emulateMedia({ reducedMotion })
    const script = `[...document.querySelectorAll('*')].flatMap((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one)
      return animationName === 'none' ? transitionDuration.split(',').map(parseFloat) : [99]
    })`
    expect(Math.max(...((await page.evaluate(script)) as number[]))).toBe(seconds)
    await context.close()
  })

  test('text that runs from right to left does so', async () => {
    const { page, context } = await visit('/products/1/reviews?size=100')
    const paths = await service.check({ path: '/products?size=100' }, { status: 200 })
    const { items } = JSON.parse(paths.text) as { items: { id: number }[] }
    for (const { id } of items) {
      await page.goto(`${service.url}/products/${id}/reviews`)
      if ((await page.locator('td', { hasText: 'جيد' }).count()) > 0) break
    }
    const cell = page.locator('td', { hasText: 'جيد' }).first()
    expect(await cell.evaluate((one) => one.matches(':dir(rtl)'))).toBe(true)
    expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).direction')).toBe('ltr')
    await context.close()
  })
})

interface Stop {
  /** Its place in the document. */
  at: number
  name: string
  isSeen: boolean
}

async function stopOf(page: Page): Promise<Stop> {
  return (await page.evaluate(`(() => {
    const one = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    const { width, height } = one.getBoundingClientRect()
    return {
      at: one === document.body ? -1 : [...document.querySelectorAll('*')].indexOf(one),
      name: one.outerHTML.slice(0, 80),
      isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && width > 0 && height > 0,
    }
  })()`)) as Stop
}

const COUNT_OF_STOPS = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((one) => !one.disabled && one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })).length`

/** From 0 (black) to 255 (white), of `rgb(…)`. */
function brightness(colour: string): number {
  const parts = colour.match(/[\d.]+/g)?.map(Number) ?? []
  return Math.max(...parts.slice(0, 3))
}
