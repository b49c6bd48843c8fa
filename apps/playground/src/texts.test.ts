import { expect, test } from 'vitest'
import { catalogCases } from '../../reference-server/test/catalog-cases.ts'
import { experimentPages } from './experiment-page.ts'
import { demoCatalog } from './texts.ts'

// Names and words that are the same in some languages.
const SAME = [
  'Tokens',
  'Name',
  'Playgrounds',
  'Limits',
  '304 and 412',
  'curl',
  'Format',
  'live',
  'Status',
  'Client {name}',
  'Caching',
  'Versions',
  'bytes',
  'Operation',
  'Limits',
  'Fault',
  'Application',
  'Document',
]

catalogCases('playground', demoCatalog, new Set([...SAME, 'Contradictions', 'SOAP']))

test('every experiment has a title and says what it shows', () => {
  const ids = experimentPages.flatMap(({ experiments }) => experiments.map(({ id }) => id))
  const said = Object.keys(demoCatalog.en).flatMap((key) => (key.endsWith('.says') ? [key.slice(0, -5)] : []))
  expect(ids.sort()).toEqual(said.sort())
})
