import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Html, html } from './html.ts'

test('escapes text and attributes, keeps markup, joins lists, drops nothing-values', () => {
  const name = `<script>alert("1")</script> & 'x'`
  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;'
  expect(String(html`<p title="${name}">${name}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`)
  expect(String(html`<ul>${['a', '<b>'].map((entry) => html`<li>${entry}</li>`)}</ul>`)).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
  expect(String(html`${null}${undefined}${false}${true}${0}${9007199254740993n}`)).toBe('09007199254740993')
})

test('lets no value of any kind break out of a text or an attribute', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const inside = String(html`<p title="${value}">${value}</p>`).slice('<p title="'.length, -'</p>'.length)
      expect(inside.replace('">', '')).not.toMatch(/[<>"']/)
    }),
  )
  expect(String(new Html('<b>'))).toBe('<b>')
})
