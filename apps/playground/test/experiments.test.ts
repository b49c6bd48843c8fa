import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../reference-server/test/service.ts'
import { demonstrations } from '../src/demonstrations/all.ts'
import { experimentPages } from '../src/experiment-page.ts'
import { mapRules } from '../src/map-page.ts'
import { rules } from '../src/rules.ts'
import { runExperiment } from './run-experiment.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ SVC_RATE_LIMIT: '10000/1m', SVC_RATE_LIMIT_ANONYMOUS: '10000/1m' })
})
afterAll(() => service.running.stop())

describe('experiments of the playgrounds', () => {
  const all = experimentPages.flatMap(({ experiments }) => experiments)
  test.each(all.map((one) => [one.id, one] as const))('%s', (_, one) => runExperiment(one, service))
})

describe('rules of the specification', () => {
  const shown = mapRules.filter(({ steps }) => steps.length > 0)
  test.each(shown.map((one) => [`${one.number} ${one.says}`, one] as const))('%s', (_, one) =>
    runExperiment(one, service),
  )

  test('only what no request can show has none', () => {
    const none = mapRules.filter(({ steps }) => steps.length === 0).map(({ number }) => number)
    expect(none).toEqual(['4.3-host', '5-3'])
  })

  test('every demonstration is one of a rule', () => {
    const numbers = new Set(rules.map(({ number }) => number))
    expect(Object.keys(demonstrations).filter((number) => !numbers.has(number))).toEqual([])
  })
})
