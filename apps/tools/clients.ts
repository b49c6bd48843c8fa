import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { report, root } from './files.ts'
import { listProofs } from './titles.ts'

// The table of clients, and of services that our client calls, in the docs of @svc/soap-envelope:
// it has a cell for each test whose title begins with client and part, such as `zeep/header`, or
// `zeep/mtom-received` if it works one way only. `--write` writes it. With CI set, the tests must
// also have passed.
const FILE = 'packages/soap-envelope/docs/comparison.md'
const WORKSPACES = ['packages/soap-envelope', 'apps/reference-server']
const TESTS = /^(?:packages\/soap-envelope\/src|apps\/reference-server\/test\/soap)\/.*\.test\.ts$/

const CLIENTS = new Map([
  ['zeep', 'zeep (Python)'],
  ['JAX-WS', 'JAX-WS (Java)'],
  ['gSOAP', 'gSOAP (C)'],
  ['WCF', 'WCF (C#, Mono)'],
  ['PHP', 'SoapClient (PHP)'],
  ['node-soap', 'node-soap'],
  ['strong-soap', 'strong-soap'],
  ['WSS4J', 'WSS4J (Java)'],
  ['JDK', 'javax.xml.crypto (Java)'],
  ['xmlsec1', 'xmlsec1 (C)'],
  ['PHP-service', 'SoapServer (PHP), called by our client'],
  ['node-soap-service', 'server of node-soap, called by our client'],
])
const PARTS = new Map([
  ['call', 'calls'],
  ['fault', 'declared faults'],
  ['header', 'header blocks'],
  ['mtom', 'MTOM attachments'],
  ['addressing', 'WS-Addressing'],
  ['signature', 'signatures'],
])
const WAYS = ['sent', 'received']
const ONE_WAY = new Set(['call', 'fault', 'addressing'])

const proofs = listProofs(TESTS, new RegExp(`^[\\w-]+/(?:${[...PARTS.keys()].join('|')})(?:-|$)`))
const proved = new Set(proofs.map(({ key }) => key))
const expected = new Set(
  [...CLIENTS.keys()].flatMap((client) => [...PARTS.keys()].flatMap((part) => cellKeys(client, part))),
)
const problems = proofs
  .filter(({ key }) => !expected.has(key))
  .map(({ file, key }) => `${file} names ${key}, not a cell`)
for (const client of CLIENTS.keys())
  if (![...proved].some((key) => key.startsWith(`${client}/`))) problems.push(`no test is about ${client}`)
if (process.env['CI']) problems.push(...listFailed())

const table = writeTable()
const text = readFileSync(join(root, FILE), 'utf8')
const updated = text.replace(
  /(<!-- clients -->\n)[^]*?(?=<!-- \/clients -->)/,
  (_, head: string) => `${head}${table}\n`,
)
if (!updated.includes(table)) problems.push(`${FILE} has no place for the table of clients`)
if (process.argv.includes('--write')) writeFileSync(join(root, FILE), updated)
else if (updated !== text) problems.push(`${FILE} is not up to date: node apps/tools/clients.ts --write`)
report('clients', problems)

/** The keys of a cell: both ways, then each way. */
function cellKeys(client: string, part: string): string[] {
  const key = `${client}/${part}`
  return ONE_WAY.has(part) ? [key] : [key, ...WAYS.map((way) => `${key}-${way}`)]
}

function writeTable(): string {
  const rows = [...CLIENTS].map(([client, name]) => [name, ...[...PARTS.keys()].map((part) => writeCell(client, part))])
  return [['', ...PARTS.values()], ['', ...PARTS.values()].map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function writeCell(client: string, part: string): string {
  const [both = '', ...oneWay] = cellKeys(client, part)
  if (ONE_WAY.has(part)) return proved.has(both) ? 'yes' : '-'
  const ways = WAYS.filter((_, index) => proved.has(both) || proved.has(oneWay[index] ?? ''))
  return ways.join(', ') || '-'
}

/** The keys whose tests have not passed in the run before, by the reports that it has left. */
function listFailed(): string[] {
  const passed = new Set(WORKSPACES.flatMap(listPassed))
  return [...proved].filter((key) => !passed.has(key)).map((key) => `no test of ${key} has passed`)
}

interface Report {
  testResults: { assertionResults: { title: string; status: string }[] }[]
}

function listPassed(workspace: string): string[] {
  const file = join(root, workspace, '.reports/source.json')
  if (!existsSync(file)) return []
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return results.filter(({ status }) => status === 'passed').map(({ title }) => title.split(' ', 1)[0] ?? '')
}
