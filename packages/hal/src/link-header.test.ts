import { formatLinkHeader, type LinkHeaderEntry, parseLinkHeader } from '@svc/hal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureCpuMs } from '../../internal/testing/cpu-time.ts'

describe('formatLinkHeader() (RFC 8288 §3)', () => {
  test.each<[LinkHeaderEntry[], string]>([
    [[], ''],
    [[{ href: 'https://api/e?page=2', rel: 'next' }], '<https://api/e?page=2>; rel="next"'],
    [[{ href: '/o/1/x', rel: 'https://api/rels/cancel' }], '</o/1/x>; rel="https://api/rels/cancel"'],
    [[{ href: '/a', rel: ['prev', 'first'] }], '</a>; rel="prev first"'],
    [[{ href: '/a', rel: 'next', title: 'Größe' }], `</a>; rel="next"; title*=UTF-8''Gr%C3%B6%C3%9Fe`],
    [[{ href: '/a', rel: 'next', title: 'x"y\\' }], '</a>; rel="next"; title="x\\"y\\\\"'],
    [[{ href: '/a', rel: 'x', anchor: '#f', type: 'text/html' }], '</a>; rel="x"; anchor="#f"; type="text/html"'],
    [[{ href: '/a>, <b', rel: 'next' }], '</a%3E,%20%3Cb>; rel="next"'],
    [[{ href: '/a\r\nSet-Cookie: x', rel: 'next' }], '</a%0D%0ASet-Cookie:%20x>; rel="next"'],
    [[{ href: '/a', rel: 'next', title: 'a\r\nb' }], `</a>; rel="next"; title*=UTF-8''a%0D%0Ab`],
  ])('%j', (links, expected) => {
    expect(formatLinkHeader(links)).toBe(expected)
  })

  test.each<[LinkHeaderEntry, string]>([
    [{ href: '/a', rel: '' }, 'rel of a Link header must be a name or an absolute URI, got ""'],
    [{ href: '/a', rel: [] }, 'rel of a Link header must not be empty'],
    [{ href: '/a', rel: 'a"b' }, 'must be a name'],
    [{ href: '/a', rel: 'not a name' }, 'must be a name'],
    [{ href: '/a', rel: 'x', type: 'é' }, 'type of a Link header must be ASCII'],
  ])('rejects %j', (link, message) => {
    expect(() => formatLinkHeader([link])).toThrow(message)
  })
})

describe('parseLinkHeader() (RFC 8288 appendix B.2)', () => {
  const read = (field: string, base?: string) =>
    parseLinkHeader(field, base === undefined ? {} : { base }).map(({ others, ...link }) =>
      others.size > 0 ? { ...link, others: [...others] } : link,
    )

  test.each<[string, object[]]>([
    ['', []],
    [
      '<a>; rel=next, <b>; rel="prev first"',
      [
        { href: 'a', rels: ['next'] },
        { href: 'b', rels: ['prev', 'first'] },
      ],
    ],
    ['<a,b;c>; rel=next; rel=prev; title="x\\"y"', [{ href: 'a,b;c', rels: ['next'], title: 'x"y' }]],
    ['</t>; rel=copyright; anchor="#f"', [{ href: '/t', rels: ['copyright'], anchor: '#f' }]],
    [`<a>; rel=x; title=T; title*=UTF-8'de'Gr%C3%B6%C3%9Fe`, [{ href: 'a', rels: ['x'], title: 'Größe' }]],
    [`<a>; rel=x; title=T; title*=UTF-8''%FF`, [{ href: 'a', rels: ['x'], title: 'T' }]],
    [`<a>; rel=x; title*=KOI8-R''%C3%B6`, [{ href: 'a', rels: ['x'] }]],
    ['<a>; rel=x; title*=UTF-8', [{ href: 'a', rels: ['x'] }]],
    ['<a>; REL=NEXT', [{ href: 'a', rels: ['next'] }]],
    ['<a>; rel="https://x/Y next"', [{ href: 'a', rels: ['https://x/Y', 'next'] }]],
    ['<a>;rel = next ;type=a/b;media=print', [{ href: 'a', rels: ['next'], type: 'a/b', media: 'print' }]],
    ['<a>; rel=x; hreflang=de; hreflang=en', [{ href: 'a', rels: ['x'], hreflang: ['de', 'en'] }]],
    [
      '<a>; rel=x; __proto__=p; flag',
      [
        {
          href: 'a',
          rels: ['x'],
          others: [
            ['__proto__', 'p'],
            ['flag', ''],
          ],
        },
      ],
    ],
    ['<a>', []],
    ['<a>; rel=""', []],
    ['<a', []],
    [', ,\t<a>; rel=x,, ', [{ href: 'a', rels: ['x'] }]],
    ['garbage, <a>; rel=x', [{ href: 'a', rels: ['x'] }]],
    ['"<b>; rel=y, " , <a>; rel=x', [{ href: 'a', rels: ['x'] }]],
    ['<a>; title="never closed, <b>; rel=x', []],
    ['< /a >; rel=x', [{ href: '/a', rels: ['x'] }]],
  ])('%s', (field, expected) => {
    expect(read(field)).toEqual(expected)
  })

  test.each([
    ['</b>; rel=x', '/b', 'https://api/b'],
    ['<?page=2>; rel=x', '?page=2', 'https://api/v1/e?page=2'],
    ['<https://other/>; rel=x', 'https://other/', 'https://other/'],
    ['<http://[>; rel=x', 'http://[', 'http://['],
  ])('resolves %s against the URL of the request', (field, raw, resolved) => {
    expect(read(field)[0]).toMatchObject({ href: raw })
    expect(read(field, 'https://api/v1/e?page=1')[0]).toMatchObject({ href: resolved })
  })

  test('parses what it formatted', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((value) => value.toWellFormed())
    const link = fc.record({ path: text, rel: fc.constantFrom('next', 'prev', 'https://x/y'), title: text })
    fc.assert(
      fc.property(fc.array(link, { maxLength: 5 }), (links) => {
        const hrefs = links.map(({ path }) => `/${encodeURIComponent(path)}`)
        const field = formatLinkHeader(links.map(({ rel, title }, at) => ({ href: hrefs[at] ?? '', rel, title })))
        const expected = links.map(({ rel, title }, at) => ({ href: hrefs[at], rels: [rel], title }))
        expect(read(field)).toEqual(expected)
      }),
    )
  })

  test('parses any input in one pass without a throw', async () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>;,="\\ \tar') }), (field) => {
        for (const { rels } of parseLinkHeader(field)) expect(rels).not.toEqual([])
      }),
    )
    for (const unit of ['<', '<,', '<a>;', '<a>,', '"', ';', ',', '<a>;rel="', 'x;', '\\"']) {
      const cpuMs = await measureCpuMs(() =>
        parseLinkHeader(unit.repeat(100_000), { maxLinks: Number.POSITIVE_INFINITY }),
      )
      expect(cpuMs, unit).toBeLessThan(2000)
    }
  })

  test('stops after the limit', () => {
    expect(parseLinkHeader('<a>;rel=x,'.repeat(500))).toHaveLength(100)
    expect(parseLinkHeader('<a>;rel=x,'.repeat(500), { maxLinks: 2 })).toHaveLength(2)
  })
})
