import { readFileSync } from 'node:fs'
import { type VersionClues, versioning } from '@svc/versioning'
import { describe, expect, test } from 'vitest'

interface Vector {
  path?: string
  api?: string
  acceptVersion?: string
  accept?: string
  contentType?: string
}

const vectors = JSON.parse(readFileSync(new URL('../vectors/versioning.json', import.meta.url), 'utf8')) as [
  Vector,
  string,
][]

describe('the 42 vectors of choosing', () => {
  const api = versioning({ versions: ['1', '2'], default: '1', vendor: 'svc' })

  test.each(vectors)('%j is %s', ({ api: apiVersion, ...rest }, expected) => {
    const clues: VersionClues = { ...rest, apiVersion }
    const decision = api.choose(clues)
    const actual =
      'status' in decision
        ? `${decision.status} ${decision.code}`
        : `${decision.version} ${decision.mediaType ?? 'application/json'}`
    const [status = '', name] = expected.split(' ')
    if (Number(status) < 400) expect(actual).toBe(expected)
    else
      expect(actual).toBe(
        `${status} ${name ? name.replace('VERSION', 'ERR_VERSIONING') : 'ERR_VERSIONING_UNSUPPORTED'}`,
      )
  })

  test('are all there', () => {
    expect(vectors).toHaveLength(42)
  })
})
