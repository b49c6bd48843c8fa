import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listDocuments, publishedWorkspaces, report, root, trackedFiles } from './files.ts'

// Type-checks and runs every `js` and `ts` block of the READMEs, the packages' docs, the guides,
// recipes and migration guides, except those marked `fragment`. A server that a block starts
// listens on a free port, is asked for `/`, and must not respond with 5xx. A `text output` block
// right after a program is what the program must print.
interface Block {
  /** Document that contains the block. */
  document: string
  file: string
  code: string
  output: string | undefined
}

// TypeScript is checked as in a strict project of a user. JavaScript has no annotations for
// parameters.
const extended = { extends: '../../../tsconfig.base.json' }
const settings = {
  'tsconfig.ts.json': { ...extended, compilerOptions: { exactOptionalPropertyTypes: false }, include: ['*.ts'] },
  'tsconfig.js.json': {
    ...extended,
    compilerOptions: { allowJs: true, checkJs: true, noImplicitAny: false, exactOptionalPropertyTypes: false },
    include: ['*.mjs', '*.cjs'],
  },
}

const only = process.argv[2]
const problems: string[] = []
const groups = publishedWorkspaces().map(({ folder }) => ({ folder, documents: listDocuments(folder) }))
const pages = trackedFiles(/^apps\/docs\/(guides|recipes|migrate)\/.*\.md$/).map((file) =>
  file.slice('apps/docs/'.length),
)
for (const { folder, documents } of [...groups, { folder: 'apps/docs', documents: pages }]) {
  if (!only || folder.endsWith(only)) check(folder, documents)
}
report('readmes', problems)

function check(folder: string, documents: readonly string[]): void {
  const blocks = documents.flatMap((document) =>
    findBlocks(document, readFileSync(join(root, folder, document), 'utf8')),
  )
  const scratch = join(root, folder, 'readme.tmp')
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch)
  for (const { file, code } of blocks) writeFileSync(join(scratch, file), code)
  for (const [project, config] of Object.entries(settings)) {
    const isTypeScript = project === 'tsconfig.ts.json'
    if (!blocks.some(({ file }) => file.endsWith('.ts') === isTypeScript)) continue
    writeFileSync(join(scratch, project), JSON.stringify(config))
    const types = spawnSync('tsc', ['-p', join(scratch, project)], { encoding: 'utf8' })
    if (types.status !== 0) problems.push(`${folder} does not type-check:\n${types.error ?? types.stdout}`)
  }
  for (const block of blocks) {
    const problem = run(scratch, block)
    if (problem) problems.push(`${folder}/${block.document} ${block.file}: ${problem}\n${block.code}`)
  }
  console.log(`readmes: ${folder}, ${blocks.length} blocks`)
  rmSync(scratch, { recursive: true })
}

function findBlocks(document: string, markdown: string): Block[] {
  const fences = [...markdown.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```/gm)]
  return fences.flatMap(([, language = '', info = '', code = ''], index) => {
    if (!/^(js|ts|mjs|cjs)$/.test(language) || info.includes('fragment')) return []
    const next = fences[index + 1]
    const isOutput = next?.[1] === 'text' && next[2]?.includes('output')
    const isCommonJs = language === 'cjs' || (/\brequire\(/.test(code) && !/^import /m.test(code))
    const extension = language === 'ts' ? 'ts' : isCommonJs ? 'cjs' : 'mjs'
    const file = `${document.replace(/\W+/g, '-')}-${index + 1}.${extension}`
    return [{ document, file, code, output: isOutput ? next?.[3] : undefined }]
  })
}

function run(scratch: string, { file, output }: Block): string | undefined {
  const preload = join(import.meta.dirname, 'readme-preload.ts')
  const options = ['--conditions=@svc/source', '--import', preload, file]
  const child = spawnSync('node', options, { cwd: scratch, encoding: 'utf8', timeout: 20_000 })
  if (child.status !== 0) return `ended with ${child.status ?? child.signal}\n${child.stderr}`
  if (output !== undefined && child.stdout.trim() !== output.trim())
    return `prints\n${child.stdout}\nand not\n${output}`
  return undefined
}
