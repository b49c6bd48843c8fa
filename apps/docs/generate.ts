import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listDocuments, publishedWorkspaces, root, sourceCodes, trackedFiles } from '../tools/files.ts'
import { codePage, codesOf } from './codes.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { relink, sectionsOf } from './markdown.ts'

// Collects the pages of the site in `.site`: those written here, the READMEs and docs of the packages, and pages that are
// generated from these. Links between files of the repository become links between pages.
interface Page {
  /** The file of the repository that its links are relative to. */
  file: string
  text: string
}

const pages = new Map<string, Page>()
const add = (page: string, text: string, file = `apps/docs/${page}`): unknown => pages.set(page, { file, text })

const written = trackedFiles(/^apps\/docs\/.*\.md$/)
for (const file of written) add(file.slice('apps/docs/'.length), textOf(file))

const packages = publishedWorkspaces().map(({ folder, manifest }) => {
  const short = manifest.name.replace('@svc/', '')
  const documents = listDocuments(folder).map((name) => {
    const page = name === 'README.md' ? `packages/${short}.md` : name.replace('docs/', `packages/${short}/`)
    return { file: `${folder}/${name}`, page, text: textOf(`${folder}/${name}`) }
  })
  return { folder, manifest, short, documents, readme: documents[0]?.text ?? '' }
})
for (const { documents } of packages) for (const { page, text, file } of documents) add(page, text, file)
const described = packages.map(({ short, manifest }) => item(manifest.name, short, manifest.description))
add('packages/index.md', listOf('Packages', described))

const codes = packages.flatMap(({ folder, manifest, short, documents }) => {
  const own = new RegExp(`^(ERR|WRN)_${short.replace('reference-', '').replaceAll('-', '_').toUpperCase()}_`)
  const known = sourceCodes({ folder, manifest }).filter((code) => own.test(code))
  const reference = documents.map(({ text }) => text.replace(/^# (.*?)(?: of @svc\/\S+)?$/m, '## $1')).join('\n\n')
  return codesOf(manifest.name, reference, known).filter(({ facts, text }) => facts.length > 0 || text)
})
const fields = textOf('apps/docs/api/fields.txt')
for (const entry of codes) add(`codes/${entry.code}.md`, codePage(entry, fields))
add(
  'codes/index.md',
  listOf(
    'Error codes',
    codes.map(({ code, name }) => item(code, code, name)),
  ),
)

const migrations = packages.flatMap(({ short, documents }) =>
  documents.flatMap(({ file, text }) => {
    const sections = sectionsOf(text, /^(Coming |Migrating )?from\b/i)
    return sections.length ? [{ short, file, sections }] : []
  }),
)
for (const { short, file, sections } of migrations) {
  const guide = pages.get(`migrate/${short}.md`)?.text ?? ''
  const text = sections.map(
    ({ title, text }) => `## ${title.replace(/^(Coming|Migrating) from$/, 'Name by name')}\n\n${text}`,
  )
  const names = relink(text.join('\n\n'), { file, page: `migrate/${short}.md`, pageOf: pagesByFile(), isThere, onDead })
  add(`migrate/${short}.md`, `${guide}\n${names}\n`)
}
add('migrate/index.md', listOf('Migrating from another library', itemsIn('migrate')))

add('decisions/index.md', listOf('Decisions', itemsIn('decisions')))
add('api/index.md', listOf('Types of the packages', itemsIn('api')))

const site = join(import.meta.dirname, '.site')
rmSync(site, { recursive: true, force: true })
mkdirSync(join(site, 'public'), { recursive: true })
const pageOf = pagesByFile()
for (const [page, { file, text }] of pages) {
  mkdirSync(dirname(join(site, page)), { recursive: true })
  writeFileSync(join(site, page), relink(text, { file, page, pageOf, isThere, onDead }))
}
writeFileSync(join(site, 'public/llms.txt'), llmsText(packages))
writeFileSync(
  join(site, 'public/llms-full.txt'),
  llmsFullText(new Map([...pages].map(([page, { text }]) => [page, text]))),
)
cpSync(join(root, 'apps/reference-server/src/formats/pages/assets/icon.svg'), join(site, 'public/mark.svg'))
cpSync(join(root, 'apps/docs/pictures'), join(site, 'public/pictures'), { recursive: true })
cpSync(join(root, 'LICENSE'), join(site, 'public/LICENSE.txt'))
process.stdout.write(`docs: ${pages.size} pages, ${codes.length} of them for codes\n`)

function pagesByFile(): Map<string, string> {
  const documents = packages.flatMap(({ documents }) => documents.map(({ file, page }) => [file, page] as const))
  return new Map([...[...pages.keys()].map((page) => [`apps/docs/${page}`, page] as const), ...documents])
}

function isThere(file: string): boolean {
  return existsSync(join(root, file))
}

function onDead(file: string, link: string): void {
  process.stderr.write(`docs: ${file} links to ${link}, which is not there\n`)
  process.exitCode = 1
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function itemsIn(folder: string): string[] {
  const files = written.filter((file) => file.startsWith(`apps/docs/${folder}/`))
  return files.map((file) =>
    item(/^# (.*)$/m.exec(textOf(file))?.[1] ?? file, (file.split('/').at(-1) ?? '').replace('.md', '')),
  )
}

function item(title: string, page: string, text = ''): string {
  return `- [${title}](${page}.md)${text && `: ${text}`}`
}

function listOf(title: string, items: readonly string[]): string {
  return `# ${title}\n\n${items.join('\n')}\n`
}
