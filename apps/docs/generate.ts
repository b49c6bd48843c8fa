import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publishedWorkspaces, root, sourceCodes, trackedFiles } from '../tools/files.ts'
import { codePage, codesOf } from './codes.ts'
import { llmsText } from './llms.ts'
import { relink, sectionsOf } from './markdown.ts'

// Gathers the pages of the site in `.site`: what is written here, the READMEs, and what follows from these. Links between
// files of the repository become links between pages.
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
  return { folder, manifest, short, file: `${folder}/README.md`, readme: textOf(`${folder}/README.md`) }
})
for (const { short, file, readme } of packages) add(`packages/${short}.md`, readme, file)
const described = packages.map(({ short, manifest }) => item(manifest.name, short, manifest.description))
add('packages/index.md', listOf('Packages', described))

const codes = packages.flatMap(({ folder, manifest, short, readme }) => {
  const own = new RegExp(`^(ERR|WRN)_${short.replace('reference-', '').replaceAll('-', '_').toUpperCase()}_`)
  const known = sourceCodes({ folder, manifest }).filter((code) => own.test(code))
  return codesOf(manifest.name, readme, known).filter(({ facts, text }) => facts.length > 0 || text)
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

const migrations = packages.flatMap(({ short, file, readme }) => {
  const sections = sectionsOf(readme, /^(Coming )?from\b/i)
  return sections.length ? [{ short, file, sections }] : []
})
for (const { short, file, sections } of migrations) {
  const guide = textOf(`apps/docs/migrate/${short}.md`)
  const text = sections.map(({ title, text }) => `## ${title.replace(/^Coming from$/, 'Name by name')}\n\n${text}`)
  const names = relink(text.join('\n\n'), { file, page: `migrate/${short}.md`, pageOf: pagesByFile(), isThere, onDead })
  add(`migrate/${short}.md`, `${guide}\n${names}\n`)
}
add('migrate/index.md', listOf('Coming from another library', itemsIn('migrate')))

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
cpSync(join(root, 'LICENSE'), join(site, 'public/LICENSE.txt'))
process.stdout.write(`docs: ${pages.size} pages, ${codes.length} of them for codes\n`)

function pagesByFile(): Map<string, string> {
  const readmes = packages.map(({ short, file }) => [file, `packages/${short}.md`] as const)
  return new Map([...[...pages.keys()].map((page) => [`apps/docs/${page}`, page] as const), ...readmes])
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
