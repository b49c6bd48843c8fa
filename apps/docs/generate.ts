import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listDocuments, publishedWorkspaces, readText, root, sourceCodes, trackedFiles } from '../tools/files.ts'
import { parseReport } from './api-declarations.ts'
import { type ApiPackage, apiIndex, apiPages } from './api-pages.ts'
import { createSourceFinder } from './api-sources.ts'
import { codePage, describeCode, listCodes } from './codes.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { relink } from './markdown.ts'
import { documentPage } from './site.ts'

// Collects the pages of the site in `.site`: those written here, the READMEs and docs of the
// packages, and pages that are generated from these. Links between files of the repository become
// links between pages.
interface Page {
  /** The file of the repository that its links are relative to. */
  file: string
  text: string
}

const pages = new Map<string, Page>()
const add = (page: string, text: string, file = `apps/docs/${page}`): unknown => pages.set(page, { file, text })

const written = trackedFiles(/^apps\/docs\/(?!api\/).*\.md$/)
for (const file of written) add(file.slice('apps/docs/'.length), readText(file))

const packages = publishedWorkspaces().map(({ folder, manifest }) => {
  const short = manifest.name.replace('@svc/', '')
  const documents = listDocuments(folder).map((name) => {
    const file = `${folder}/${name}`
    return { file, page: documentPage(short, name), text: readText(file) }
  })
  return { folder, manifest, short, documents, readme: documents[0]?.text ?? '' }
})
for (const { documents } of packages) for (const { page, text, file } of documents) add(page, text, file)
const described = packages.map(({ short, manifest }) => item(manifest.name, short, manifest.description))
add('packages/index.md', writeList('Packages', described))

const codes = packages.flatMap(({ folder, manifest, short, documents }) => {
  const pattern = new RegExp(`^(ERR|WRN)_${short.replace('reference-', '').replaceAll('-', '_').toUpperCase()}_`)
  const names = sourceCodes({ folder, manifest }).filter((code) => pattern.test(code))
  const reference = documents.map(({ text }) => text.replace(/^# (.*?)(?: of @svc\/\S+)?$/m, '## $1')).join('\n\n')
  return listCodes(manifest.name, reference, names).filter(({ facts, text }) => facts.length > 0 || text)
})
const fields = readText('apps/docs/api/fields.txt')
for (const entry of codes) add(`codes/${entry.code}.md`, codePage(entry, fields))
const listed = codes.map(({ code, name }) => item(code, code, name))
add('codes/index.md', writeList('Error codes', listed))

const apis = packages.flatMap(({ folder, manifest, short, documents }): ApiPackage[] => {
  const report = `apps/docs/api/${short}.md`
  if (!existsSync(join(root, report))) return []
  const packageCodes = codes.filter(({ name }) => name === manifest.name)
  return [
    {
      short,
      description: manifest.description ?? '',
      entries: parseReport(readText(report)),
      codes: packageCodes.map((entry) => ({ code: entry.code, ...describeCode(entry) })),
      guides: documents.map(({ page }) => page),
      findSource: createSourceFinder({ folder, manifest }),
    },
  ]
})
for (const api of apis) for (const [page, text] of apiPages(api)) add(page, text)
add('api/index.md', apiIndex(apis))

const released = packages.filter(({ folder }) => existsSync(join(root, folder, 'CHANGELOG.md')))
for (const { folder, short } of released) {
  const file = `${folder}/CHANGELOG.md`
  add(`changes/${short}.md`, readText(file).replace(/^# /, '# Changes of '), file)
}
const versions = released.map(({ short, manifest }) =>
  item(`${manifest.name} ${manifest.version}`, short, manifest.description),
)
add('changes/index.md', writeList('Versions and changes', versions))

for (const [folder, title] of [
  ['migrate', 'Coming from another library'],
  ['decisions', 'Decisions'],
] as const) {
  add(`${folder}/index.md`, writeList(title, itemsIn(folder)))
}

const site = join(import.meta.dirname, '.site')
rmSync(site, { recursive: true, force: true })
mkdirSync(join(site, 'public'), { recursive: true })
const pageByFile = new Map(
  [...pages].flatMap(([page, { file }]) => [
    [`apps/docs/${page}`, page],
    [file, page],
  ]),
)
for (const [page, { file, text }] of pages) {
  mkdirSync(dirname(join(site, page)), { recursive: true })
  writeFileSync(join(site, page), relink(text, { file, page, pageByFile, isThere, onDead }))
}
const texts = new Map([...pages].map(([page, { text }]) => [page, text]))
writeFileSync(join(site, 'public/llms.txt'), llmsText(packages))
writeFileSync(join(site, 'public/llms-full.txt'), llmsFullText(texts))
cpSync(join(root, 'apps/reference-server/src/formats/pages/assets/icon.svg'), join(site, 'public/mark.svg'))
cpSync(join(root, 'apps/docs/pictures'), join(site, 'public/pictures'), { recursive: true })
cpSync(join(root, 'LICENSE'), join(site, 'public/LICENSE.txt'))
process.stdout.write(`docs: ${pages.size} pages, ${codes.length} of them for codes\n`)

function isThere(file: string): boolean {
  return existsSync(join(root, file))
}

function onDead(file: string, link: string): void {
  process.stderr.write(`docs: ${file} links to ${link}, which is not there\n`)
  process.exitCode = 1
}

function itemsIn(folder: string): string[] {
  const inside = [...pages].filter(([page]) => page.startsWith(`${folder}/`) && !page.endsWith('/index.md'))
  return inside.map(([page, { text }]) =>
    item(/^# (.*)$/m.exec(text)?.[1] ?? page, (page.split('/').at(-1) ?? '').replace('.md', '')),
  )
}

function item(title: string, page: string, text = ''): string {
  return `- [${title}](${page}.md)${text && `: ${text}`}`
}

function writeList(title: string, items: readonly string[]): string {
  return `# ${title}\n\n${items.join('\n')}\n`
}
