import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, trackedFiles } from './files.ts'

// A small repository with the checks in it: `@svc/x` was released as 1.2.0, and imports one file of
// `internal`.
let folder: string
const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-changesets-'))
  for (const file of trackedFiles(/^apps\/tools\/(?!.*\.test\.ts).*\.(ts|json)$/))
    cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  write('.gitignore', 'node_modules\n')
  write('packages/x/package.json', manifest('>=20'))
  write('packages/x/src/index.ts', "import { one } from '../../internal/one.ts'\nexport const x = one\n")
  write('packages/x/src/index.test.ts', '')
  write('packages/x/template/test/app.test.ts', '')
  write('packages/x/template/README.md', '# x')
  write('packages/internal/one.ts', 'export const one = 1\n')
  write('packages/internal/two.ts', 'export const two = 2\n')
  write('apps/docs/api/x.md', 'declare const x: 1;\n')
  write('apps/docs/api/codes.txt', 'x ERR_X_A\n')
  write('apps/docs/api/fields.txt', fields)
  write('.changeset/old.md', changeset('major', '### Who is affected\n\n### How to migrate\n'))
  git('init', '-b', 'main')
  git('config', 'user.name', 'test')
  git('config', 'user.email', 'test@localhost')
  git('add', '.')
  git('commit', '-m', 'Base')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fields = 'x 429: retry-after: 60\n'
const source = { 'packages/x/src/index.ts': 'export const x = 2\n' }
const grown = { 'apps/docs/api/x.md': 'declare const x: 1;\ndeclare const y: 1;\n' }
const shrunk = { 'apps/docs/api/x.md': 'declare const x: 2;\n' }

test.each([
  { change: 'nothing', files: {}, says: 'changesets: ok' },
  { change: 'a test', files: { 'packages/x/src/index.test.ts': '//' }, says: 'changesets: ok' },
  { change: 'a README', files: { 'packages/x/README.md': '# x' }, says: 'changesets: ok' },
  { change: 'a shared file that nobody imports', files: { 'packages/internal/two.ts': '//' }, says: 'changesets: ok' },
  { change: 'a source without a changeset', files: source, says: 'packages/x/src/index.ts changed, and no changeset' },
  {
    change: 'a shared file that it imports',
    files: { 'packages/internal/one.ts': '//' },
    says: 'packages/internal/one.ts changed',
  },
  {
    change: 'what the manifest promises',
    files: { 'packages/x/package.json': manifest('>=22') },
    says: 'packages/x/package.json changed',
  },
  {
    change: 'a test of a template',
    files: { 'packages/x/template/test/app.test.ts': '//' },
    says: 'packages/x/template/test/app.test.ts changed',
  },
  {
    change: 'a file less',
    files: { 'packages/x/template/README.md': undefined },
    says: 'packages/x/template/README.md changed',
  },
  { change: 'a source, with a patch', files: { ...source, ...pending('patch') }, says: 'changesets: ok' },
  {
    change: 'one more export, with a patch',
    files: { ...source, ...grown, ...pending('patch') },
    says: 'needs a minor changeset',
  },
  {
    change: 'one more export, with a minor',
    files: { ...source, ...grown, ...pending('minor') },
    says: 'changesets: ok',
  },
  {
    change: 'another type, with a minor',
    files: { ...source, ...shrunk, ...pending('minor') },
    says: 'needs a major changeset',
  },
  {
    change: 'a code less, with a minor',
    files: { ...source, 'apps/docs/api/codes.txt': '', ...pending('minor') },
    says: 'needs a major',
  },
  {
    change: 'one more field, with a patch',
    files: { ...source, 'apps/docs/api/fields.txt': `${fields}x 200: etag: "1"\n`, ...pending('patch') },
    says: 'needs a minor changeset',
  },
  {
    change: 'another value of a field, with a minor',
    files: { ...source, 'apps/docs/api/fields.txt': fields.replace('60', '30'), ...pending('minor') },
    says: 'needs a major changeset',
  },
  {
    change: 'a field of another package, with a patch',
    files: { ...source, 'apps/docs/api/fields.txt': `${fields}xy 200: etag: "1"\n`, ...pending('patch') },
    says: 'changesets: ok',
  },
  {
    change: 'a major without headings',
    files: { ...source, ...pending('major') },
    says: 'has no heading "How to migrate"',
  },
  {
    change: 'a changeset of another package',
    files: { ...source, '.changeset/new.md': '---\n"@svc/y": major\n---\n' },
    says: 'no changeset names @svc/x',
  },
])('$change: $says', ({ files, says }) => {
  commit(files)
  expect(check(['HEAD~1']).said).toContain(says)
  git('reset', '--hard', 'HEAD~1')
})

test('a branch is compared with the main branch, unless another revision is named', () => {
  git('switch', '-c', 'feature')
  commit(source)
  const { said, status } = check([])
  expect(said).toContain('packages/x/src/index.ts changed, and no changeset')
  expect(status).toBe(1)
  expect(check([], 'HEAD').status).toBe(0)
  expect(check([], 'origin/gone').said).toContain('there is no revision origin/gone')
  expect(check([], 'origin/gone').status).toBe(1)
  git('switch', 'main')
  expect(check([]).status).toBe(0)
})

test('a new version has consumed the changesets, and later changes need another one', () => {
  git('switch', '-c', 'release')
  commit({ ...source, ...shrunk, ...pending('minor') })
  write('packages/x/package.json', manifest('>=20', '2.0.0'))
  expect(check(['main']).status).toBe(0)
  commit({ '.changeset/new.md': undefined, '.changeset/old.md': undefined })
  expect(check(['main']).status).toBe(0)
  commit({ 'packages/x/src/index.ts': 'export const x = 3\n' })
  expect(check(['main']).said).toContain('packages/x/src/index.ts changed, and no changeset')
  commit(pending('patch'))
  expect(check(['main']).status).toBe(0)
  git('switch', 'main')
})

function commit(files: Record<string, string | undefined>): void {
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(folder, file))
    else write(file, text)
  }
  git('add', '.')
  git('commit', '--allow-empty', '-m', 'Change')
}

function check(args: string[], CHANGESETS_BASE = ''): { said: string; status: number | null } {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, CHANGESETS_BASE } } as const
  const { stdout, stderr, status } = spawnSync(process.execPath, ['apps/tools/changesets.ts', ...args], options)
  return { said: stdout + stderr, status }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

function pending(size: string): Record<string, string> {
  return { '.changeset/new.md': changeset(size, 'Text.') }
}

function changeset(size: string, text: string): string {
  return `---\n"@svc/x": ${size}\n---\n\n${text}\n`
}

function manifest(node: string, version = '1.2.0'): string {
  return JSON.stringify({ name: '@svc/x', version, exports: { '.': {} }, engines: { node } }, null, 2)
}
