import { describe, expect, test } from 'vitest'
import { basic } from '../service.ts'
import { expectClean, findChromium } from './browser.ts'
import { inChromium } from './in-chromium.ts'

const binary = findChromium()

describe.skipIf(!binary)('forms in Chromium (needs Chromium)', () => {
  const { service, visit } = inChromium(binary)

  test('lead from an order through its payment to the invoice as PDF', async () => {
    const watched = await visit('/orders')
    const { page } = watched
    await page.locator('summary', { hasText: 'Create' }).click()
    await page.getByLabel('customerId *').fill('1')
    const items = page.getByLabel('items *')
    await items.fill((await items.getAttribute('placeholder')) ?? '')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('h1', { hasText: /^Order \d+$/ }).waitFor()
    const order = new URL(page.url()).pathname
    expect(await page.locator('.links a').allTextContents()).toEqual(
      expect.arrayContaining(['update PUT PATCH', 'delete DELETE', 'cancel GET POST', 'payment GET POST']),
    )
    await page.getByRole('link', { name: 'payment' }).click()
    await page.getByLabel('method *').selectOption('WALLET')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('td', { hasText: 'PAID' }).waitFor()
    expect(await page.locator('form[data-method="POST"]').count()).toBe(0)
    await page.getByRole('link', { name: 'order GET' }).click()
    await page.getByRole('link', { name: 'invoice' }).click()
    expect(new URL(page.url()).pathname).toBe(`${order}/invoice`)
    const pdf = page.waitForResponse((answer) => answer.headers()['content-type'] === 'application/pdf')
    await page.getByRole('button', { name: 'application/pdf' }).click()
    expect((await pdf).status()).toBe(200)
    expectClean(watched)
    await watched.context.close()
  })

  test('of version 2 take what version 2 gives, money and all', async () => {
    const watched = await visit('/v2/employees/7')
    const { page } = watched
    await page.getByRole('link', { name: 'update' }).click()
    expect(await page.getByLabel('salary *').inputValue()).toMatch(/^\{"amount":"[\d.]+","currency":"EUR"\}$/)
    await page.getByLabel('salary *').fill('{"amount":"1234.50","currency":"EUR"}')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.locator('data[value="1234.50 EUR"]', { hasText: '€1,234.50' }).waitFor()
    await service.check({ as: 'ada', path: '/v1/employees/7' }, { body: { salary: 1234.5 } })
    expectClean(watched)
    await watched.context.close()
  })

  test('patch what can only be patched, and tell yes from no', async () => {
    const watched = await visit('/orders/3/items/5')
    const { page } = watched
    await page.getByRole('link', { name: 'update PATCH' }).click()
    await page.getByLabel('quantity').fill('9')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.locator('td', { hasText: '€891.00' }).waitFor()
    await page.goto(`${service.url}/login?to=/products/2`)
    await page.getByRole('link', { name: 'update' }).click()
    await page.getByLabel('discontinued').selectOption('true')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.locator('td', { hasText: 'DISCONTINUED' }).waitFor()
    expectClean(watched)
    await watched.context.close()
  })

  test('offer several values where there may be several', async () => {
    const watched = await visit('/users')
    const { page } = watched
    await page.locator('summary', { hasText: 'Create' }).click()
    await page.getByLabel('username *').fill('form.user')
    await page.getByLabel('email *').fill('form@example.com')
    const password = page.getByLabel('password')
    expect(await password.getAttribute('type')).toBe('password')
    await password.fill('long enough to pass')
    await page.getByLabel('roles').selectOption(['staff', 'reader'])
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('td', { hasText: 'staff, reader' }).waitFor()
    await page.getByRole('link', { name: 'update' }).click()
    await page.getByLabel('roles').selectOption(['reader'])
    await page.getByRole('button', { name: 'Change' }).click()
    await page.locator('td', { hasText: /^reader$/ }).waitFor()
    expectClean(watched)
    await watched.context.close()
  })

  test('fill the cart of a customer', async () => {
    const watched = await visit('/cart', { user: 'carl' })
    const { page } = watched
    await page.locator('summary', { hasText: 'Change' }).click()
    await page.getByLabel('items *').fill('[{"productId":1,"quantity":2}]')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.locator('td', { hasText: '€1,998.00' }).first().waitFor()
    expectClean(watched)
    await watched.context.close()
  })

  test('that got no answer are sent again with the same key, and it happens once', async () => {
    const watched = await visit('/departments')
    const { page } = watched
    const keys: (string | undefined)[] = []
    await page.route('**/departments', async (route) => {
      const headers = await route.request().allHeaders()
      keys.push(headers['idempotency-key'])
      const response = await route.fetch({ headers: { ...headers, authorization: basic('ada') } })
      return keys.length === 1 ? route.abort() : route.fulfill({ response })
    })
    await page.locator('summary', { hasText: 'Create' }).click()
    await page.getByLabel('name *').fill('Twice')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('output', { hasText: 'It is safe to send it again' }).waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('h1', { hasText: /^Department \d+$/ }).waitFor()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    await service.check({ as: 'ada', path: '/departments?name=Twice' }, { body: { page: { totalElements: 1 } } })
    await watched.context.close()
  })
})
