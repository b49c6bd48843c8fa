import { readFileSync } from 'node:fs'
import { type VersionCandidates, versioning } from '@svc/versioning'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hosts, listen } from '../../internal/testing/hosts.ts'

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

describe('the 42 vectors', () => {
  const api = versioning({ versions: ['1', '2'], default: '1', vendor: 'svc' })

  test.each(vectors)('%j is %s', ({ api: apiVersion, ...rest }, expected) => {
    const candidates: VersionCandidates = { ...rest, apiVersion }
    const decision = api.resolve(candidates)
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

  test('are complete', () => {
    expect(vectors).toHaveLength(42)
  })
})

test.each(Object.keys(hosts))('the vectors pass on %s', async (host) => {
  const pipeline = (hosts[host] as (typeof hosts)[string])({
    middlewares: [versioning({ versions: ['1', '2'], default: '1', vendor: 'svc' })],
    handler: (_req, res) => {
      res.setHeader('Content-Type', 'application/json')
      res.end('{}')
    },
  })
  const { url, close } = await listen(pipeline)
  for (const [{ path = '/employees', api, acceptVersion, accept, contentType }, expected] of vectors) {
    const fields = { 'api-version': api, 'accept-version': acceptVersion, accept, 'content-type': contentType }
    const headers = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const answer = await send(url, { path, headers: headers as Record<string, string> })
    const [status = '', mediaType] = expected.split(' ')
    if (Number(status) >= 400) expect(String(answer.status), JSON.stringify(fields)).toBe(status)
    // The handler sends JSON, so the response must not have a vendor type of XML.
    else if (!mediaType?.endsWith('+xml'))
      expect(`${answer.headers['api-version']} ${answer.headers['content-type']}`, JSON.stringify(fields)).toBe(
        expected,
      )
  }
  await close()
})
