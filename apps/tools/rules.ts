import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Rule, rules } from '../playground/src/rules.ts'
import { report, root } from './files.ts'
import { listProofs } from './titles.ts'

// Each rule of the specification is proved by tests whose title begins with its number, and no test
// names a rule that there is not. `--write` writes apps/docs/specification.md; without it the page
// must be what would be written.
const FILE = 'apps/docs/specification.md'
const TESTS = 'apps/reference-server/test'

const NUMBER = /^\d(?:\.\d)?-[\w.-]+$/

const proofs = Map.groupBy(listProofs(new RegExp(`^${TESTS}/.*\\.test\\.ts$`), NUMBER), ({ key }) => key)
const numbers = new Set(rules.map(({ number }) => number))
const problems: string[] = []
for (const [number, [proof]] of proofs)
  if (!numbers.has(number)) problems.push(`${proof?.file} names ${number}, which is not a rule`)
for (const number of numbers) if (!proofs.has(number)) problems.push(`no test proves ${number}`)
if (numbers.size < rules.length) problems.push('a rule appears twice')

const text = page()
if (process.argv.includes('--write')) writeFileSync(join(root, FILE), text)
else if (readFileSync(join(root, FILE), 'utf8') !== text)
  problems.push(`${FILE} is not up to date: node apps/tools/rules.ts --write`)
report('rules', problems)

function page(): string {
  const sections = Map.groupBy(rules, ({ number }) => number.split('-')[0] ?? '')
  const parts = [...sections].map(([section, listed]) => `## Section ${section}\n\n${table(listed)}\n`)
  return `# The specification, rule by rule

Every rule of the specification has an id: its section, then a number or a topic. Its tests begin with this id, send
requests over HTTP, and run on SQLite and PostgreSQL if they store data. They are in \`${TESTS}\`, most of
them in \`rules/\`. \`node apps/tools/rules.ts --write\` writes this page, and fails if a rule has no test.

${parts.join('\n')}`
}

function table(listed: readonly Rule[]): string {
  const rows = listed.map(({ number, says }) => `| ${number} | ${cell(says)} | ${formatProofs(number)} |`)
  return ['| Rule | It says | Proved by |', '|---|---|---|', ...rows].join('\n')
}

function formatProofs(number: string): string {
  return (proofs.get(number) ?? [])
    .map(({ file, says }) => `${file.slice(TESTS.length + 1)}: ${cell(says)}`)
    .join('<br>')
}

// Braces would be read as expressions, and angle brackets as elements, by what makes the site.
function cell(content: string): string {
  return content.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{', '&#123;').replaceAll("\\'", "'")
}
