import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiReport } from './api-report.ts'
import { publishedWorkspaces, report, root, sourceCodes, type Workspace } from './files.ts'
import { fieldLines, type Responses } from './responses.ts'

// apps/docs/api contains what the packages guarantee: their types, their codes, and the headers of
// their responses. A difference is a decision: `npm run api` records it, and `changesets.ts`
// requires a changeset of the right size.
const folder = join(root, 'apps/docs/api')
const isWriting = process.argv[2] === '--write'
const problems: string[] = []

const workspaces = publishedWorkspaces().filter(({ manifest }) => manifest.exports?.['.'])
for (const workspace of workspaces) compare(`${shortenName(workspace)}.md`, apiReport(workspace))
compare(
  'codes.txt',
  workspaces.flatMap((each) => sourceCodes(each).map((code) => `${shortenName(each)} ${code}\n`)).join(''),
)
compare('fields.txt', (await Promise.all(workspaces.map(listFields))).flat().join(''))
report('api', problems)

function compare(name: string, text: string): void {
  const file = join(folder, name)
  if (isWriting) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
  } else if (!existsSync(file)) problems.push(`apps/docs/api/${name} is missing: npm run api`)
  else if (readFileSync(file, 'utf8') !== text) problems.push(`apps/docs/api/${name} is out of date: npm run api`)
}

// Only packages have a file of responses. Those of an app are not guaranteed.
async function listFields(workspace: Workspace): Promise<string[]> {
  if (!workspace.folder.startsWith('packages/')) return []
  const name = shortenName(workspace)
  const { responses } = (await import(`./responses/${name}.ts`)) as { responses: Responses }
  return fieldLines(name, responses)
}

function shortenName({ manifest }: Workspace): string {
  return manifest.name.replace('@svc/', '')
}
