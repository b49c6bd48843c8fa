import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { addCodeHeights, addFileNames, addRowHeaders } from '../markdown-rules.ts'
import { BASE, SITE, SOURCES } from '../site.ts'

type Item = DefaultTheme.SidebarItem

const site = join(import.meta.dirname, '../.site')
const REPOSITORY = SOURCES.replace('/tree/main', '')

// The pages of a folder, by their titles; `index` is the folder itself.
function listItems(folder: string, first: string[] = []): { text: string; link: string }[] {
  const pages = readdirSync(join(site, folder)).filter((file) => file.endsWith('.md'))
  const others = pages.filter((file) => file !== 'index.md' && !first.includes(file))
  return [...first, ...others].map((file) => {
    const title = /^# (.*)$/m.exec(readFileSync(join(site, folder, file), 'utf8'))?.[1] ?? file
    return { text: title.replace(/[`*]/g, ''), link: `/${folder}/${file.replace('.md', '')}` }
  })
}

// The README of each package, and below it the pages of its `docs`.
function listPackages(): Item[] {
  return listItems('packages').map((item) => {
    const folder = item.link.slice(1)
    if (!existsSync(join(site, folder))) return item
    const items = listItems(folder).map(({ text, link }) => ({ text: text.replace(/ of @svc\/\S+$/, ''), link }))
    return { ...item, collapsed: true, items }
  })
}

// A page for each import of each package; the package itself comes first.
function listImports(): Item[] {
  const packages = readdirSync(join(site, 'api'), { withFileTypes: true }).filter((each) => each.isDirectory())
  return packages.map(({ name }) => {
    const items = listItems(`api/${name}`).map(({ text, link }) => ({ text: text.replace(/^@svc\/[^/]+\//, ''), link }))
    return { text: name, link: `/api/${name}/`, collapsed: true, items }
  })
}

// A sidebar for each part of the site: one with all pages would be most of the weight of every
// page.
const learning: Item[] = [
  { text: 'Tutorial', link: '/tutorial' },
  { text: 'Guides', items: listItems('guides', ['start.md', 'order.md', 'testing.md']) },
  { text: 'Recipes', link: '/recipes/', items: listItems('recipes') },
  { text: 'Coming from another library', link: '/migrate/', items: listItems('migrate') },
]
const packages: Item[] = [{ text: 'Packages', link: '/packages/', items: listPackages() }]
const api: Item[] = [{ text: 'API', link: '/api/', items: listImports() }]
const codes: Item[] = [{ text: 'Error codes', link: '/codes/', items: listItems('codes') }]
const changes = listItems('changes').map((item) => ({ ...item, text: item.text.replace('Changes of ', '') }))
const project: Item[] = [
  { text: 'Versions and changes', link: '/changes/', items: changes },
  {
    text: 'Support policy',
    items: [
      { text: 'Version numbers', link: '/semver' },
      { text: 'Support', link: '/support' },
      { text: 'Security', link: '/security' },
    ],
  },
  {
    text: 'How it is built',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Specification', link: '/specification' },
      { text: 'Versions of its API', link: '/api-changelog' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
]
const decisions: Item[] = [...project, { text: 'Decisions', items: listItems('decisions') }]
const PROJECT_PAGES = [
  '/changes/',
  '/semver',
  '/support',
  '/security',
  '/api-changelog',
  '/architecture',
  '/specification',
]

export default defineConfig({
  title: 'Svc',
  description: 'Seven small npm packages that get the hard parts of HTTP and SOAP right',
  base: BASE,
  srcDir: '.site',
  // The default light theme has too little contrast for keywords on gray.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config(renderer) {
      addRowHeaders(renderer)
      addCodeHeights(renderer)
      addFileNames(renderer)
    },
  },
  // Without transitions to disable, the style of the page is not computed twice when it is loaded.
  appearance: { disableTransition: false },
  // The data of the site is a script of its own, which browsers store, instead of a part of each
  // page.
  metadataChunk: true,
  sitemap: { hostname: SITE },
  head: [
    ['link', { rel: 'icon', href: `${BASE}mark.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#1f5fbf' }],
  ],
  // The search index contains every page. It is loaded when a reader opens the search.
  vite: {
    build: { chunkSizeWarningLimit: 3000 },
    resolve: { alias: [{ find: /^.*\/VPHome\.vue$/, replacement: join(import.meta.dirname, 'theme/home.ts') }] },
  },
  transformPageData(page) {
    if (page.description) return undefined
    const text = readFileSync(join(site, page.relativePath), 'utf8')
    return { description: describePage(text) }
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
      { text: 'Versions', link: '/changes/', activeMatch: '^/(changes|support|semver|security)' },
    ],
    sidebar: {
      '/packages/': packages,
      '/api/': api,
      '/codes/': codes,
      '/decisions/': decisions,
      ...Object.fromEntries(PROJECT_PAGES.map((page) => [page, project])),
      '/': learning,
    },
  },
})

// The first paragraph as plain text, for search engines.
function describePage(markdown: string): string | undefined {
  const paragraph = markdown.split(/\n\n+/).find((part) => /^[A-Z*`]/.test(part) && !part.startsWith('```'))
  const text = paragraph?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '').replace(/\s+/g, ' ')
  return text?.slice(0, 160)
}
