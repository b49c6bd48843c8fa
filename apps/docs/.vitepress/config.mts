import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const site = join(import.meta.dirname, '../.site')

// The pages of a folder, by their titles; `index` is the folder itself.
function itemsOf(folder: string, first: string[] = []): { text: string; link: string }[] {
  const pages = readdirSync(join(site, folder)).filter((file) => file.endsWith('.md'))
  const others = pages.filter((file) => file !== 'index.md' && !first.includes(file))
  return [...first, ...others].map((file) => {
    const title = /^# (.*)$/m.exec(readFileSync(join(site, folder, file), 'utf8'))?.[1] ?? file
    return { text: title.replace(/[`*]/g, ''), link: `/${folder}/${file.replace('.md', '')}` }
  })
}

// The README of each package, and below it the pages of its `docs`.
function packageItems(): { text: string; link: string; collapsed?: boolean; items?: { text: string; link: string }[] }[] {
  return itemsOf('packages').map((item) => {
    const folder = item.link.slice(1)
    if (!existsSync(join(site, folder))) return item
    const items = itemsOf(folder).map(({ text, link }) => ({ text: text.replace(/ of @svc\/\S+$/, ''), link }))
    return { ...item, collapsed: true, items }
  })
}

export default defineConfig({
  title: 'Svc',
  description: 'Seven small npm packages that get the hard parts of HTTP and SOAP right',
  srcDir: '.site',
  head: [['link', { rel: 'icon', href: '/mark.svg', type: 'image/svg+xml' }], ['style', {}, readFileSync(join(import.meta.dirname, 'tables.css'), 'utf8')]],
  lastUpdated: false,
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Guides', link: '/guides/start' },
      { text: 'Packages', link: '/packages/' },
      { text: 'Error codes', link: '/codes/' },
      { text: 'Support', link: '/support' },
    ],
    sidebar: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Guides', items: itemsOf('guides', ['start.md', 'order.md', 'testing.md']) },
      { text: 'Packages', items: packageItems() },
      { text: 'Recipes', link: '/recipes/', collapsed: true, items: itemsOf('recipes') },
      { text: 'Migrating from another library', link: '/migrate/', collapsed: true, items: itemsOf('migrate') },
      { text: 'API', link: '/api/', collapsed: true, items: itemsOf('api') },
      { text: 'Error codes', link: '/codes/', collapsed: true, items: itemsOf('codes') },
      {
        text: 'Versions, support, security',
        items: [
          { text: 'Versions', link: '/semver' },
          { text: 'Support', link: '/support' },
          { text: 'Security', link: '/security' },
        ],
      },
      { text: 'How it is built', items: [{ text: 'Architecture', link: '/architecture' }, { text: 'The specification', link: '/specification' }] },
      { text: 'Decisions', link: '/decisions/', collapsed: true, items: itemsOf('decisions') },
    ],
  },
})
