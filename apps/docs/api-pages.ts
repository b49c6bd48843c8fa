import { shownDefault, shownType } from '../tools/option-table.ts'
import type { ApiDeclaration, ApiEntry, ApiKind, ApiMember } from './api-declarations.ts'
import type { SourcePlace } from './api-sources.ts'
import { codeText, escapeText, firstSentence } from './markdown.ts'
import { SOURCES } from './site.ts'

/** A code of the package, for the table at the end of a page. */
export interface ApiCode {
  code: string
  status: string
  text: string
}

export interface ApiPackage {
  /** Name without scope: `ratelimit`. */
  short: string
  /** One line, from its package.json. */
  description: string
  entries: readonly ApiEntry[]
  codes: readonly ApiCode[]
  /**
   * Pages of its README and reference: `packages/ratelimit.md`, `packages/ratelimit/options.md`.
   */
  guides: readonly string[]
  findSource(specifier: string, name: string): SourcePlace | undefined
}

const KINDS: readonly (readonly [ApiKind, string])[] = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['options', 'Options'],
  ['constant', 'Constants'],
  ['type', 'Types'],
]
const UNEXPORTED = 'Named above, and not exported'

/**
 * Returns the page of an entry: `api/ratelimit/stores-redis.md`. That of the package itself is the
 * index.
 */
export function entryPage(short: string, specifier: string): string {
  if (specifier === UNEXPORTED) return `api/${short}/unexported.md`
  const path = specifier.slice(`@svc/${short}`.length + 1)
  return `api/${short}/${path.replaceAll('/', '-') || 'index'}.md`
}

/** Returns the pages of a package by their paths, in the order of its entries. */
export function apiPages(source: ApiPackage): Map<string, string> {
  return new Map(source.entries.map((entry) => [entryPage(source.short, entry.specifier), writePage(entry, source)]))
}

/** Returns the overview: what each import of each package offers. */
export function apiIndex(packages: readonly ApiPackage[]): string {
  const parts = packages.map(({ short, description, entries }) => {
    const rows = entries.flatMap(({ specifier, declarations }) => {
      const page = entryPage(short, specifier).slice('api/'.length)
      const values = declarations.filter(({ kind }) => kind !== 'options' && kind !== 'type')
      const names = values.map((each) => `[\`${showTitle(each)}\`](./${page}#${each.name})`)
      return specifier === UNEXPORTED ? [] : [`| [\`${specifier}\`](./${page}) | ${names.join(', ')} |`]
    })
    return `## ${short}\n\n${escapeText(description)}.\n\n| Import | Functions, classes and constants |\n|---|---|\n${rows.join('\n')}`
  })
  return `# API\n\nEvery import of the packages: signatures, options, types and error codes.\n\n${parts.join('\n\n')}\n`
}

function writePage(entry: ApiEntry, source: ApiPackage): string {
  const isUnexported = entry.specifier === UNEXPORTED
  const title = isUnexported ? `Other types of @svc/${source.short}` : entry.specifier
  const sections = KINDS.flatMap(([kind, heading]) => {
    const declarations = inOrder(entry.declarations, source.short).filter((each) => each.kind === kind)
    if (declarations.length === 0) return []
    return [`## ${heading}`, ...declarations.map((each) => declarationText(each, entry, source))]
  })
  const opening = isUnexported
    ? 'Types that signatures of this package mention. They cannot be imported.'
    : `${writeImport(entry)}\n\n${linkGuides(source)}`
  return `${[`# ${title}`, opening, writeList(entry, source), ...sections, writeCodes(entry, source)].filter(Boolean).join('\n\n')}\n`
}

function linkGuides({ short, guides }: ApiPackage): string {
  const links = guides.map((page) => {
    const name = page.split('/').at(-1)?.replace('.md', '') ?? ''
    return `[${name === short ? 'README' : name.replaceAll('-', ' ')}](../../${page})`
  })
  return `Guides: ${links.join(' · ')}`
}

function writeImport({ specifier, declarations }: ApiEntry): string {
  const values = declarations.filter(({ kind }) => kind !== 'options' && kind !== 'type')
  const [byDefault] = values.filter(({ isDefaultOnly, isDefault }) => isDefaultOnly || isDefault)
  const named = values.filter(({ isDefaultOnly }) => !isDefaultOnly).map(({ name }) => name)
  const local = specifier
    .split('/')
    .at(-1)
    ?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const lines = [
    ...(byDefault ? [`import ${byDefault.isDefaultOnly ? local : byDefault.name} from '${specifier}'`] : []),
    ...(named.length ? [importLine(named, specifier)] : []),
  ]
  return `\`\`\`ts\n${lines.join('\n')}\n\`\`\``
}

function importLine(names: readonly string[], specifier: string): string {
  const line = `import { ${names.join(', ')} } from '${specifier}'`
  return line.length <= 90 ? line : `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${specifier}'`
}

function writeList({ declarations }: ApiEntry, { short }: ApiPackage): string {
  const rows = KINDS.flatMap(([kind]) =>
    inOrder(declarations, short)
      .filter((each) => each.kind === kind)
      .map((each) => `| [\`${showTitle(each)}\`](#${each.name}) | ${cell(firstSentence(each.doc.text))} |`),
  )
  return ['| Name | Description |', '|---|---|', ...rows].join('\n')
}

function declarationText(each: ApiDeclaration, entry: ApiEntry, source: ApiPackage): string {
  const place = source.findSource(entry.specifier, each.name)
  const links = each.mentions.flatMap((name) => linkTo(name, entry, source))
  const notes = [
    ...(each.isDefault && !each.isDefaultOnly ? ['Also the default export.'] : []),
    ...(links.length ? [`Types: ${links.join(', ')}.`] : []),
    ...(place ? [`[Source](${SOURCES}/${place.file}#L${place.line})`] : []),
  ]
  const parts = [
    `### ${showTitle(each)} {#${each.name}}`,
    withCodeLinks(escapeText(each.doc.text), source),
    each.signature && `\`\`\`ts\n${each.signature}\n\`\`\``,
    each.members.length ? memberTable(each) : '',
    ...each.doc.examples.map((example) => `Example:\n\n\`\`\`ts\n${example}\n\`\`\``),
    notes.join(' '),
  ]
  return parts.filter(Boolean).join('\n\n')
}

function memberTable({ kind, members }: ApiDeclaration): string {
  const hasDefaults = kind === 'options' || members.some(({ doc }) => doc.defaultValue)
  const rows = members.map((member) => {
    const cells = [
      codeText(member.name + (member.isOptional && !hasDefaults ? '?' : '')),
      codeText(shownType(member.type)),
    ]
    return [...cells, ...(hasDefaults ? [showDefault(member)] : []), showMeaning(member)]
  })
  const titles = hasDefaults ? ['Name', 'Type', 'Default', 'Meaning'] : ['Name', 'Type', 'Meaning']
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')
}

function showDefault({ doc, isOptional }: ApiMember): string {
  if (doc.defaultValue) return shownDefault(doc.defaultValue)
  return isOptional ? 'none' : 'required'
}

function showMeaning({ doc }: ApiMember): string {
  return escapeText(doc.text.replace(/\s+/g, ' ')).replace(/\.$/, '')
}

function linkTo(name: string, entry: ApiEntry, { entries, short }: ApiPackage): string[] {
  const holder = [entry, ...entries].find(({ declarations }) => declarations.some((each) => each.name === name))
  if (!holder) return []
  const file = entryPage(short, holder.specifier).split('/').at(-1)
  return [`[\`${name}\`](${holder === entry ? '' : `./${file}`}#${name})`]
}

function writeCodes({ specifier, declarations }: ApiEntry, { short, codes }: ApiPackage): string {
  const named = declarations.some(({ signature }) => codes.some(({ code }) => signature.includes(`'${code}'`)))
  if (codes.length === 0 || (specifier !== `@svc/${short}` && !named)) return ''
  const rows = codes.map(({ code, status, text }) => `| [\`${code}\`](../../codes/${code}.md) | ${status} | ${text} |`)
  return ['## Errors and warnings', '', '| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n')
}

function withCodeLinks(text: string, { codes }: ApiPackage): string {
  return text.replace(/`((?:ERR|WRN)_\w+)`/g, (all, code: string) =>
    codes.some((each) => each.code === code) ? `[${all}](../../codes/${code}.md)` : all,
  )
}

// The function that the package is named after comes first.
function inOrder(declarations: readonly ApiDeclaration[], short: string): ApiDeclaration[] {
  const isMain = ({ name, kind }: ApiDeclaration): boolean =>
    kind === 'function' && short.replaceAll('-', '').startsWith(name.toLowerCase())
  return [...declarations].sort((a, b) => Number(isMain(b)) - Number(isMain(a)))
}

function showTitle({ name, kind, isDefaultOnly }: ApiDeclaration): string {
  if (isDefaultOnly) return 'default export'
  return kind === 'function' ? `${name}()` : name
}

function cell(text: string): string {
  return text.replace(/(?<!\\)\|/g, '\\|')
}
