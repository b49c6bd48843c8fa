import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path/posix'
import { BASE, SITE } from './site.ts'

// Every link of the built site, and of its llms.txt, leads to a page that is there, and where it
// names a heading, to that heading.
const site = join(import.meta.dirname, '.vitepress/dist')
const pages = readdirSync(site, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.html'))
const texts = new Map(pages.map((file) => [`/${file}`, readFileSync(join(site, file), 'utf8')]))
const anchors = new Map([...texts].map(([page, text]) => [page, new Set(readValues(text, 'id'))]))

const links = [...texts].map(([page, text]) => ({ page, links: readValues(text, 'href') }))
const listed = [...readFileSync(join(site, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) =>
  link.replace(SITE, BASE),
)
const problems = [...links, { page: '/llms.txt', links: listed }].flatMap(({ page, links }) =>
  [...new Set(links)].flatMap((link) => {
    const problem = findProblem(link, page)
    return problem ? [`${page} links to ${link}, ${problem}`] : []
  }),
)
for (const problem of problems) process.stderr.write(`site: ${problem}\n`)
process.stdout.write(`site: ${pages.length} pages, ${problems.length} dead links\n`)
process.exitCode = problems.length ? 1 : 0

function findProblem(link: string, page: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined
  const [path = '', hash = ''] = link.split('#')
  const isAbsolute = path.startsWith('/')
  if (isAbsolute && !`${path}/`.startsWith(BASE)) return `which is outside of ${BASE}`
  const target = path === '' ? page : isAbsolute ? `/${path.slice(BASE.length)}` : join(page, '..', path)
  const file = [target, join(target, 'index.html'), `${target}.html`].find((each) => isFile(join(site, each)))
  if (!file) return 'which is not there'
  const isKnown = !hash || !anchors.has(file) || anchors.get(file)?.has(decodeURIComponent(hash))
  return isKnown ? undefined : 'which has no such heading'
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function readValues(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`<[a-z][^>]*? ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  )
}
