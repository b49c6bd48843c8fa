import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { BASE, SITE, SOURCES } from '../site.ts'

type Item = DefaultTheme.SidebarItem

const site = join(import.meta.dirname, '../.site')
const REPOSITORY = SOURCES.replace('/tree/main', '')

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
function packageItems(): Item[] {
  return itemsOf('packages').map((item) => {
    const folder = item.link.slice(1)
    if (!existsSync(join(site, folder))) return item
    const items = itemsOf(folder).map(({ text, link }) => ({ text: text.replace(/ of @svc\/\S+$/, ''), link }))
    return { ...item, collapsed: true, items }
  })
}

// A page for each import of each package; the package itself comes first.
function apiItems(): Item[] {
  const packages = readdirSync(join(site, 'api'), { withFileTypes: true }).filter((each) => each.isDirectory())
  return packages.map(({ name }) => {
    const items = itemsOf(`api/${name}`).map(({ text, link }) => ({ text: text.replace(/^@svc\/[^/]+\//, ''), link }))
    return { text: name, link: `/api/${name}/`, collapsed: true, items }
  })
}

function groupOf(folder: string, text: string, first?: string[]): Item {
  return { text, link: `/${folder}/`, collapsed: true, items: itemsOf(folder, first) }
}

const learning: Item[] = [
  { text: 'Tutorial', link: '/tutorial' },
  { text: 'Guides', items: itemsOf('guides', ['start.md', 'order.md', 'testing.md']) },
  groupOf('recipes', 'Recipes'),
  groupOf('migrate', 'Coming from another library'),
]
const reference: Item[] = [
  { text: 'Packages', link: '/packages/', items: packageItems() },
  { text: 'API', link: '/api/', items: apiItems() },
  groupOf('codes', 'Error codes'),
]
const project: Item[] = [
  {
    text: 'Support policy',
    items: [
      { text: 'Versions', link: '/semver' },
      { text: 'Support', link: '/support' },
      { text: 'Security', link: '/security' },
    ],
  },
  {
    text: 'How it is built',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Specification', link: '/specification' },
    ],
  },
  groupOf('decisions', 'Decisions'),
]

export default defineConfig({
  title: 'Svc',
  description: 'Seven small npm packages that get the hard parts of HTTP and SOAP right',
  base: BASE,
  srcDir: '.site',
  // The default light theme has too little contrast for keywords on gray.
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark' } },
  sitemap: { hostname: SITE },
  head: [
    ['link', { rel: 'icon', href: `${BASE}mark.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#1f5fbf' }],
  ],
  // The search index contains every page. It is loaded when a reader opens the search.
  vite: { build: { chunkSizeWarningLimit: 3000 } },
  transformPageData(page) {
    if (page.description) return undefined
    const text = readFileSync(join(site, page.relativePath), 'utf8')
    return { description: descriptionOf(text) }
  },
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boost: { title: 6, titles: 2 } } } } },
    outline: [2, 3],
    externalLinkIcon: false,
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'Source on GitHub' }],
    nav: [
      { text: 'Tutorial', link: '/tutorial', activeMatch: '^/tutorial' },
      { text: 'Guides', link: '/guides/start', activeMatch: '^/(guides|recipes|migrate)/' },
      { text: 'Packages', link: '/packages/', activeMatch: '^/packages/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Error codes', link: '/codes/', activeMatch: '^/codes/' },
      { text: 'Support', link: '/support', activeMatch: '^/(support|semver|security)' },
    ],
    sidebar: [...learning, ...reference, ...project],
  },
})

// The first paragraph as plain text, for search engines.
function descriptionOf(markdown: string): string | undefined {
  const paragraph = markdown.split(/\n\n+/).find((part) => /^[A-Z*`]/.test(part) && !part.startsWith('```'))
  const text = paragraph?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '').replace(/\s+/g, ' ')
  return text?.slice(0, 160)
}
