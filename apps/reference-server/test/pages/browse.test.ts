import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { barriers, expectClean, findChromium } from './browser.ts'
import { inChromium } from './in-chromium.ts'

const binary = findChromium()

describe.skipIf(!binary)('resources in Chromium (needs Chromium)', () => {
  const { service, visit } = inChromium(binary)

  const create = async (name: string): Promise<string> => {
    const json = { name, department: 'Sales', salary: 1000 }
    const { headers } = await service.check({ as: 'ada', method: 'POST', path: '/employees', json }, { status: 201 })
    return headers['location'] ?? ''
  }

  test.each([true, false])('pages are turned, sorted and filtered with JavaScript %s', async (javaScript) => {
    const watched = await visit('/employees?size=50', { javaScript })
    const { page } = watched
    await page.getByRole('link', { name: 'Next' }).click()
    expect(await page.locator('.pager').textContent()).toContain('Page 2 of 3')
    await page.getByRole('link', { name: 'Last' }).click()
    expect(await page.locator('.pager').textContent()).toContain('Page 3 of 3')
    await page.goBack()
    expect(await page.locator('.pager').textContent()).toContain('Page 2 of 3')
    await page.getByRole('link', { name: 'First' }).click()
    await page.getByRole('link', { name: 'salary' }).click()
    expect(page.url()).toContain('sort=salary')
    const salaries = page.locator('tbody tr td.number data')
    const values = await salaries.evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('value'))))
    expect(values).toEqual([...values].sort((a, b) => a - b))
    expect(values.length).toBe(50)
    await page.locator('summary', { hasText: 'Filter' }).click()
    await page.getByRole('textbox', { name: 'department' }).fill('Sales')
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(new Set(await page.locator('tbody tr td:nth-child(3)').allTextContents())).toEqual(new Set(['Sales']))
    await page.locator('tbody a').first().click()
    expect(await page.locator('h1').textContent()).toMatch(/^Employee \d+$/)
    expectClean(watched)
    await watched.context.close()
  })

  test('a request is sent again in another format, in another version, as another user', async () => {
    const watched = await visit('/employees/1')
    const { page } = watched
    const types = await page.locator('button[data-again="accept"]').allTextContents()
    expect(types).toEqual(expect.arrayContaining(['application/json', 'application/xml', 'text/csv', 'text/plain']))
    const response = page.locator('[data-message="response"]')
    for (const type of types) {
      await page.getByRole('button', { name: type, exact: true }).click()
      await response.locator('dd', { hasText: type }).first().waitFor()
    }
    await page.getByRole('button', { name: 'application/json', exact: true }).click()
    await page.getByRole('button', { name: '2', exact: true }).click()
    await response.locator('.body', { hasText: '"currency": "EUR"' }).waitFor()
    await page.getByRole('button', { name: 'sam', exact: true }).click()
    await response.locator('.badge', { hasText: '403' }).waitFor()
    expect(await page.locator('[data-message="request"]').textContent()).toContain('Basic ***')
    expect(await page.locator('#curl-line').textContent()).toMatch(/-u sam:sam-demo .*API-Version: 2/)
    expect(await page.locator('#fetch-line').textContent()).toContain('"API-Version": "2"')
    expect(await barriers(page)).toEqual([])
    expectClean(watched)
    await watched.context.close()
  })

  test('a request that is sent again shows the response to the last click, or that there was none', async () => {
    const watched = await visit('/employees/1?fields=id,name')
    const { page } = watched
    const chip = (name: string) => page.getByRole('button', { name, exact: true })
    const response = page.locator('[data-message="response"]')
    const release = Promise.withResolvers<void>()
    await page.evaluate(`
      window.lines = []
      const noteLine = ([{ target }]) => window.lines.push(/Accept: ([\\w/]+)/.exec(target.textContent)[1])
      new MutationObserver(noteLine).observe(document.querySelector('#curl-line'), { childList: true })`)
    await page.route('**/notes-*.json', (route) => route.abort(), { times: 1 })
    await page.route('**/employees/1?*', (route) => route.abort(), { times: 1 })
    await chip('application/json').click()
    await response.locator('.badge.bad', { hasText: '–' }).waitFor()
    // Without the notes on headers, too.
    expect(await page.locator('[data-message="request"] dt').count()).toBeGreaterThan(0)
    await page.route('**/employees/1?*', (route) => release.promise.then(() => route.continue()), { times: 1 })
    const first = page.waitForResponse((answer) => answer.headers()['content-type']?.startsWith('text/csv') ?? false)
    await chip('text/csv').click()
    await chip('application/xml').click()
    await response.locator('.body', { hasText: '<employee>' }).waitFor()
    release.resolve()
    await (await first).finished()
    await chip('eve').click()
    await page.locator('#curl-line', { hasText: '-u eve:eve-demo' }).waitFor()
    expect(await response.locator('.group').count()).toBeGreaterThan(0)
    expect(await page.evaluate('window.lines')).toEqual(['application/json', 'application/xml', 'application/xml'])
    expectClean(watched)
    await watched.context.close()
  })

  test('a key is for one request until the service responds, also behind a proxy that fails', async () => {
    const watched = await visit('/departments')
    const { page } = watched
    const keys: string[] = []
    await page.route('**/departments', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      await (keys.length === 1 ? route.fulfill({ status: 502, body: '{"message":"-"}' }) : route.continue())
    })
    await page.locator('summary', { hasText: 'Create' }).click()
    await page.getByLabel('name *').fill('Proxies')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('output', { hasText: '502' }).waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('h1', { hasText: /^Department \d+$/ }).waitFor()
    expect(keys[0]).toMatch(/^.{32}$/)
    expect(keys).toEqual([keys[0], keys[0]])
    expectClean(watched)
    await watched.context.close()
  })

  test.each([
    ['/docs/employees', '#createEmployee', '**/employees'],
    ['/ws/customer', 'details[open]', '**/ws/customer'],
  ])('a message of %s is sent once, although it is submitted twice', async (path, place, url) => {
    const watched = await visit(path)
    const { page } = watched
    const release = Promise.withResolvers<void>()
    let requests = 0
    await page.route(url, async (route) => {
      requests++
      await release.promise
      await route.continue()
    })
    const part = page.locator(place)
    if (path.startsWith('/docs')) await part.locator('summary', { hasText: 'Try it' }).click()
    const send = part.getByRole('button', { name: 'Send' })
    await send.dblclick({ noWaitAfter: true })
    expect(await send.isDisabled()).toBe(true)
    release.resolve()
    await part.locator('[data-message="response"]').waitFor()
    expect(requests).toBe(1)
    expect(await send.isEnabled()).toBe(true)
    expectClean(watched)
    await watched.context.close()
  })

  test('a text keeps its lines when something else is changed', async () => {
    const json = { name: 'Lines', description: 'one\n\ntwo' }
    const { headers } = await service.check({ as: 'ada', method: 'POST', path: '/departments', json }, { status: 201 })
    const path = headers['location'] ?? ''
    const watched = await visit(path)
    const { page } = watched
    await page.locator('summary', { hasText: 'Change' }).click()
    await page.getByLabel('name *').fill('Lines of text')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.locator('main', { hasText: 'Lines of text' }).waitFor()
    const body = { name: 'Lines of text', description: json.description }
    await service.check({ as: 'ada', path }, { status: 200, body })
    expectClean(watched)
    await watched.context.close()
  })

  test('the same call is copied, and works in a shell', async () => {
    const watched = await visit('/employees/1')
    const { page, context } = watched
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const line = String(await page.evaluate('navigator.clipboard.readText()'))
    const { stdout } = await promisify(execFile)('bash', ['-c', line])
    expect(stdout).toMatch(/^HTTP\/1\.1 200 .*content-type: application\/hal\+json.*"_links"/is)
    expectClean(watched)
    await context.close()
  })

  test('who is logged in finds out who that is', async () => {
    const watched = await visit('/employees')
    await watched.page.locator('.user a', { hasText: /^ada$/ }).click()
    expect(new URL(watched.page.url()).pathname).toBe('/users/1')
    await watched.context.close()
  })

  test('markup in data is text', async () => {
    const path = await create(`<script>alert('1')</script><img src=x onerror=alert(2)>`)
    const watched = await visit(path)
    expect(await watched.page.locator('main').textContent()).toContain(`<script>alert('1')</script>`)
    expect(await watched.page.locator('main script, main img').count()).toBe(0)
    expectClean(watched)
    await watched.context.close()
  })

  test('the second of two tabs that save is told that there is a newer state', async () => {
    const path = await create('Tabs')
    const [first, second] = [await visit(path), await visit(path)]
    for (const { page } of [first, second]) await page.locator('summary', { hasText: 'Change' }).click()
    await first.page.getByLabel('city').fill('Rome')
    await first.page.getByRole('button', { name: 'Change' }).click()
    await first.page.locator('td', { hasText: 'Rome' }).waitFor()
    await second.page.getByLabel('city').fill('Oslo')
    await second.page.getByRole('button', { name: 'Change' }).click()
    const told = second.page.locator('output')
    await told.filter({ hasText: '412' }).waitFor()
    await told.getByRole('link').click()
    await second.page.locator('td', { hasText: 'Rome' }).waitFor()
    for (const watched of [first, second]) {
      expectClean(watched)
      await watched.context.close()
    }
  })

  test('a form creates an employee, says what is wrong with one, and deletes', async () => {
    const watched = await visit('/employees')
    const { page } = watched
    await page.locator('summary', { hasText: 'Create' }).click()
    await page.getByLabel('name *').fill('Form Maker')
    await page.getByLabel('department *').fill('Sales')
    await page.getByLabel('salary *').fill('10')
    await page.getByRole('spinbutton', { name: 'managerId' }).fill('99999')
    const button = page.getByRole('button', { name: 'Create' })
    await button.click()
    await page.locator('output', { hasText: '422' }).waitFor()
    await page.getByRole('spinbutton', { name: 'managerId' }).fill('1')
    await button.click()
    await page.locator('h1', { hasText: /^Employee \d+$/ }).waitFor()
    expect(await page.locator('main').textContent()).toContain('Form Maker')
    page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept())
    const path = new URL(page.url()).pathname
    await page.locator('summary', { hasText: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.locator('h1', { hasText: 'Employees' }).waitFor()
    await service.check({ as: 'ada', path }, { status: 404 })
    expectClean(watched)
    await watched.context.close()
  })

  test('who is not logged in reads how to, and scripts open no dialog for a password', async () => {
    const watched = await visit('/employees', { user: undefined })
    expect(await watched.page.locator('h1').textContent()).toContain('401')
    expect(await watched.page.locator('main').textContent()).toContain('ada-demo')
    const challenge = await watched.page.evaluate('fetch("/employees").then((a) => a.headers.get("www-authenticate"))')
    expect(challenge).toBe('Bearer realm="svc"')
    await watched.context.close()
  })

  test.each([
    ['/employees/999999', 404, 'ada'],
    ['/employees?page=-1', 400, 'ada'],
    ['/employees', 403, 'sam'],
    ['/nowhere', 404, 'ada'],
  ])('%s is a page with the status %i and its correlation id', async (path, status, user) => {
    const watched = await visit(path, { user })
    expect(await watched.page.locator('h1').textContent()).toContain(String(status))
    const id = watched.page.locator('a[href^="/_demo/requests?id="]')
    await id.click()
    expect(await watched.page.locator('.request').count()).toBe(1)
    expectClean(watched)
    await watched.context.close()
  })

  test.each([
    ['429', /^429/, /requested with the header X-Demo-Fault/],
    ['500', /^500/, /correlation/i],
    ['503', /^503/, /requested with the header X-Demo-Fault/],
    ['store-down', /^503/, /correlation/i],
  ])('a failure of the kind %s is a page, and shows nothing of the inside', async (fault, heading, says) => {
    const watched = await visit('/health')
    const { page } = watched
    await page.setExtraHTTPHeaders({ 'x-demo-fault': fault })
    await page.goto(`${service.url}/employees/1`)
    expect(await page.locator('h1').textContent()).toMatch(heading)
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toMatch(says)
    expect(text).not.toMatch(/on purpose|ECONNREFUSED|10\.0\.0\.7|\.ts:/)
    await page.setExtraHTTPHeaders({})
    await page.locator('a[href^="/_demo/requests?id="]').click()
    expect(await page.locator('.request').count()).toBe(1)
    expectClean(watched)
    await watched.context.close()
  })

  test('every collection and its first item are pages with a way back and a way on', async () => {
    const { text } = await service.check(
      { as: 'ada', path: '/', headers: { accept: 'application/hal+json' } },
      { status: 200 },
    )
    const links = Object.entries(JSON.parse(text)._links as Record<string, { href: string }>)
    const collections = links.flatMap(([, { href }]) => (/^\/[a-z-]+\{\?/.test(href) ? href.replace(/\{.*/, '') : []))
    expect(collections.length).toBeGreaterThan(10)
    const watched = await visit('/employees')
    const { page } = watched
    for (const path of collections) {
      await page.goto(service.url + path)
      expect(await page.locator('.crumbs a').first().getAttribute('href'), path).toBe('/')
      const first = page.locator('tbody td a').first()
      if ((await first.count()) === 0) continue
      await first.click()
      expect(await page.locator('.crumbs a').nth(1).getAttribute('href'), path).toBe(path)
      expect(await page.locator('.links a', { hasText: 'self' }).count(), path).toBe(1)
      expect(await page.locator('tbody tr').count(), path).toBeGreaterThan(1)
    }
    expectClean(watched)
    await watched.context.close()
  })

  test('pages speak the language of the visitor', async () => {
    const watched = await visit('/employees', { language: 'de-CH' })
    expect(await watched.page.locator('html').getAttribute('lang')).toBe('de')
    expect(await watched.page.locator('.pager').textContent()).toContain('Seite 1 von 7')
    expect(await watched.page.locator('td.number').first().textContent()).toMatch(/^\d\.\d{3}$/)
    for (const [path, heading] of [
      ['/', 'Sieben kleine Pakete, ein vollständiger Dienst'],
      ['/play', 'Playgrounds'],
      ['/play/cache', 'Caching'],
      ['/docs', 'API-Referenz'],
    ] as const) {
      await watched.page.goto(service.url + path)
      expect(await watched.page.locator('h1').textContent()).toBe(heading)
    }
    await watched.context.close()
  })

  test('a change that another site sends with the password of the browser is refused', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const call = { as: 'ada', method: 'DELETE', path: '/employees/5', headers }
    await service.check(call, { status: 403, body: { code: 'CROSS_SITE' } })
    await service.check({ as: 'ada', path: '/employees/5', headers }, { status: 200 })
  })
})
