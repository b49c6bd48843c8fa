import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../reference-server/src/index.ts'
import { type Service, startService } from '../../reference-server/test/service.ts'
import { demonstrations } from '../src/demonstrations/all.ts'
import { experimentPages } from '../src/experiment-page.ts'
import { mapRules, visibleRules } from '../src/map-page.ts'
import { rules } from '../src/rules.ts'
import { runExperiment } from './run-experiment.ts'

let service: Service
let before: Record<string, unknown>
beforeAll(async () => {
  service = await startService({ SVC_RATE_LIMIT: '10000/1m', SVC_RATE_LIMIT_ANONYMOUS: '10000/1m' })
  before = await readAll()
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

test('experiments and rules leave the data as they found them', async () => {
  expect(await readAll()).toEqual(before)
})

test('the map names the rules that settings of the server hide, experiments with versions run with them', async () => {
  const settings = { SVC_DEPRECATED_VERSIONS: '1=2026-09-01/2028-12-01' }
  const hiding = await startService({ ...settings, SVC_RATE_LIMIT: 'off' })
  const page = { path: '/_demo/map', headers: { accept: 'text/html' } }
  const { text } = await hiding.check(page, { status: 200 })
  const reasons = { '4.3-ratelimit': 'limits are off', '8-3': 'limits are off', '9-4': 'a version is deprecated' }
  for (const [number, reason] of Object.entries(reasons)) {
    const section = text.slice(text.indexOf(`id="rule-${number}"`)).split('</section>')[0]
    expect(section).toContain(`Not shown: ${reason}`)
    expect(section).not.toContain('data-run=')
  }
  const shown = visibleRules(readConfig({ ...settings, SVC_RATE_LIMIT: 'off' })).filter(({ steps }) => steps.length > 0)
  for (const rule of shown.filter(({ number }) => number.startsWith('9-'))) await runExperiment(rule, hiding)
  const versions = experimentPages.find(({ path }) => path === '/play/versioning')
  for (const experiment of versions?.experiments ?? []) await runExperiment(experiment, hiding)
  expect(text.match(/ data-run="/g)).toHaveLength(shown.length)
  expect((await service.check(page, { status: 200 })).text).not.toContain('Not shown')
  await hiding.running.stop()
})

test('rules run on a service with a public URL, which makes links absolute', async () => {
  const { running, ...named } = await startService({ SVC_PUBLIC_URL: 'http://localhost:3000' })
  for (const number of ['2-links', '2-1', '2-2', '4.1-post', '4.3-location', '4.3-2'])
    for (const rule of mapRules.filter((other) => other.number === number)) await runExperiment(rule, named)
  await running.stop()
})

/** What the collections contain, without the logs that every request to them extends. */
async function readAll(): Promise<Record<string, unknown>> {
  const { text } = await service.check({ as: 'ada', path: '/' }, { status: 200 })
  const { _links } = JSON.parse(text) as { _links: Record<string, { href: string }> }
  const paths = Object.values(_links).flatMap(({ href }) => /^(\/[a-z-]+)\{\?page,size/.exec(href)?.[1] ?? [])
  expect(paths.length).toBeGreaterThan(10)
  const all: Record<string, unknown> = {}
  for (const path of paths.filter((path) => !['/soap-events', '/notifications'].includes(path))) {
    const answer = await service.check({ as: 'ada', path: `${path}?size=100` }, { status: 200 })
    all[path] = JSON.parse(answer.text)
  }
  return all
}
