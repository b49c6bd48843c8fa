import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedWorkspaces, root } from '../tools/files.ts'
import { pasteFirstProgram } from './paste.ts'
import { emptyProject, installedProject, type Project } from './project.ts'
import { type Registry, startRegistry } from './registry.ts'
import { addChangeset, prepareRelease, type Release, release } from './release.ts'
import { runtimes } from './runtimes.ts'
import { startServer } from './start-server.ts'
import { importEverything } from './subpaths.ts'
import { compile, compilers, modes } from './typescript.ts'

// A release as the workflow makes it, into a registry on loopback, and projects outside of the repository that install it.
const manifests = publishedWorkspaces().map(({ manifest }) => manifest)
const packages = manifests.filter(({ name }) => !/server|create/.test(name))
const names = packages.map(({ name }) => name)
const latest = Object.fromEntries(names.map((name) => [name, 'latest']))
const types = { '@types/node': '^22', 'typescript-5': compilers['typescript-5'] }

let registry: Registry
let published: Release
let express5: Project
let express4: Project

beforeAll(async () => {
  registry = await startRegistry()
  published = release(prepareRelease(), registry)
  const newest = { ...latest, ...types, ...compilers, express: '^5', '@types/express': '^5' }
  const older = { ...latest, ...types, express: '^4', '@types/express': '^4' }
  express5 = await installedProject(registry, newest)
  express4 = await installedProject(registry, older)
  for (const kind of ['esm', 'cjs']) express5.write(`${kind}/everything.ts`, importEverything(packages))
  for (const mode of modes) if (mode.emits) await Promise.all([compile(express5, mode), compile(express4, mode)])
}, 300_000)

afterAll(async () => {
  for (const project of [express5, express4]) project?.remove()
  published?.remove()
  await registry?.stop()
}, 60_000)

describe('what is published', () => {
  test.each(names)('%s carries its README, licence and changelog, and runs nothing at installation', (name) => {
    const files = readdirSync(join(express5.folder, 'node_modules', name))
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'dist', 'package.json']))
    const manifest = express5.read(`node_modules/${name}/package.json`)
    expect(manifest).not.toMatch(/"(pre|post)?install"/)
    expect(express5.read(`node_modules/${name}/CHANGELOG.md`)).toContain(`## ${express5.versionOf(name)}`)
  })
})

describe('TypeScript', () => {
  test.each(modes.filter(({ emits }) => !emits))(
    'compiles under $name with $compiler',
    async (mode) => {
      await compile(express5, mode)
    },
    120_000,
  )

  test('refuses what the types refuse', async () => {
    express4.write('esm/wrong.ts', "import { ratelimit } from '@svc/ratelimit'\nratelimit({ limitt: 3 })\n")
    const mode = { name: 'wrong', compiler: 'typescript-5', kind: 'esm', options: { module: 'nodenext' } } as const
    await expect(compile(express4, mode)).rejects.toThrow(/wrong\.ts\(2,13\).*limitt/s)
  }, 60_000)
})

describe.each(runtimes)('$name', ({ name, binary, missing }) => {
  const says = `all seven packages work on Node ${name.slice(4)}`

  test.skipIf(missing).each([
    ['esm', 'with-express'],
    ['esm', 'with-node'],
    ['cjs', 'with-express'],
    ['cjs', 'with-node'],
  ])('runs a service of all packages: %s, %s', async (kind, program) => {
    expect(await express5.run(binary, `${kind}/${program}.js`)).toContain(says)
  })

  test.skipIf(missing).each(['esm', 'cjs'])('runs it with Express 4: %s', async (kind) => {
    expect(express4.versionOf('express')).toMatch(/^4\./)
    expect(await express4.run(binary, `${kind}/with-express.js`)).toContain(says)
  })

  test.skipIf(missing).each(['esm', 'cjs'])('imports every subpath: %s', async (kind) => {
    const counts = JSON.parse(await express5.run(binary, `${kind}/everything.js`)) as [string, number][]
    expect(counts.length).toBeGreaterThan(names.length)
    expect(counts.filter(([, count]) => count === 0)).toEqual([])
  })

  test.skipIf(missing)('gives require and import the same instance', async () => {
    const program = `import('@svc/errors').then((module) => console.log(module.HttpError === require('@svc/errors').HttpError))`
    expect(await express5.run(binary, '-e', program)).toBe('true\n')
  })
})

test('the CommonJS files work where require() takes no ES modules', async () => {
  const flag = '--no-experimental-require-module'
  expect(await express5.run('node', flag, 'cjs/with-express.js')).toContain('all seven packages work')
})

test('a bundler makes one file of all packages, and it works', async () => {
  const esbuild = join(root, 'node_modules/.bin/esbuild')
  const options = ['--bundle', '--platform=node', '--format=esm', '--minify', '--outfile=bundle.mjs']
  await express5.run(esbuild, 'esm/with-node.js', ...options)
  expect(await express5.run('node', 'bundle.mjs')).toContain('all seven packages work')
})

const fields: string[] = []

test.each(names)('the first program of the README of %s, pasted, answers as the README shows', async (name) => {
  const { shown, answer } = await pasteFirstProgram(express5, express5.read(`node_modules/${name}/README.md`))
  fields.push(...answer.fields.filter((field) => !ofTheHost.test(field)).map((field) => `${name.slice(5)} ${field}\n`))
  expect(answer.status).toBe(shown.status)
  expect(answer.fields).toEqual(expect.arrayContaining(shown.fields.map((field) => field.toLowerCase())))
  expect(answer.members).toEqual(shown.members)
})

// Fields are promised like types and codes: a new one is a minor, one that goes is a major (tools/changesets.ts).
const ofTheHost = /^(connection|content-length|date|keep-alive|transfer-encoding|x-powered-by)$/

test('these answers have the fields that are written down', async () => {
  await expect(fields.join('')).toMatchFileSnapshot('../docs/api/fields.txt')
})

test('the server starts by npx, serves, and stops', async () => {
  const server = await startServer(registry)
  try {
    const answer = await fetch(`${server.url}/employees`, { headers: { accept: 'application/json' } })
    expect([200, 401]).toContain(answer.status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  } finally {
    expect(await server.stop()).toBe(0)
  }
}, 120_000)

test('npm create starts a service that compiles and whose tests pass', async () => {
  const project = emptyProject(registry)
  const started = Date.now()
  await project.run('npm', 'create', '--yes', '@svc', 'my-service')
  const run = (...args: string[]): Promise<string> => project.run('npm', '--prefix', 'my-service', ...args)
  await run('install')
  expect(await run('test')).toMatch(/pass 5\n/)
  console.log(`npm create, install and test: ${((Date.now() - started) / 1000).toFixed(1)} s`)
  await run('run', 'typecheck')
  await expect(project.run('npm', 'create', '--yes', '@svc', 'my-service')).rejects.toThrow(/is not empty: nothing was/)
  project.remove()
}, 120_000)

test('an upgrade takes a patch of one package and leaves a pinned sibling where it is', async () => {
  const [before, pinned] = [express5.versionOf('@svc/ratelimit'), express5.versionOf('@svc/errors')]
  await express5.run('npm', 'install', `@svc/ratelimit@^${before}`, '--save-exact=false')
  await express5.run('npm', 'install', `@svc/errors@${pinned}`, '--save-exact')
  addChangeset(published, '@svc/ratelimit', 'patch', 'Count what was not counted.')
  addChangeset(published, '@svc/errors', 'major', '### Who is affected\n\nAll.\n\n### How to migrate\n\nRead it.')
  const next = release(published, registry)
  const moved = names.filter((name) => next.versions[name] !== published.versions[name])
  expect(moved.sort()).toEqual(['@svc/errors', '@svc/ratelimit'])

  await express5.run('npm', 'update')
  expect(express5.versionOf('@svc/ratelimit')).toBe(next.versions['@svc/ratelimit'])
  expect(express5.versionOf('@svc/errors')).toBe(pinned)
  expect(await express5.run('node', 'esm/with-express.js')).toContain('all seven packages work')

  await express5.run('npm', 'install', '@svc/errors@latest')
  expect(express5.versionOf('@svc/errors')).toBe(next.versions['@svc/errors'])
  expect(await express5.run('node', 'cjs/with-express.js')).toContain('all seven packages work')
}, 180_000)
