import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billOfMaterials } from '../tools/bill-of-materials.ts'
import { publishedWorkspaces, readManifest, root } from '../tools/files.ts'
import { type Places, runCurls } from './commands.ts'
import { answerTo, paste, start, timeless } from './paste.ts'
import { emptyProject, installedProject, type Project } from './project.ts'
import { type Exchange, firstProgram, readCommands, readExchanges } from './readme.ts'
import { type Registry, startRegistry } from './registry.ts'
import { addChangeset, prepareRelease, prerelease, type Release, release } from './release.ts'
import { runtimes } from './runtimes.ts'
import { startFromSource, startServer } from './start-server.ts'
import { importEverything } from './subpaths.ts'
import { compile, compilers, modes } from './typescript.ts'

// A release as the workflow makes it, into a registry on loopback, and projects outside of the
// repository that install it.
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

test.each(['cyclonedx', 'spdx'] as const)(
  'a release has a bill of materials: %s',
  (format) => {
    for (const [name, others] of [
      ['errors', []],
      ['soap-envelope', ['saxes']],
      ['reference-server', names],
    ] as const) {
      const manifest = readManifest(
        join(published.folder, name === 'reference-server' ? 'apps' : 'packages', name, 'package.json'),
      )
      const bill = billOfMaterials(manifest, format, registry.env)
      for (const each of [`@svc/${name}`, ...others]) expect(bill).toContain(`pkg:npm/${each.replace('@', '%40')}@`)
      expect(bill).not.toContain('pkg:npm/vitest@')
    }
  },
  60_000,
)

describe('TypeScript', () => {
  test.each(modes.filter(({ emits }) => !emits))(
    'compiles under $name with $compiler',
    async (mode) => {
      await compile(express5, mode)
    },
    120_000,
  )

  test('refuses what the types refuse', async () => {
    express4.write('esm/wrong.ts', "import { rateLimit } from '@svc/ratelimit'\nrateLimit({ limitt: 3 })\n")
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

// @svc/soap-envelope has one copy of its code: decision 131.
test('the CommonJS copies of the other packages work where require() takes no ES modules', async () => {
  const others = names.filter((name) => name !== '@svc/soap-envelope')
  const program = `for (const name of ${JSON.stringify(others)})
    if (Object.keys(require(name)).length === 0) throw new Error(name + ' exports nothing')
  console.log(require('@svc/errors').httpError(404).status)`
  expect(await express5.run('node', '--no-experimental-require-module', '-e', program)).toBe('404\n')
})

test('a bundler makes one file of all packages, and it works', async () => {
  const esbuild = join(root, 'node_modules/.bin/esbuild')
  const options = ['--bundle', '--platform=node', '--format=esm', '--minify', '--outfile=bundle.mjs']
  await express5.run(esbuild, 'esm/with-node.js', ...options)
  expect(await express5.run('node', 'bundle.mjs')).toContain('all seven packages work')
})

describe('the README', () => {
  test.each(names)('of %s: its first blocks, pasted into an empty folder, answer as it shows', async (name) => {
    const readme = readFileSync(join(root, 'packages', name.slice(5), 'README.md'), 'utf8')
    const project = emptyProject(registry)
    for (const { command } of readCommands(readme.slice(0, readme.indexOf('```js')))) {
      await project.run('bash', '-c', command)
    }
    const pasted = await paste(project, firstProgram(readme))
    const exchanges = readExchanges(readme)
    expect(exchanges.length).toBeGreaterThan(0)
    for (const exchange of exchanges) await expectShown(pasted.url, exchange)
    await pasted.stop()
    project.remove()
  })

  test('of npm create: a service that compiles, passes its tests, and answers as it shows', async () => {
    const readme = readFileSync(join(root, 'packages/create/README.md'), 'utf8')
    const project = emptyProject(registry)
    const commands = readCommands(readme).map(({ command }) => command)
    const started = Date.now()
    const printed = await project.run('bash', '-ec', commands.slice(0, -1).join('\n'))
    console.log(`npm create, install and test: ${((Date.now() - started) / 1000).toFixed(1)} s`)
    expect(printed).toMatch(/fail 0\n/)
    expect(commands.at(-1)).toBe('npm start')
    const service = await start(project, 'npm', ['--silent', '--prefix', 'my-service', 'start'])
    for (const exchange of readExchanges(readme)) await expectShown(service.url, exchange)
    await expectTold(project, project.read('my-service/README.md'), service)
    await service.stop()
    await project.run('npm', '--prefix', 'my-service', 'run', 'typecheck')
    await expect(project.run('npm', 'create', '@svc', 'my-service')).rejects.toThrow(/is not empty: nothing was/)
    project.remove()
  }, 120_000)

  test('of the server: it starts by npx, serves, and stops', async () => {
    const server = await startServer(registry, published.versions['@svc/reference-server'] ?? '')
    const authorization = `Basic ${btoa('ada:ada-demo')}`
    const answer = await fetch(`${server.url}/employees/1`, { headers: { accept: 'application/json', authorization } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id: 1, name: expect.any(String) })
    await expectTold(express5, readFileSync(join(root, 'apps/docs/guides/operation.md'), 'utf8'), server)
    expect(await server.stop()).toBe(0)
  }, 300_000)

  test('of the repository: npm start serves what is in it', async () => {
    const { scripts } = readManifest(join(root, 'package.json'))
    expect(readCommands(readFileSync(join(root, 'README.md'), 'utf8'))[0]?.command).toBe('npm ci && npm start')
    const server = await startFromSource(registry, scripts?.['start'] ?? '')
    const overview = await fetch(server.url, { headers: { accept: 'text/html' } })
    expect(await overview.text()).toContain('</html>')
    expect(await server.stop()).toBe(0)
  }, 60_000)

  test('the recipe of a payment: its program and its curl lines', async () => {
    const recipe = readFileSync(join(root, 'apps/docs/recipes/payment-once.md'), 'utf8')
    const pasted = await paste(express5, firstProgram(recipe))
    await expectTold(express5, recipe, pasted)
    await pasted.stop()
  })
})

async function expectShown(url: string, exchange: Exchange): Promise<void> {
  const { body, ...answer } = timeless(await answerTo(url, exchange))
  const { body: shown, ...rest } = timeless(exchange.response)
  expect(answer).toEqual(rest)
  if (shown) expect(body).toBe(shown)
}

async function expectTold(project: Project, markdown: string, places: Places): Promise<void> {
  const ran = await runCurls(project, markdown, places)
  expect(ran.length).toBeGreaterThan(0)
  for (const { command, printed, told } of ran)
    for (const each of told) expect(printed, command).toContain(each.replace(/^(?=\d)/, 'HTTP/1.1 '))
}

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

test('prereleases are `next`, a maintained line is `maintenance`, and `latest` stays', async () => {
  const tags = async (): Promise<Record<string, string>> =>
    JSON.parse(await express5.run('npm', 'view', '@svc/hal', 'dist-tags', '--json', '--prefer-online'))
  const { latest: before = '' } = await tags()
  prerelease(published, 'enter', 'next')
  addChangeset(published, '@svc/hal', 'minor', 'Something to try.')
  release(published, registry)
  const { latest: still, next = '' } = await tags()
  expect([still, next]).toEqual([before, expect.stringMatching(/-next\.0$/)])
  prerelease(published, 'exit')
  release(published, registry)
  const { latest: newest } = await tags()
  expect(newest).toBe(next.replace('-next.0', ''))

  addChangeset(published, '@svc/hal', 'patch', 'A defect mended, also for those who stay.')
  const { versions } = release(published, registry, 'maintenance/hal')
  expect(await tags()).toMatchObject({ latest: newest, maintenance: versions['@svc/hal'] })
}, 120_000)
