import { findSections, readTables } from './markdown.ts'

/** The text about one code in the README and docs of a package. */
export interface CodeEntry {
  code: string
  /** The package that uses it. */
  name: string
  /** The columns of its row: title and text. A code outside of a table has none. */
  facts: [title: string, text: string][]
  /** The paragraph that names it, where no row does. */
  text: string | undefined
}

/**
 * The codes of a package's README and docs: those of the tables in its section on errors, and those
 * that other text names.
 */
export function listCodes(name: string, readme: string, names: readonly string[]): CodeEntry[] {
  const sections = findSections(readme, /^(Errors and warnings|Errors|Error codes|Codes|Faults)$/)
  const rows = sections
    .flatMap(({ text }) => readTables(text))
    .flatMap(({ titles, rows }) => (/code/i.test(titles[0] ?? '') ? rows.map((cells) => ({ titles, cells })) : []))
  const listed = rows.flatMap(({ titles, cells }) =>
    codesIn(cells[0] ?? '').map((code) => ({ code, name, facts: pairs(titles, cells), text: undefined })),
  )
  const others = names.filter((code) => !listed.some((entry) => entry.code === code))
  return [...listed, ...others.map((code) => mentioned(code, name, readme, rows))]
}

/**
 * The page of a code. `fields`: the report of response headers, which may have a response with this
 * code.
 */
export function codePage({ code, name, facts, text }: CodeEntry, fields = ''): string {
  const lines = facts.slice(1).flatMap(([title, value]) => (value ? [`**${title}**: ${value}`] : []))
  const kind = code.startsWith('WRN_') ? 'A warning' : 'An error'
  const others = `Options and examples: [${name}](../packages/${name.replace('@svc/', '')}.md). [All codes](./index.md).`
  const promise = 'A code never changes its meaning. Check the code, not the message.'
  const parts = [...lines, text ?? '', answerWith(code, fields), others, promise]
  return `# ${code}\n\n${kind} of \`${name}\`.\n\n${parts.filter(Boolean).join('\n\n')}\n`
}

/** The status of a code, and the sentence about it, for a table. */
export function describeCode({ code, facts, text }: CodeEntry): { status: string; text: string } {
  const status =
    facts.find(([title]) => /status|SOAP 1.2/i.test(title))?.[1] ?? (code.startsWith('WRN_') ? 'warning' : '')
  const meaning = facts.slice(1).findLast(([title, value]) => !/status|SOAP/i.test(title) && value)?.[1]
  return { status, text: meaning ?? text?.replace(/\s+/g, ' ') ?? '' }
}

// `ratelimit 429: code ERR_RATELIMIT_EXCEEDED` names a response. Lines that begin like it are its
// headers.
function answerWith(code: string, fields: string): string {
  const answer = new RegExp(`^(\\S+ (\\d+)[^:]*): code ${code}$`, 'm').exec(fields)
  if (!answer) return ''
  const [, start, status] = answer
  const lines = fields.split('\n').filter((line) => line.startsWith(`${start}: `) && !line.includes(`: code ${code}`))
  const shown = lines.map((line) => line.slice(`${start}: `.length))
  return `A response with this code:\n\n\`\`\`http\nHTTP/1.1 ${status}\n${shown.join('\n')}\n\`\`\``
}

function mentioned(
  code: string,
  name: string,
  readme: string,
  rows: { titles: string[]; cells: string[] }[],
): CodeEntry {
  const row = rows.find(({ cells }) => cells.some((cell) => cell.includes(code)))
  const text = readme.split(/\n\n+/).find((paragraph) => paragraph.includes(code) && !paragraph.startsWith('|'))
  return { code, name, facts: row ? pairs(row.titles, row.cells) : [], text: row ? undefined : text }
}

function pairs(titles: readonly string[], cells: readonly string[]): [string, string][] {
  return titles.map((title, index) => [title, cells[index] ?? ''])
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([A-Za-z]\w+)`/g)].map(([, code = '']) => code)
}
