import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startProgram } from '../../internal/testing/programs.ts'
import { create } from './create.ts'

const template = join(import.meta.dirname, '../template')
const ranges = { '@svc/errors': '^1.2.0', '@svc/hal': '^1.0.0' }
let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-create-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

describe('writes a service', () => {
  test('to a new directory, with its name and the tested ranges', () => {
    const directory = create({ target: 'shops/my-service', cwd, template, ranges })
    expect(directory).toBe(join(cwd, 'shops/my-service'))
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).toMatchObject({ name: 'my-service', private: true, type: 'module', dependencies: ranges })
    expect(readdirSync(directory).sort()).toEqual(
      ['.gitignore', 'README.md', 'package.json', 'src', 'test', 'tsconfig.json'].sort(),
    )
  })

  test('to the current directory, if it is empty except for .git', () => {
    mkdirSync(join(cwd, 'here/.git'), { recursive: true })
    expect(create({ target: '.', cwd: join(cwd, 'here'), template, ranges })).toBe(join(cwd, 'here'))
    expect(existsSync(join(cwd, 'here/src/app.ts'))).toBe(true)
  })
})

describe('writes nothing', () => {
  test('to a directory that is not empty', () => {
    mkdirSync(join(cwd, 'taken'))
    writeFileSync(join(cwd, 'taken/precious.txt'), 'mine')
    expect(() => create({ target: 'taken', cwd, template, ranges })).toThrow(/is not empty: nothing was written$/)
    expect(readdirSync(join(cwd, 'taken'))).toEqual(['precious.txt'])
  })

  test.each(['My Service', 'sérvice', '.hidden', '-x', 'a'.repeat(215)])('for the name %j', (target) => {
    expect(() => create({ target, cwd, template, ranges })).toThrow(/is not a valid package name/)
    expect(readdirSync(cwd)).toEqual([])
  })
})

test('the tests of the template pass', () => {
  const { status, stdout } = spawnSync(process.execPath, ['--conditions=@svc/source', '--test'], {
    cwd: template,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
  })
  expect(stdout).toMatch(/pass 10\n/)
  expect(status).toBe(0)
})

// One slow route replaces the others: it responds after the signal.
test('npm start passes signals on, and the service responds before it stops', { timeout: 30_000 }, async () => {
  const directory = create({ target: 'service', cwd, template, ranges })
  writeFileSync(
    join(directory, 'src/app.ts'),
    `import { createServer } from 'node:http'
    export const createApp = () => createServer((_req, res) => {
      process.once('SIGTERM', () => setImmediate(() => res.end('responded')))
      process.stdin.once('end', () => process.exit()).resume().unref()
      process.stdout.write('requested')
    })`,
  )
  const npm = startProgram('npm', ['--silent', 'start'], { cwd: directory, env: { ...process.env, PORT: '0' } })
  npm.once('exit', () => npm.stdin.end()) // ends a service that did not get the signal
  let response: Promise<string> | undefined
  for await (const chunk of npm.stdout as AsyncIterable<Buffer>) {
    const url = /http:\S+/.exec(chunk.toString())?.[0]
    if (url) response = fetch(url, { headers: { connection: 'close' } }).then((res) => res.text())
    else npm.kill('SIGTERM')
  }
  expect(await response).toBe('responded')
})
