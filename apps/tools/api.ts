import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiReport } from './api-report.ts'
import { publishedWorkspaces, report, root, sourceCodes, type Workspace } from './files.ts'

// What the packages promise stands in apps/docs/api: their types, and their codes. A difference is a decision, which
// `npm run api` writes down and `changesets.ts` asks a changeset of the right size for.
const folder = join(root, 'apps/docs/api')
const isWriting = process.argv[2] === '--write'
const problems: string[] = []

const workspaces = publishedWorkspaces().filter(({ manifest }) => manifest.exports?.['.'])
for (const workspace of workspaces) compare(`${nameOf(workspace)}.md`, apiReport(workspace))
compare(
  'codes.txt',
  workspaces.flatMap((each) => sourceCodes(each).map((code) => `${nameOf(each)} ${code}\n`)).join(''),
)
report('api', problems)

function compare(name: string, text: string): void {
  const file = join(folder, name)
  if (isWriting) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
  } else if (!existsSync(file)) problems.push(`apps/docs/api/${name} is missing: npm run api`)
  else if (readFileSync(file, 'utf8') !== text) problems.push(`apps/docs/api/${name} is out of date: npm run api`)
}

function nameOf({ manifest }: Workspace): string {
  return manifest.name.replace('@svc/', '')
}
