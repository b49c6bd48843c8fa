import { createMarkdownRenderer } from 'vitepress'
import { beforeAll, describe, expect, test } from 'vitest'
import { addCodeHeights, addFileNames, addRowHeaders } from './markdown-rules.ts'

let render: (markdown: string) => string
beforeAll(async () => {
  const renderer = await createMarkdownRenderer('.', {
    config(rules) {
      addRowHeaders(rules)
      addCodeHeights(rules)
      addFileNames(rules)
    },
  })
  render = (markdown) => renderer.render(markdown).replace(/ tabindex="0"|\n/g, '')
})

describe('addRowHeaders()', () => {
  test('names the rows of a table with an empty first header', () => {
    const html = render('| | a |\n|---|--:|\n| speed | 1 |\n| size | 2 |\n')
    expect(html).toBe(
      '<table><thead><tr><td></td><th style="text-align:right">a</th></tr></thead><tbody>' +
        '<tr><th scope="row">speed</th><td style="text-align:right">1</td></tr>' +
        '<tr><th scope="row">size</th><td style="text-align:right">2</td></tr></tbody></table>',
    )
  })

  test('removes a head in which nothing is', () => {
    const html = render('| | |\n|---|---|\n| Node.js | 22 |\n')
    expect(html).toBe('<table><tbody><tr><th scope="row">Node.js</th><td>22</td></tr></tbody></table>')
  })

  test('changes no other table, before or after', () => {
    const named = '| name | a |\n|---|---|\n| speed | 1 |\n'
    const [before = '', after = ''] = render(`${named}\n| | |\n|---|---|\n| b | 2 |\n\n${named}`).split(
      '<table><tbody><tr><th scope="row">b</th><td>2</td></tr></tbody></table>',
    )
    expect(before).toContain('<th>name</th><th>a</th>')
    expect(before).not.toContain('scope')
    expect(after).toBe(before)
  })
})

test('addCodeHeights() counts the lines of each block', () => {
  const html = render('```ts\nconst a = 1\n\nconst b = 2\n```\n\n```sh\nnpm test\n```\n')
  expect(html.match(/<div [^>]*class="language-\w+/g)).toEqual([
    '<div style="--lines:3" class="language-ts',
    '<div style="--lines:1" class="language-sh',
  ])
})

test('addFileNames() shows the file of a block, and the language of others', () => {
  const html = render('```ts src/app.ts\nrun()\n```\n\n```js fragment\nrun()\n```\n\n```xml greeter.wsdl\n<a/>\n```\n')
  expect(html.match(/(?<=<span class="lang">)[^<]*/g)).toEqual(['src/app.ts', 'js', 'greeter.wsdl'])
})
