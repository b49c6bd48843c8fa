import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('testing/speed.ts', import.meta.url))

function costOf(kind: 'floor' | 'ours'): number {
  return Number(execFileSync(process.execPath, ['--conditions=@svc/source', script, kind]).toString())
}

// The parser turns five times slower when V8 makes a dictionary of it: see parser.ts.
test('reading into elements with every limit on costs less than 1.67 times the bare events of saxes', () => {
  const ratios = [1, 2].map(() => costOf('ours') / costOf('floor'))
  expect(Math.min(...ratios)).toBeLessThan(1.67)
})
