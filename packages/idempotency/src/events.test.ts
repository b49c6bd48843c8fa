import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('with NODE_DEBUG, each replay writes one line, with the hash of its key only', () => {
  const source = process.env['SVC_DIST'] ? [] : ['--conditions=@svc/source']
  const file = join(import.meta.dirname, 'testing/replaying.ts')
  const env = { ...process.env, NODE_DEBUG: 'svc:idempotency' }
  const { stderr } = spawnSync(process.execPath, ['--no-warnings', ...source, file], { env, encoding: 'utf8' })
  const lines = stderr.trim().split('\n')
  const types = lines.map((line) => /^SVC:IDEMPOTENCY \d+: (\w+) [\w-]{12}\b/.exec(line)?.[1])
  expect(types).toEqual(['run', 'stored', 'replay', 'replay', 'refused'])
  expect(stderr).not.toMatch(/secret-key|ada/)
})
