import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../packages/internal/testing/programs.ts'

// In this directory, so that the files find vitest.
const folder = mkdtempSync(join(import.meta.dirname, 'stalled-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['a file that blocks its process', 'for (const end = Date.now() + 12_000; Date.now() < end; );', 'a.test.js'],
  [
    'a program that holds the output open',
    "import { spawn } from 'node:child_process'; import { test } from 'vitest'; test('', () => void spawn('sleep', ['12'], { stdio: 'inherit' }))",
    'all files have ended',
  ],
])('ends a run because of %s, and names it', async (_, source, named) => {
  const reporter = JSON.stringify(join(import.meta.dirname, 'stalled-reporter.ts'))
  writeFileSync(join(folder, 'a.test.js'), source)
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `import { StalledReporter } from ${reporter}
    export default { test: { pool: 'forks', reporters: [new StalledReporter(6000)] } }`,
  )
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  const ended = run(process.execPath, [vitest, 'run', '--root', folder], folder)
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(`nothing was reported for 6 s: .*${named}`),
  })
})
