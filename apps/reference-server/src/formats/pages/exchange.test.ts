import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { formatCurl, formatFetch } from './assets/messages.js'

/** What a shell hands to curl for a line. */
function argumentsOf(line: string): string[] {
  const shell = `curl() { printf '%s\\0' "$@"; }; ${line}`
  return execFileSync('bash', ['-c', shell]).toString().split('\0').slice(0, -1)
}

test.each([
  `it's`,
  `'; touch /tmp/pwned; '`,
  '$(id)',
  '`id`',
  '"double" \\ back',
  '!history *glob* ~ # % & | < >',
  'two\nlines',
  'Zoë 日本 جيد',
  '__proto__',
  '',
])('a shell reads %o as it was, wherever it stands', (text) => {
  const url = `http://localhost/?q=${text}`
  const line = formatCurl({ method: 'PATCH', url, user: text, fields: { 'X-Text': text }, body: text })
  const expected = ['-si', '-X', 'PATCH', '-u', text, '-H', `X-Text: ${text}`, '--data-binary', text, url]
  expect(argumentsOf(line)).toEqual(expected)
})

test('a program sends what a line for a shell sends', async () => {
  const source = formatFetch({
    method: 'PATCH',
    url: 'http://x/"',
    user: 'a\'"\\',
    fields: { 'X-Text': '`${1}`' },
    body: "'\n",
  })
  const calls: unknown[] = []
  const run = new Function('fetch', 'console', `return (async () => {${source}})()`)
  await run((...call: unknown[]) => Promise.resolve({ status: 200, text: () => calls.push(call) }), { log() {} })
  const headers = { Authorization: `Basic ${btoa('a\'"\\')}`, 'X-Text': '`${1}`' }
  expect(calls).toEqual([['http://x/"', { method: 'PATCH', headers, body: "'\n" }]])
})

test('what needs no arguments has none', () => {
  expect(formatCurl({ url: 'http://localhost/', fields: {} })).toBe(`curl -si 'http://localhost/'`)
  expect(formatCurl({ url: 'http://localhost/?a[gte]=1', fields: {} })).toMatch(/^curl -gsi '/)
  expect(formatCurl({ method: 'HEAD', url: 'http://localhost/', fields: {} })).toBe(`curl -si -I 'http://localhost/'`)
})
