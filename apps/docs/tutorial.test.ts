import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const chapters = readFileSync(join(import.meta.dirname, 'tutorial.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((chapter) => ({
    title: chapter.slice(0, chapter.indexOf('\n')),
    files: [...chapter.matchAll(/^```\w+ ((?:src|test)\/\S+)\n([^]*?)^```/gm)],
  }))

const runnable = chapters.filter(({ files }, index) => index === 0 || files.length > 0)

// The directory that a reader has: the template, then the files of each chapter on top of those before.
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, '.tutorial-'))
  cpSync(join(root, 'packages/create/template'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('has chapters whose code is run', () => {
  expect(runnable.map(({ title }) => title[0])).toEqual(['1', '2', '3', '4', '5'])
})

test.each(runnable.map((chapter) => [chapter.title, chapter] as const))(
  '%s: the tests of the chapter pass',
  (_, chapter) => {
    for (const [, file = '', code = ''] of chapter.files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), code)
    }
    const run = runNode(['--conditions=@svc/source', '--test'])
    expect(run.status, run.stdout).toBe(0)
    expect(run.stdout).toMatch(/(?:# |ℹ )pass [1-9]/)
  },
)

test('the finished service passes the strict type check of the template', () => {
  const tsc = join(root, 'node_modules/.bin/tsc')
  expect(existsSync(tsc)).toBe(true)
  const run = runNode([tsc, '-p', folder, '--customConditions', '@svc/source', '--lib', 'es2024'])
  expect(run.stdout).toBe('')
  expect(run.status).toBe(0)
})

function runNode(args: readonly string[]): { status: number | null; stdout: string } {
  const env = { ...process.env, REDIS_URL: '', DATABASE_URL: '', NODE_OPTIONS: '' }
  return spawnSync(process.execPath, [...args], { cwd: folder, env, encoding: 'utf8' })
}
