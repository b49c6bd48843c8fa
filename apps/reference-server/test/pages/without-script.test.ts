import { expect, test } from 'vitest'
import { serviceFor } from '../service.ts'

const service = serviceFor()
const page = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const { text } = await service.check(
    { as: 'ada', path, headers: { accept: 'text/html', ...headers } },
    { status: 200 },
  )
  return text
}

test('a form that is not for GET sends nothing without a script', async () => {
  const forms = (await page('/employees/1')).match(/<form[^>]*data-method="[^>]*>/g) ?? []
  expect(forms.length).toBeGreaterThan(0)
  for (const form of forms) expect(form).toContain('method="dialog"')
})

test('each page has a description in its language', async () => {
  expect(await page('/employees/1', { 'accept-language': 'de' })).toMatch(
    /<meta name="description" content="[^"]+: eine Seite des Svc-Referenzservers/,
  )
})

test('the same call with curl asks for the JSON that the page shows', async () => {
  expect(await page('/employees/1')).toMatch(/<pre id="curl-line"[^>]*>[^<]*Accept: application\/hal\+json/)
})

test('a browser for terminals, which takes HTML and plain text alike, gets HTML', async () => {
  const headers = { accept: 'text/html, text/plain, text/sgml, */*;q=0.01' }
  const { headers: sent } = await service.check({ as: 'ada', path: '/employees', headers }, { status: 200 })
  expect(sent['content-type']).toBe('text/html; charset=utf-8')
})

test('weights that are not mentioned are not sent as rejected', async () => {
  const text = await page('/play/negotiation')
  expect(text).toMatch(/name="encoding:identity" min="-0.1" [^>]* value="-0.1" aria-valuetext="not mentioned"/)
  expect(text).toMatch(/name="encoding:gzip" min="-0.1" [^>]* value="1"/)
  const sliders = [...text.matchAll(/<input type="range" name="([^"]+)" [^>]*value="([^"]+)"/g)]
  const query = new URLSearchParams(sliders.map(([, name = '', value = '']): [string, string] => [name, value]))
  const sent = await page(`/play/negotiation?${query}`)
  expect(sent).toMatch(/name="accept-encoding" value="br, deflate, gzip, zstd"/)
  expect(sent).not.toContain(';q=0<')
})

test.each([
  ['/orders/1', 'ada', 'customerId', '/customers/1'],
  ['/orders/3', 'ada', 'productId', '/products/51'],
  ['/products/1', 'ada', 'categoryId', '/categories/1'],
  ['/employees', 'eve', 'managerId', '/employees/'],
])('shows the id of another resource on %s as a link for %s', async (path, as, field, href) => {
  const { text } = await service.check({ as, path, headers: { accept: 'text/html' } }, { status: 200 })
  expect(text, field).toContain(`<a href="${href}`)
})

test.each(['/ws/customer', '/ws/PriceService'])(
  '%s leads to a form that sends messages from the server',
  async (path) => {
    const [, notice = ''] = /<noscript>(.*?)<\/noscript>/s.exec(await page(path)) ?? []
    const [, href = ''] = /<a href="([^"]+)"/.exec(notice) ?? []
    const form = await page(href)
    expect(form).toMatch(/<form[^>]* method="get" action="\/play\/soap">/)
    expect(
      await page(`${href}?operation=GetQuote&hasContext=on&item=Laptop&category=Electronics&quantity=2`),
    ).toContain('Total.value')
  },
)
