import { describe, expect, test } from 'vitest'
import { serviceFor } from '../service.ts'

describe('files at the root of the site', () => {
  const service = serviceFor()

  test('/favicon.ico is the icon of the pages', async () => {
    const { headers, text } = await service.check({ path: '/favicon.ico' }, { status: 200 })
    expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
    const page = await service.check({ path: '/', headers: { accept: 'text/html' } }, { status: 200 })
    const icon = /<link rel="icon" href="([^"]+)"/.exec(page.text)?.[1] ?? ''
    await service.check({ path: icon }, { status: 200, body: text })
  })

  test('/robots.txt keeps crawlers out of the demo', async () => {
    const { headers, text } = await service.check({ path: '/robots.txt' }, { status: 200 })
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^User-agent: \*\n(?:Disallow: \/\S+\n)+$/)
  })

  test('/llms.txt describes the API with absolute links that answer', async () => {
    const { text } = await service.check({ path: '/llms.txt' }, { status: 200 })
    expect(text).toMatch(/^# Svc reference server\n\n> .+\n/)
    const links = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, href = '']) => href)
    expect(links.length).toBeGreaterThan(15)
    for (const href of links) {
      expect(href.startsWith(`${service.url}/`), href).toBe(true)
      const path = href.slice(service.url.length)
      // Tokens are created by POST; whether GET has a page for them is not this file's concern.
      if (path !== '/tokens') await service.check({ as: 'ada', path }, { status: 200 })
    }
  })

  test.each(['/favicon.ico', '/robots.txt', '/llms.txt'])('%s can only be read', async (path) => {
    const allow = 'GET, HEAD, OPTIONS'
    await service.check({ method: 'OPTIONS', path }, { status: 204, headers: { allow } })
    await service.check({ method: 'POST', path, json: {} }, { status: 405, headers: { allow } })
  })

  test('a tag revalidates them, and HEAD has no body', async () => {
    for (const path of ['/favicon.ico', '/robots.txt', '/llms.txt']) {
      const { headers } = await service.check({ method: 'HEAD', path }, { status: 200, body: '' })
      await service.check({ path, headers: { 'if-none-match': headers['etag'] ?? '' } }, { status: 304 })
    }
  })
})

describe('a service with a public address', () => {
  const service = serviceFor(() => ({ SVC_PUBLIC_URL: 'https://service.example/api', SVC_DEMO: 'off' }))

  test('/llms.txt links to it, and mentions no demo', async () => {
    const { text } = await service.check({ path: '/llms.txt' }, { status: 200 })
    expect(text).toContain('](https://service.example/api/employees)')
    expect(text).not.toMatch(/ada-demo|\/play/)
  })
})
