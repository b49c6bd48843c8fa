import { expect, test } from 'vitest'
import { llmsFullText, llmsText, packageLlmsFullText, packageLlmsText } from './llms.ts'
import { SITE } from './site.ts'

const manifest = { name: '@svc/hal', version: '1.0.0', description: 'Links.' }

test('links with whole addresses', () => {
  const text = llmsText([{ manifest, short: 'hal', readme: '# Hal\n\n```js\nhal()\n```\n' }])
  expect(text).toContain(`- [@svc/hal](${SITE}packages/hal.html): Links.`)
  expect(text).toContain('### @svc/hal\n\n```js\nhal()\n```')
  expect([...text.matchAll(/\]\(([^)]*)\)/g)].filter(([, link]) => !link?.startsWith('https://'))).toEqual([])
})

test('collects the pages that teach, without lists and decisions', () => {
  const pages = new Map([
    ['tutorial.md', '# Tutorial\n'],
    ['guides/index.md', '# List'],
    ['guides/order.md', '# Order'],
    ['decisions/001-x.md', '# Decision'],
  ])
  const text = llmsFullText(pages)
  expect(text).toContain(`<!-- ${SITE}tutorial.html -->\n\n# Tutorial\n\n<!--`)
  expect(text).toContain('# Order')
  expect(text).not.toMatch(/List|Decision/)
})

test('describes one package for its tarball, with whole addresses', () => {
  const documents = [
    { name: 'README.md', text: '# @svc/hal\n\nLinks.\n' },
    { name: 'docs/from-halson.md', text: '# From halson\n' },
  ]
  const text = packageLlmsText(manifest, documents)
  expect(text).toContain(`- [From halson](${SITE}migrate/from-halson.html): docs/from-halson.md`)
  expect([...text.matchAll(/\]\(([^)]*)\)/g)].filter(([, link]) => !link?.startsWith('https://'))).toEqual([])
  expect(packageLlmsFullText(manifest, documents)).toBe(
    `<!-- ${SITE}packages/hal.html -->\n\n# @svc/hal\n\nLinks.\n\n<!-- ${SITE}migrate/from-halson.html -->\n\n# From halson\n`,
  )
})
