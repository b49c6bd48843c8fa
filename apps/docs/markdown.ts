import { join, relative } from 'node:path/posix'
import { SOURCES } from './site.ts'

/** The content under a heading. */
export interface Section {
  title: string
  text: string
}

/** The parts of a Markdown text under the second-level headings that match. */
export function findSections(markdown: string, heading: RegExp): Section[] {
  const [, ...parts] = markdown.split(/^## /m)
  const sections = parts.map((part) => {
    const [title = ''] = part.split('\n', 1)
    return { title, text: part.slice(title.length).trim() }
  })
  return sections.filter(({ title }) => heading.test(title))
}

/** The rows of a table with the titles of their columns. */
export interface Table {
  titles: string[]
  rows: string[][]
}

/** All tables of a Markdown text. */
export function readTables(markdown: string): Table[] {
  return (markdown.match(/(?:^\|.*\|$\n?)+/gm) ?? []).map((table) => {
    const [titles = [], , ...rows] = table.trim().split('\n').map(splitCells)
    return { titles, rows }
  })
}

export interface Relink {
  /** Path of the document in the repository. */
  file: string
  /** Path of the page in the site. */
  page: string
  /** Page by file of the repository. */
  pageByFile: ReadonlyMap<string, string>
  /** Whether the repository has a file or folder. */
  isThere(file: string): boolean
  onDead(file: string, link: string): void
}

/**
 * Turns links between files into links between pages. A link to any other file leads to its source.
 */
export function relink(markdown: string, { file, page, pageByFile, isThere, onDead }: Relink): string {
  return markdown.replace(/\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)/g, (_all, link: string, hash = '') => {
    const target = join(file, '..', link)
    const there = pageByFile.get(target) ?? pageByFile.get(join(target, 'README.md'))
    if (there === undefined && !isThere(target)) onDead(file, link)
    if (there === undefined) return `](${SOURCES}/${target}${hash})`
    const path = relative(join(page, '..'), there)
    return `](${path.startsWith('.') ? path : `./${path}`}${hash})`
  })
}

/** Escapes what Markdown or Vue would take for markup. Code between backticks stays as it is. */
export function escapeText(text: string): string {
  return text.replace(/(`+)[\s\S]*?\1|[<>]|\{\{/g, (match) =>
    match === '<' ? '&lt;' : match === '>' ? '&gt;' : match === '{{' ? '&#123;&#123;' : match,
  )
}

/** Returns a text as inline code, or nothing for an empty one. */
export function codeText(text: string): string {
  if (!text) return ''
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** The first sentence of a text, on one line. A period inside code or brackets does not end it. */
export function firstSentence(text: string): string {
  const line = (text.split('\n\n')[0] ?? '').replace(/\s+/g, ' ')
  return escapeText(/^(?:`[^`]*`|\([^)]*\)|[^`(])*?[.](?= |$)/.exec(line)?.[0] ?? line)
}

function splitCells(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}
