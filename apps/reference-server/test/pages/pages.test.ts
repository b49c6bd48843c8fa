import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, type Service, send, startService } from '../service.ts'
import { everyPath } from './every-path.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const page = { accept: BROWSER }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.running.stop())

describe('pages', () => {
  // The largest kinds of pages: a document of 250 kB, a tag with all its operations, the map of the
  // specification.
  test.each(everyPath)('%s is a page of 40 KiB at most, compressed', async (path) => {
    const headers = { ...page, 'accept-encoding': 'gzip' }
    const { body, headers: sent } = await service.check({ as: 'ada', path, headers }, {})
    expect(sent['content-type']).toBe('text/html; charset=utf-8')
    expect(body.length).toBeLessThan(40 * 1024)
    const text = String(sent['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    expect(text.length).toBeGreaterThan(1000)
    expect(text.trimEnd()).toMatch(/<\/html>$/)
  })

  test('browsers get a page, and whatever accepts everything gets JSON', async () => {
    const type = /^text\/html; charset=utf-8$/
    await service.check({ as: 'ada', path: '/employees/1', headers: page }, { headers: { 'content-type': type } })
    await service.check({ as: 'ada', path: '/employees/1' }, { headers: { 'content-type': /^application\/json/ } })
  })

  test('a page is for the one who asked: no entity tag, no shared caching, a policy without exceptions', async () => {
    const { headers } = await service.check(
      { path: '/products/1', headers: page },
      {
        status: 200,
        headers: { etag: undefined, 'last-modified': undefined, 'cache-control': 'private, no-cache' },
      },
    )
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['vary']).toMatch(/Accept\b.*Accept-Language/)
    await service.check({ path: '/products/1', headers: { ...page, 'if-none-match': '"x"' } }, { status: 200 })
  })

  test('a page links to what its user can open', async () => {
    const home = async (as?: string): Promise<string> =>
      (await service.check({ path: '/', headers: page, ...(as !== undefined && { as }) }, { status: 200 })).text
    const listed = (text: string): string[] =>
      [...text.matchAll(/<li><a href="(\/[a-z-]+)">/g)].map(([, path = '']) => path)
    expect(await home('sam')).not.toContain('href="/users/me"')
    expect(await home('carl')).toContain('href="/users/me"')
    expect(listed(await home('carl'))).toContain('/orders')
    expect(listed(await home('carl'))).not.toContain('/employees')
    expect(listed(await home())).toContain('/employees')
    const catalog = { path: '/.well-known/api-catalog', headers: page }
    expect((await service.check(catalog, { status: 200 })).text).not.toContain('href="/.well-known"')
  })

  test('sorting and filtering keep the rest of a query', async () => {
    const query = 'cursor=&size=5&fields=name,city&city=Graz&city=Hamburg&salary[gte]=1&id[in]=1,2'
    const { text } = await service.check({ as: 'ada', path: `/employees?${query}`, headers: page }, { status: 200 })
    const hidden = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]+)"/g)].map(([, ...pair]) => pair.join())
    expect(hidden).toEqual(['size,5', 'fields,name,city', 'city,Hamburg'])
    expect(text).toMatch(/<details open><summary>/)
    expect(text).toContain('<input name="city" value="Graz"')
    expect(text).toContain('<label>salary[gte]<input name="salary[gte]" value="1"')
    expect(text).toContain('<input name="id[in]" value="1,2"')
    expect(/<a href="([^"]+)">name<\/a>/.exec(text)?.[1]).not.toContain('cursor')
    expect(text).not.toContain('Page 1 of')
  })

  test('the path of a page links to what can be read', async () => {
    const crumbs = async (path: string, status: number): Promise<(string | undefined)[]> => {
      const { text } = await service.check({ as: 'ada', path, headers: page }, { status })
      const [list = ''] = /<nav class="crumbs".*?<\/nav>/s.exec(text) ?? []
      return [...list.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
    }
    expect(await crumbs('/orders/3/items', 200)).toEqual(['/', '/orders', '/orders/3'])
    expect(await crumbs('/nowhere/at/all', 404)).toEqual(['/'])
    expect(await crumbs('/.well-known/jwks.json', 200)).toEqual(['/'])
  })

  test('a page repeats the request without its credentials', async () => {
    const call = {
      as: 'ada',
      path: '/employees/1',
      headers: { ...page, cookie: 'session=hidden-value', 'idempotency-key': 'hidden-value' },
    }
    const { text } = await service.check(call, { status: 200 })
    expect(text).toMatch(/>authorization<.*?<dd>Basic \*\*\*<\/dd>/)
    expect(text).toContain('<dt>cookie</dt><dd>***</dd>')
    expect(text).not.toContain('hidden-value')
    expect(text).not.toContain(Buffer.from('ada:ada-demo').toString('base64'))
  })

  test('a page shows its request and its response in groups, each header with what it is for', async () => {
    const call = { as: 'ada', path: '/employees/1', headers: page }
    const { text, headers } = await service.check(call, { status: 200 })
    expect(/>vary<.*?<dd>([^<]+)<\/dd>/.exec(text)?.[1]).toBe(headers['vary'])
    expect(text).toMatch(/data-message="request">.*<span class="method get">GET<\/span> <code>\/employees\/1<\/code>/s)
    expect(text).toMatch(/data-message="response">.*<span class="badge good">200<\/span> <span lang="en">OK<\/span>/s)
    expect(text).toMatch(/>vary<span class="tip">Request headers that change the response/)
    expect(text).toMatch(/Other headers .*<dt>content-security-policy<\/dt>/s)
    expect(text).toContain('<span class="k">&quot;salary&quot;</span>: <span class="n">')
    expect(text).toContain('await fetch(&quot;http://')
  })

  test('an error page shows the same error as JSON', async () => {
    const { text } = await service.check({ as: 'ada', path: '/employees/999999', headers: page }, { status: 404 })
    expect(text).toContain('<span class="badge warn">404</span> <span lang="en">Not Found</span>')
    expect(text).toContain('<span class="k">&quot;code&quot;</span>: <span class="s">&quot;NOT_FOUND&quot;</span>')
  })

  test('a page says what is English, what is new and what a picture adds to its table', async () => {
    const read = async (path: string): Promise<string> =>
      (await service.check({ as: 'ada', path, headers: { ...page, 'accept-language': 'de' } }, {})).text
    expect(await read('/employees/999999')).toMatch(
      /<h1><span [^>]*>404<\/span> <span lang="en">Not Found<\/span><\/h1>/,
    )
    expect(await read('/employees')).toContain('<h1 lang="en">Employees</h1>')
    expect(await read('/products/1/image')).toMatch(/<img class="picture" [^>]*alt="">/)
    expect(await read('/users/4')).toMatch(/type="password" autocomplete="new-password"/)
    expect(await read('/employees')).toContain('<div class="exchange" aria-live="polite">')
    expect(await read('/ws/customer')).toContain('<div class="exchange" aria-live="polite"></div>')
  })

  test.each([
    ['eve', 'eve-demo', 'eve:eve-demo'],
    ['zoe', 'a-password-of-zoe', 'name:password'],
  ])('the calls of %s show no password but a public one', async (username, password, login) => {
    const json = { username, password, email: `${username}@example.com`, roles: ['reader'] }
    if (username === 'zoe') await service.check({ as: 'ada', method: 'POST', path: '/users', json }, { status: 201 })
    const headers = { ...page, authorization: basic(username, password) }
    const { text } = await service.check({ path: '/employees/1', headers }, { status: 200 })
    expect(text).toContain(`data-login="${login}"`)
    expect(text).toMatch(new RegExp(`<pre id="curl-line"[^>]*>curl -si -u ${login} `))
  })

  test('the address of a curl line is the one that the client used, where it is one', async () => {
    const host = (name: string) => send(service.url, { path: '/health', headers: { ...page, host: name } })
    expect((await host('api.localhost:8080')).text).toContain('&#39;http://api.localhost:8080/health&#39;')
    expect((await host('x"><script>')).text).not.toContain('"><script>')
  })

  test.each([
    ['?name=&department=Sales&city=', '?department=Sales'],
    ['?name=', ''],
  ])('fields that were left empty in a form are left out: %s', async (query, better) => {
    const path = `/employees${query}`
    await service.check(
      { as: 'ada', path, headers: page },
      { status: 302, headers: { location: `/employees${better}` } },
    )
    await service.check(
      { as: 'ada', path: `/v2${path}`, headers: page },
      { headers: { location: `/v2/employees${better}` } },
    )
    await service.check({ as: 'ada', path }, { status: 400 })
  })

  test.each([
    ['de', 'de'],
    ['fr-CA, en;q=0.5', 'fr'],
    ['sw', 'en'],
    [undefined, 'en'],
  ])('Accept-Language %s gives a page in %s', async (wanted, given) => {
    const headers = { ...page, ...(wanted && { 'accept-language': wanted }) }
    const { text } = await service.check({ path: '/health', headers }, { headers: { 'content-language': given } })
    expect(text).toContain(`<html lang="${given}">`)
  })

  test('the operations of each version are on a page of their own', async () => {
    for (const [path, link] of [
      ['/docs', '/v1/docs/employees#listEmployees'],
      ['/v2/docs', '/v2/docs/employees#listEmployees'],
    ] as const) {
      const { text } = await service.check({ path, headers: page }, { status: 200 })
      expect(text).toContain(`href="${link}"`)
    }
  })

  test('an operation has its parameters, its body, its responses and an example', async () => {
    const { text } = await service.check({ path: '/docs/employees', headers: page }, { status: 200 })
    const operation = /<article class="operation" id="createEmployee">(.*?)<\/article>/s.exec(text)?.[1] ?? ''
    expect(operation).toContain('<span class="method post">POST</span> <code>/employees</code>')
    expect(operation).toMatch(/<code>Idempotency-Key<\/code>.*header, string/s)
    expect(operation).toMatch(/<code>salary<\/code>.*number, 0 to 10000000.*Gross salary/s)
    expect(operation).toMatch(/<span class="badge good">201<\/span>/)
    expect(operation).toContain('curl -si -X POST -u ada:ada-demo')
    expect(operation).toContain('<span class="k">&quot;_links&quot;</span>')
    const { text: products } = await service.check({ path: '/docs/products', headers: page }, { status: 200 })
    expect(products).toMatch(/<code>price<\/code>[^]{0,200}Price of one piece, including tax/)
    const { text: tokens } = await service.check({ path: '/docs/tokens', headers: page }, { status: 200 })
    expect(tokens).toContain('>grant_type=client_credentials&amp;scope=employees%3Aread+orders%3Aread</textarea>')
    await service.check({ path: '/docs/nothing', headers: page }, { status: 404 })
  })

  test.each(['/v1/docs', '/v2/docs'])('each curl line of %s does what it is an example of', async (path) => {
    const { text } = await service.check({ path, headers: page }, { status: 200 })
    const tags = new Set([...text.matchAll(/href="(\/v\d\/docs\/[\w-]+)"/g)].map(([, href = '']) => href))
    const lines = []
    for (const tag of tags) {
      const { text: listed } = await service.check({ path: tag, headers: page }, { status: 200 })
      for (const [, id, markup = ''] of listed.matchAll(/<pre id="curl-([^"]+)"[^>]*>(.*?)<\/pre>/gs)) {
        const line = markup.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
        lines.push(`${line} -o /dev/null -w '${id} %{http_code}\\n' -H 'Prefer: tx=rollback'`)
      }
    }
    expect(lines.length).toBeGreaterThan(90)
    const { stdout } = await promisify(execFile)('bash', ['-c', lines.join('\n')])
    expect(stdout.match(/\d+$/gm)).toHaveLength(lines.length)
    expect(stdout.match(/.* (?:000|400|415|422)$/gm)).toBeNull()
  })

  test('links say what can be done there, whatever they begin with', async () => {
    const methods = /<a href="([^"]+)">payment <span class="methods">GET POST<\/span>/
    const getHref = async (from: Service, path: string): Promise<string | undefined> => {
      const { text } = await from.check({ as: 'ada', path, headers: page }, { status: 200 })
      return methods.exec(text)?.[1]
    }
    expect(await getHref(service, '/orders/3')).toBe('/orders/3/payment')
    expect(await getHref(service, '/v2/orders/3')).toBe('/v2/orders/3/payment')
    const behindProxy = await startService({ SVC_PUBLIC_URL: 'http://localhost:1/api' })
    expect(await getHref(behindProxy, '/orders/3')).toBe('http://localhost:1/api/orders/3/payment')
    await behindProxy.running.stop()
  })

  test('assets never change under their name', async () => {
    const { text } = await service.check({ path: '/', headers: page }, { status: 200 })
    const paths = [...text.matchAll(/(?:href|src|data-notes)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
    const assets = [...new Set(paths)]
    expect(assets).toHaveLength(6)
    for (const path of assets) {
      const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: /^"/ }
      const { headers: fields } = await service.check({ path }, { status: 200, headers })
      await service.check({ path, headers: { 'if-none-match': fields['etag'] ?? '' } }, { status: 304 })
    }
    await service.check({ path: '/assets/style.00000000.css' }, { status: 404 })
    await service.check({ path: '/assets/../server.ts' }, { status: 404 })
  })

  test('Basic is offered to those who visit, not to the scripts of a page', async () => {
    const challenges = (headers: Record<string, string>) =>
      service
        .check({ path: '/employees', headers }, { status: 401 })
        .then((answer) => answer.headers['www-authenticate'])
    expect(await challenges({})).toContain('Basic')
    expect(await challenges({ ...page, 'sec-fetch-mode': 'navigate' })).toContain('Basic')
    expect(await challenges({ 'sec-fetch-mode': 'cors' })).toBe('Bearer realm="svc"')
  })
})
