import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProgram } from '../../packages/internal/testing/programs.ts'
import { startPostgres, startRedis, type TestServer } from '../../packages/internal/testing/servers.ts'

const root = join(import.meta.dirname, '../..')
const chapters = readFileSync(join(import.meta.dirname, 'tutorial.md'), 'utf8')
  .split(/^## (?=\d)/m)
  .slice(1)
  .map((chapter) => ({
    title: chapter.slice(0, chapter.indexOf('\n')),
    files: [...chapter.matchAll(/^```\w+ ((?:src|test)\/\S+)\n([^]*?)^```/gm)],
    curls: [...chapter.matchAll(/^(curl .*?) {2}# (.*)$/gm)].map(([, command = '', told = '']) => ({ command, told })),
  }))
const IN_MEMORY = { REDIS_URL: '', DATABASE_URL: '' }

// The directory that a reader has: the template, then the files of each chapter on top of those
// before.
let folder: string
let redis: TestServer | undefined
let postgres: TestServer | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(import.meta.dirname, '.tutorial-'))
  cpSync(join(root, 'packages/create/template'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  redis = await startRedis()
  postgres = await startPostgres()
}, 60_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await redis?.stop()
  await postgres?.stop()
})

test('every chapter ends with a program that responds', () => {
  expect(chapters.map(({ title, curls }) => [title[0], curls.length > 0])).toEqual(
    ['1', '2', '3', '4', '5', '6'].map((chapter) => [chapter, true]),
  )
})

describe.each(chapters.map((chapter) => [chapter.title, chapter] as const))('%s', (title, { files, curls }) => {
  test('the tests of the chapter pass', { timeout: 120_000 }, () => {
    for (const [, file = '', code = ''] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), code)
    }
    expectPass(runNode(['--conditions=@svc/source', '--test'], IN_MEMORY))
  })

  test('the service passes the strict type check of the template', { timeout: 60_000 }, () => {
    const tsc = join(root, 'node_modules/.bin/tsc')
    expect(existsSync(tsc)).toBe(true)
    const run = runNode([tsc, '-p', folder, '--customConditions', '@svc/source', '--lib', 'es2024'], {})
    expect(run.stdout).toBe('')
    expect(run.status).toBe(0)
  })

  test('the program responds as the text says', { timeout: 60_000 }, () => expectResponses(curls, IN_MEMORY))

  if (!/^[56]/.test(title)) return
  test('tests and program, with Redis and PostgreSQL', { timeout: 180_000 }, async (context) => {
    if (!redis || !postgres) return context.skip('Redis or PostgreSQL is not installed')
    const shared = { REDIS_URL: redis.url, DATABASE_URL: postgres.url }
    expectPass(runNode(['--conditions=@svc/source', '--test'], shared))
    await expectResponses(curls, shared)
  })
})

function runNode(args: readonly string[], more: NodeJS.ProcessEnv): { status: number | null; stdout: string } {
  const env = { ...process.env, ...more, NODE_OPTIONS: '' }
  return spawnSync(process.execPath, [...args], { cwd: folder, env, encoding: 'utf8' })
}

function expectPass({ status, stdout }: { status: number | null; stdout: string }): void {
  expect(status, stdout).toBe(0)
  expect(stdout).toMatch(/(?:# |ℹ )pass [1-9]/)
}

async function expectResponses(curls: readonly { command: string; told: string }[], more: NodeJS.ProcessEnv) {
  const env = { ...process.env, ...more, NODE_OPTIONS: '', PORT: '0' }
  const service = startProgram(process.execPath, ['--conditions=@svc/source', 'src/server.ts'], { cwd: folder, env })
  const ended = once(service, 'exit')
  try {
    const port = await readPort(service)
    for (const { command, told } of curls) {
      const aimed = `${command.replace('localhost:3000', `localhost:${port}`)} -sS --max-time 20`
      const { stdout } = await promisify(execFile)('bash', ['-c', aimed])
      for (const part of told.split(', ')) expect(stdout, command).toContain(part.replace(/^(?=\d{3}$)/, 'HTTP/1.1 '))
    }
  } finally {
    service.kill()
    await ended
  }
}

async function readPort(service: ChildProcess): Promise<string> {
  const [line] = (await once(service.stdout ?? service, 'data')) as [Buffer]
  return /:(\d+)/.exec(line.toString())?.[1] ?? ''
}
