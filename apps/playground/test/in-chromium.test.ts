import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { barriers, expectClean, findChromium, overflow, untilReady } from '../../reference-server/test/pages/browser.ts'
import { inChromium } from '../../reference-server/test/pages/in-chromium.ts'
import { experimentPages } from '../src/experiment-page.ts'
import { mapRules } from '../src/map-page.ts'

const binary = findChromium()

describe.skipIf(!binary)('the playground in Chromium (needs Chromium)', () => {
  const { service, visit: open } = inChromium(binary, {
    SVC_RATE_LIMIT: '10000/1m',
    SVC_RATE_LIMIT_ANONYMOUS: '10000/1m',
  })
  const visit = (path: string) => open(path, { user: undefined })
  const goTo = async (page: Page, path: string): Promise<void> => {
    await page.getByLabel('Path').fill(path)
    await page.getByRole('button', { name: 'Go' }).click()
  }
  const browse = async (path: string) => {
    const watched = await visit('/play/hal')
    await untilReady(watched.page, 'hal')
    await goTo(watched.page, path)
    return watched
  }

  test.each(experimentPages.map(({ path }) => path))('%s shows what it says', async (path) => {
    const watched = await visit(path)
    const { page } = watched
    await untilReady(page, 'experiments')
    // A result moves the buttons below it, and a click must end where it began: a key has no place.
    for (const button of await page.locator('button[data-run]').all()) await button.press('Enter')
    const states = page.locator('.experiment:not([data-state])')
    await states.first().waitFor({ state: 'detached' })
    const bad = await page.locator('.experiment[data-state="bad"]').allInnerTexts()
    expect(bad).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('two versions stand side by side, and what differs is marked', async () => {
    const watched = await visit('/play/versioning')
    const { page } = watched
    await untilReady(page, 'experiments')
    await page.getByRole('button', { name: 'Run Side by side' }).click()
    const [old, young] = [page.locator('.split pre').first(), page.locator('.split pre').last()]
    await old.locator('mark', { hasText: /"salary": \d+,/ }).waitFor()
    await young.locator('mark', { hasText: '"currency": "EUR"' }).waitFor()
    expect(await old.locator('mark', { hasText: '"name"' }).count()).toBe(0)
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('an order is paid by following its links and filling in its forms', async () => {
    const watched = await visit('/play/hal')
    const { page } = watched
    await untilReady(page, 'hal')
    const relations = page.locator('#hal-resource .relations > li > code')
    expect(await relations.allTextContents()).toEqual(expect.arrayContaining(['self', 'cancel', 'payment']))
    await page.locator('a[data-follow]', { hasText: '/orders/7/payment' }).click()
    await page.locator('#hal-resource form select[name="method"]').selectOption('CARD')
    await page.locator('#hal-resource form').getByRole('button', { name: 'Send' }).click()
    const responses = page.locator('[data-message="response"] .start')
    await responses.nth(1).waitFor()
    expect(await responses.allInnerTexts()).toEqual([expect.stringContaining('201'), expect.stringContaining('200')])
    await goTo(page, '/orders/7')
    await relations.filter({ hasText: 'invoice' }).waitFor()
    expect(await relations.allTextContents()).not.toContain('payment')
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('a form of the HAL browser sends what was entered: text stays text, and an empty field is left out', async () => {
    const watched = await browse('/products/2')
    const { page } = watched
    const form = page.locator('#hal-resource form', { has: page.locator('input[name="name"]') })
    await form.locator('input[name="name"]').fill('true')
    await form.locator('textarea[name="description"]').fill('')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.locator('#hal-exchange [data-message="request"] .method', { hasText: 'PUT' }).waitFor()
    const { text } = await service.check({ as: 'ada', path: '/products/2' }, { body: { name: 'true' } })
    expect(JSON.parse(text)).not.toHaveProperty('description')
    expectClean(watched)
    await watched.context.close()
  })

  test('a form of the HAL browser keeps what was not changed: a user has the same roles', async () => {
    const watched = await browse('/users/1')
    const { page } = watched
    const form = page.locator('#hal-resource form', { has: page.locator('select[name="roles"]') })
    expect(await form.locator('select[name="roles"]').evaluate((control) => Object(control).value)).toBe('admin')
    await form.locator('input[name="displayName"]').fill('Ada of the form')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.locator('#hal-exchange [data-message="request"] .method', { hasText: 'PUT' }).waitFor()
    await service.check({ as: 'ada', path: '/users/1' }, { body: { displayName: 'Ada of the form', roles: ['admin'] } })
    expectClean(watched)
    await watched.context.close()
  })

  test('the HAL browser says that there was no response, and shows the last link that was followed', async () => {
    const watched = await visit('/play/hal')
    const { page } = watched
    await untilReady(page, 'hal')
    const release = await hold(page, '**/orders/1')
    await page.route('**/employees?size=3', (route) => route.abort())
    const follow = (href: string) => page.locator('ul.links a', { hasText: href }).click()
    await follow('/orders/1')
    await follow('/employees?size=3')
    await page.locator('#hal-exchange [data-message="response"] .badge', { hasText: '–' }).waitFor()
    expect(await page.locator('#hal-resource').textContent()).toBe('')
    const late = page.waitForResponse(/\/orders\/1$/)
    release()
    await (await late).finished()
    expect(await page.locator('#hal-exchange [data-message="request"] .start').innerText()).toContain('/employees')
    expectClean(watched)
    await watched.context.close()
  })

  test('a run that fails says so in the language of the page, at once and one time', async () => {
    const watched = await open('/_demo/map', { user: undefined, language: 'de' })
    const { page } = watched
    await untilReady(page, 'experiments')
    const headers = { 'retry-after': '835', 'access-control-allow-origin': '*' }
    await page.route('**/tokens', (route) => route.fulfill({ status: 429, headers }))
    const rule = page.locator('[data-experiment="rule-5-1"]')
    await rule.locator('button[data-run]').dblclick()
    await rule.locator('output.bad').waitFor()
    expect(await rule.locator('li').first().locator('.shown > summary').allInnerTexts()).toEqual([
      expect.stringContaining('der Status ist 429; der Inhalt ist ein anderer'),
    ])
    expectClean(watched)
    await watched.context.close()
  })

  test('the map shows requests as the browser sends them, without the headers that it drops', async () => {
    const watched = await visit('/_demo/map')
    const { page } = watched
    await untilReady(page, 'experiments')
    const rule = page.locator('[data-experiment="rule-4.3-cookie"]')
    await rule.locator('button[data-run]').click()
    await rule.locator('output.good').waitFor()
    expect(await rule.locator('[data-message="request"]').textContent()).not.toContain('session=1')
    expectClean(watched)
    await watched.context.close()
  })

  test.each([
    ['tokens', '/_demo/tokens', (page: Page) => page.getByRole('button', { name: 'Create' }).click(), '#token-problem'],
    ['ratelimit', '/play/ratelimit', (page: Page) => page.locator('[data-send="1"]').first().click(), '.statuses li'],
    ['negotiation', '/play/negotiation', (page: Page) => page.getByRole('slider').first().fill('0.3'), '#verdict'],
  ])('the page of %s says that there was no response', async (name, path, act, place) => {
    const watched = await visit(path)
    const { page } = watched
    await untilReady(page, name)
    await page.route('**', (route) => route.abort())
    await act(page)
    await page.locator(place, { hasText: /^(?:no response|No response\..*|–)$/ }).waitFor()
    expectClean(watched)
    await watched.context.close()
  })

  test('calls to an algorithm end when another one is chosen', async () => {
    const watched = await visit('/play/ratelimit')
    const { page } = watched
    await untilReady(page, 'ratelimit')
    const client = page.locator('[data-client="a"]')
    const release = await hold(page, /policy=gcra/)
    await client.getByRole('button', { name: 'Send eight' }).click()
    await page.getByRole('radio', { name: /^fixed-window/ }).check({ force: true })
    const late = page.waitForResponse(/policy=gcra/)
    release()
    await (await late).finished()
    await client.getByRole('button', { name: 'Send one' }).click()
    await client.locator('.statuses li').first().waitFor()
    expect(await client.locator('.statuses li').allTextContents()).toEqual(['200'])
    expect(await client.locator('[data-left]').textContent()).toBe('4')
    expectClean(watched)
    await watched.context.close()
  })

  test('the numbers of the first page continue after a 503, and leave the focus where it is', async () => {
    const watched = await visit('/')
    const { page } = watched
    await page.clock.install()
    await page.reload()
    const statuses = [503, 200]
    await page.route('**/pulse', (route) => route.fulfill({ status: statuses.shift() ?? 500, body: '' }))
    const refresh = () => Promise.all([page.waitForResponse(/\/pulse$/), page.clock.runFor(6000)])
    await page.locator('#pulse a').focus()
    await page.clock.runFor(13_000)
    expect(statuses).toHaveLength(2)
    await page.locator('#pulse a').blur()
    await refresh()
    await refresh()
    await page.locator('#pulse').waitFor({ state: 'detached' })
    expectClean(watched)
    await watched.context.close()
  })

  test('requests with one key are drawn as lanes: one ran, the others were rejected or waited', async () => {
    const watched = await visit('/play/idempotency')
    const { page } = watched
    await untilReady(page, 'experiments')
    await page.locator('[data-run="in-flight"]').click()
    const label = await page.locator('#in-flight .timeline').getAttribute('aria-label')
    expect(label?.match(/executed/g)).toHaveLength(2)
    expect(label?.match(/409 rejected/g)).toHaveLength(2)
    expect(label?.match(/waited/g)).toHaveLength(2)
    expect(await page.locator('#in-flight .timeline .lane').count()).toBe(3)
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('the first page shows the requests that arrive while it is open', async () => {
    const watched = await visit('/')
    const { page } = watched
    const count = page.locator('#pulse dd').first()
    const before = Number((await count.innerText()).replaceAll(',', ''))
    for (const path of ['/employees/1', '/employees/999999']) await service.check({ as: 'eve', path }, {})
    await service.check({ path: '/health', headers: { 'x-demo-fault': '503' } }, { status: 503 })
    await untilReady(page, 'pulse')
    // The page counts itself once it has been sent.
    expect(Number((await count.innerText()).replaceAll(',', ''))).toBe(before + 4)
    const kinds = await page.locator('#pulse rect').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('class')))
    expect(kinds.slice(-3)).toEqual(['good', 'warn', 'bad'])
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('every rule of the map that has requests turns green', async () => {
    const watched = await visit('/_demo/map')
    const { page } = watched
    await untilReady(page, 'experiments')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.waitForSelector('html[data-ready="all"]', { state: 'attached', timeout: 90_000 })
    expect(await page.locator('.rule[data-state="bad"]').allInnerTexts()).toEqual([])
    const shown = mapRules.filter(({ steps }) => steps.length > 0).length
    expect(await page.locator('.rule[data-state="good"]').count()).toBe(shown)
    expect(await page.locator('.dots [data-state="good"]').count()).toBe(shown)
    expectClean(watched)
    await watched.context.close()
  })

  test('a burst of eight is five and three, and units come back', async () => {
    const watched = await visit('/play/ratelimit')
    const { page } = watched
    await untilReady(page, 'ratelimit')
    const [a, b] = [page.locator('[data-client="a"]'), page.locator('[data-client="b"]')]
    await a.getByRole('button', { name: 'Send eight' }).click()
    await a.locator('.statuses li').nth(7).waitFor()
    expect(await a.locator('.statuses li').allTextContents()).toEqual([
      ...Array(5).fill('200'),
      ...Array(3).fill('429'),
    ])
    expect(Number(await a.locator('meter').evaluate((meter) => (meter as { value?: number }).value))).toBe(0)
    expect(await a.locator('[data-fields]').textContent()).toMatch(/retry-after\D*\d+/)
    await b.getByRole('button', { name: 'Send one' }).click()
    await b.locator('.statuses li', { hasText: '200' }).waitFor()
    await a.locator('[data-left]', { hasText: '5' }).waitFor()
    await a.getByRole('button', { name: 'Send one' }).click()
    await a.locator('.statuses li').nth(8).waitFor()
    expect(await a.locator('.statuses li').nth(8).textContent()).toBe('200')
    expectClean(watched)
    await watched.context.close()
  })

  test('eight concurrent calls are five and three, and units come back when calls end', async () => {
    const watched = await visit('/play/ratelimit')
    const { page } = watched
    await untilReady(page, 'ratelimit')
    await page.getByRole('radio', { name: /^concurrency/ }).check({ force: true })
    const client = page.locator('[data-client="a"]')
    const answers = client.locator('.statuses li')
    await client.getByRole('button', { name: 'Send eight' }).click()
    await answers.nth(7).waitFor()
    expect((await answers.allTextContents()).sort()).toEqual([...Array(5).fill('200'), ...Array(3).fill('429')])
    await client.locator('[data-left]', { hasText: '5' }).waitFor()
    await client.getByRole('button', { name: 'Send one' }).click()
    await answers.nth(8).waitFor()
    expect(await answers.nth(8).textContent()).toBe('200')
    expectClean(watched)
    await watched.context.close()
  })

  test.each([
    ['text/html', '', '', /200 text\/html/],
    ['text/html;q=0.1, application/xml', 'fr', 'gzip', /200 application\/xml, language fr, encoding gzip/],
    ['video/mp4', '', '', /^406/],
    ['*/*', '', '*;q=0', /^406/],
    ['', '', '', /200 application\/json, language en, encoding identity/],
  ])('negotiation of %s in %s by %s', async (accept, language, encoding, verdict) => {
    const watched = await visit('/play/negotiation')
    const { page } = watched
    await page.getByLabel('accept', { exact: true }).fill(accept)
    await page.getByLabel('accept-language').fill(language)
    await page.getByLabel('accept-encoding').fill(encoding)
    await page.getByRole('button', { name: 'Choose' }).click()
    await page.waitForURL(/by=hand/)
    expect(await page.locator('#verdict').textContent()).toMatch(verdict)
    expect(await page.getByLabel('accept-language').inputValue()).toBe(language)
    expect(await page.getByLabel('accept-encoding').inputValue()).toBe(encoding)
    expectClean(watched)
    await watched.context.close()
  })

  test('weights that are moved say what the fields say, and turn the choice at once', async () => {
    const watched = await visit('/play/negotiation')
    const { page } = watched
    await untilReady(page, 'negotiation')
    const weigh = (offer: string, q: string) => page.getByRole('slider', { name: offer, exact: true }).fill(q)
    const verdict = page.locator('#verdict')
    expect(await verdict.textContent()).toContain('200 text/html')
    await weigh('text/html', '0.2')
    await verdict.filter({ hasText: '200 application/xml' }).waitFor()
    expect(await page.getByLabel('accept', { exact: true }).inputValue()).toContain('text/html;q=0.2')
    const rows = page.locator('#reasons table').first().locator('tbody tr')
    expect(await rows.last().textContent()).toContain('text/html;q=0.2')
    // Only what was moved is sent: an offer that is not mentioned stays so.
    expect(await page.getByLabel('accept-encoding').inputValue()).toBe('br, deflate, gzip, zstd')
    expect(await page.getByLabel('accept-language').inputValue()).toBe('de, en;q=0.8')
    await weigh('fr', '1')
    await weigh('de', '0.1')
    await verdict.filter({ hasText: 'language fr' }).waitFor()
    for (const slider of await page.locator('input[name^="type:"]').all()) await slider.fill('0')
    await verdict.filter({ hasText: /^406/ }).waitFor()
    // The address says what is shown.
    await page.reload()
    expect(await page.locator('#verdict').textContent()).toMatch(/^406/)
    expectClean(watched)
    await watched.context.close()
  })

  test('weights are sent by a form where there is no JavaScript', async () => {
    const watched = await open('/play/negotiation', { user: undefined, javaScript: false })
    const { page } = watched
    await page.getByRole('slider', { name: 'text/html', exact: true }).fill('0')
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(await page.locator('#verdict').textContent()).toContain('200 application/xml')
    expect(await page.getByRole('slider', { name: 'text/html', exact: true }).inputValue()).toBe('0')
    expectClean(watched)
    await watched.context.close()
  })

  test('the request log shows what happens when it happens, filtered, and no credentials', async () => {
    const watched = await visit('/_demo/requests?path=/employees')
    const { page } = watched
    await untilReady(page, 'requests')
    const before = await page.locator('.request').count()
    const secret = { as: 'ada', path: '/employees/3?access=x&token_hint=hidden-value' }
    for (const path of ['/employees/1', '/employees/999999', '/health']) await service.check({ as: 'eve', path }, {})
    await service.check(secret, {})
    await page
      .locator('.request')
      .nth(before + 2)
      .waitFor()
    expect(await page.locator('.request').count()).toBe(before + 3)
    const text = (await page.locator('body').textContent()) ?? ''
    expect(text).not.toContain(Buffer.from('ada:ada-demo').toString('base64'))
    expect(text).not.toContain('hidden-value')
    expect(text).toMatch(/authorization.*Basic \*\*\*/)
    expect(text).toMatch(/curl -si -u name:password .*'http:\/\/127\.0\.0\.1:\d+\/employees\/1'/)
    const markup = { path: '/employees?name=<img%20src=x%20onerror=alert(1)>', headers: { 'x-demo': '<img src=x>' } }
    await service.check({ as: 'eve', ...markup }, {})
    await page.locator('.request dd', { hasText: '<img src=x>' }).waitFor({ state: 'attached' })
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByLabel('Status').fill('404')
    await page.getByRole('button', { name: 'Filter' }).click()
    expect(new Set(await page.locator('.request .badge').allTextContents())).toEqual(new Set(['404']))
    expectClean(watched)
    await watched.context.close()
  })

  test.each([
    ['none', '200'],
    ['expired', '401'],
    ['audience', '401'],
    ['unsigned', '401'],
  ])('a token with the flaw %s gets %s', async (flaw, status) => {
    const watched = await visit('/_demo/tokens')
    const { page } = watched
    await untilReady(page, 'tokens')
    await page.locator('select[name="flaw"]').selectOption(flaw)
    await page.getByRole('button', { name: 'Create a token' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#token-response [data-message="response"] .start', { hasText: status }).waitFor()
    expect(await page.locator('#token-response [data-message="request"]').innerText()).toContain('Bearer ***')
    expect(await page.locator('#token-exchange [data-message="request"]').innerText()).toContain(flaw)
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('a SOAP message is built by a form, without JavaScript', async () => {
    const watched = await open('/play/soap', { user: undefined, javaScript: false })
    const { page } = watched
    const form = page.locator('form').first()
    await form.getByRole('button', { name: 'Send' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-file] a').click()])
    expect(download.suggestedFilename()).toMatch(/^invoice-\d{4}-000001\.pdf$/)
    await form.getByLabel('Order id').fill('3')
    await form.getByRole('button', { name: 'Send' }).click()
    expect(await page.locator('[data-fault]').textContent()).toContain('DocumentNotAvailable')
    expectClean(watched)
    await watched.context.close()
  })

  test.each(['light', 'dark'] as const)('the SOAP page has no barriers in %s', async (theme) => {
    const query = 'operation=getOrderDocument&hasContext=on&mtom=on'
    const watched = await open(`/play/soap?${query}`, { user: undefined, theme, width: 390 })
    expect(await barriers(watched.page)).toEqual([])
    expect(await overflow(watched.page)).toBeLessThanOrEqual(0)
    expectClean(watched)
    await watched.context.close()
  })

  test('a message is sent from the page of a SOAP service, and its answer or fault is shown', async () => {
    const watched = await visit('/ws/customer')
    const { page } = watched
    await untilReady(page, 'soap')
    await page.locator('#soap-user').selectOption('ada')
    const form = page.locator('form[data-soap="getCustomer"]').first()
    const send = () => form.getByRole('button', { name: 'Send' }).click()
    const response = form.locator('[data-message="response"]')
    await send()
    await response.filter({ hasText: /200 OK[^]*<[^>]*name>[^<]+</ }).waitFor()
    await form.getByLabel('customerId').fill('999999')
    expect(await form.locator('textarea').inputValue()).toContain('>999999<')
    await send()
    await response.filter({ hasText: /400[^]*Fault[^]*NotFound/ }).waitFor()
    const message = await form.locator('textarea').inputValue()
    await form.locator('textarea').fill(message.replace('>999999<', '>2<'))
    expect(await form.getByLabel('customerId').inputValue()).toBe('2')
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('an operation is tried on the page of the operations', async () => {
    const watched = await visit('/docs/employees')
    const { page } = watched
    await untilReady(page, 'docs')
    const send = async (operation: string): Promise<void> => {
      await page.locator(`#${operation} .try summary`).click()
      await page.locator(`#${operation} .try button`).click()
    }
    await send('listEmployees')
    await page.locator('#listEmployees [data-message="response"]', { hasText: /200 OK[^]*"items"/ }).waitFor()
    await page.locator('#docs-user').selectOption('eve')
    await send('createEmployee')
    await page.locator('#createEmployee [data-message="response"] .badge', { hasText: '403' }).waitFor()
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })
})

/** Holds requests back until the returned function is called. */
async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
