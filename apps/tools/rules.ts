import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Rule, rules } from '../playground/src/rules.ts'
import { report, root, trackedFiles } from './files.ts'

// Each rule of the specification is proved by tests whose title begins with its number, and no test names a rule that
// there is not. `--write` writes apps/docs/specification.md; without it the page must be what would be written.
interface Proof {
  file: string
  title: string
}

const FILE = 'apps/docs/specification.md'
const TESTS = 'apps/reference-server/test'

const TITLE = /\btest\(\s*'(\d(?:\.\d)?-[\w.-]+) ((?:[^'\\]|\\.)*)'/g

const proofs = new Map<string, Proof[]>(rules.map(({ number }) => [number, []]))
const problems: string[] = []
for (const file of trackedFiles(new RegExp(`^${TESTS}/.*\\.test\\.ts$`))) {
  for (const [, number = '', title = ''] of readFileSync(join(root, file), 'utf8').matchAll(TITLE)) {
    const found = proofs.get(number)
    if (found) found.push({ file: file.slice(TESTS.length + 1), title })
    else problems.push(`${file} names ${number}, which is no rule`)
  }
}
for (const [number, found] of proofs) if (found.length === 0) problems.push(`no test proves ${number}`)
if (new Set(rules.map(({ number }) => number)).size < rules.length) problems.push('a rule stands twice')

const text = page()
if (process.argv.includes('--write')) writeFileSync(join(root, FILE), text)
else if (readFileSync(join(root, FILE), 'utf8') !== text)
  problems.push(`${FILE} is not up to date: node apps/tools/rules.ts --write`)
report('rules', problems)

function page(): string {
  const sections = Map.groupBy(rules, ({ number }) => number.split('-')[0] ?? '')
  const parts = [...sections].map(([section, listed]) => `## Section ${section}\n\n${table(listed)}\n`)
  return `# The specification, rule by rule

Every rule of the specification has a number: its section, then its own number there, or what it is about. The tests
that prove it bear this number, go through HTTP, and run on SQLite and on PostgreSQL wherever data matter. They are in
\`${TESTS}\`, most of them in \`rules/\`. This page is written by \`node apps/tools/rules.ts --write\`; the same tool fails where a rule has no test.

${parts.join('\n')}`
}

function table(listed: readonly Rule[]): string {
  const rows = listed.map(({ number, says }) => `| ${number} | ${cell(says)} | ${proofsOf(number)} |`)
  return ['| Rule | It says | Proved by |', '|---|---|---|', ...rows].join('\n')
}

function proofsOf(number: string): string {
  return (proofs.get(number) ?? []).map(({ file, title }) => `${file}: ${cell(title)}`).join('<br>')
}

// Braces would be read as expressions, and angle brackets as elements, by what makes the site.
function cell(content: string): string {
  return content.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{', '&#123;').replaceAll("\\'", "'")
}
