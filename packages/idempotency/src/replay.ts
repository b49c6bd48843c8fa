import { splitList } from '../../internal/list.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { vary } from '../../internal/vary.ts'
import type { ReplayedResponse } from './begin-result.ts'

/**
 * Sends a stored response again. Middleware before this one compresses it and adds its headers, as
 * to any response.
 */
export function replay(res: ServerResponse, response: ReplayedResponse, marker: string, waited: boolean): void {
  const { status, headers, body } = response
  res.statusCode = status
  for (const [name, value] of headers) {
    // Middleware before this one may have set its own part of Vary already.
    if (name.toLowerCase() === 'vary') vary(res, ...splitList(String(value)))
    else res.setHeader(name, value)
  }
  res.setHeader(marker, 'true')
  if (waited) res.setHeader('Preference-Applied', 'wait')
  if (body.length > 0) res.end(body)
  else res.end()
}
