import { describe, expect, test } from 'vitest'
import { send, serviceFor, toLiteral } from '../../../reference-server/test/service.ts'
import { negotiatedResponse } from './outcome.ts'
import { PRESETS, type PreferenceHeaders } from './preferences.ts'
import { rankOffers } from './rankings.ts'

const EVERYTHING: PreferenceHeaders = { accept: '', 'accept-language': '', 'accept-encoding': '' }
const { types, languages, encodings } = rankOffers(EVERYTHING)

describe('the response of the page has the headers of the response of the service', () => {
  const service = serviceFor()

  test.each<readonly [string, PreferenceHeaders]>([
    ...PRESETS,
    ['no header', EVERYTHING],
    ['no encoding', { accept: '*/*', 'accept-language': 'es', 'accept-encoding': '*;q=0' }],
    ...types.map(({ value }) => [value, { ...EVERYTHING, accept: value, 'accept-language': 'fr' }] as const),
    ...languages.map(({ value }) => [value, { ...EVERYTHING, accept: 'text/html', 'accept-language': value }] as const),
    ...encodings.map(({ value }) => [value, { ...EVERYTHING, 'accept-encoding': value }] as const),
  ])('%s', async (_says, preferences) => {
    const headers = Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== ''))
    const response = await send(service.url, toLiteral({ as: 'eve', path: '/employees', headers }))
    const shown = negotiatedResponse(rankOffers(preferences))
    expect(shown.status).toBe(response.status)
    for (const name of ['content-type', 'content-language', 'content-encoding'])
      expect(shown.headers[name], name).toBe(response.headers[name])
    expect(splitList(shown.headers['vary'])).toEqual(splitList(response.headers['vary']))
  })
})

function splitList(value: unknown): string[] {
  return String(value).split(', ').sort()
}
