import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FLOW } from './overview.ts'

test('the drawing has the packages in the order of app.ts', () => {
  const source = readFileSync(new URL('../../app.ts', import.meta.url), 'utf8')
  const guards = /const guards = \[([^\]]*)\]/.exec(source)?.[1] ?? ''
  const stages = /stages: \[([^]*?)\n {4}\]/.exec(source)?.[1] ?? ''
  expect(stages).toContain('...guards,')
  const afterSoap = stages.slice(stages.indexOf('\n', stages.indexOf('// @svc/soap-envelope')))
  const order = [...afterSoap.replace('...guards,', () => guards).matchAll(/@svc\/([a-z-]+)/g)].map(([, name]) => name)
  expect(FLOW.flatMap((stage) => stage.package ?? [])).toEqual(order)
})
